public import SignInModel

/// One meeting of a peer mentor, in one of the mentor's organizations.
public struct Activity: Equatable, Sendable {
  public enum Status: String, CaseIterable, Sendable {
    case planned
    case held
    case cancelled
  }

  public let id: String
  public let account: AccountID
  public let organization: OrganizationID
  public let title: String
  public let place: String
  /// The first name of the other person in the meeting.
  public let companion: String
  public let startsAt: Instant
  public let endsAt: Instant
  public let status: Status
  /// The mentor's notes.
  ///
  /// They are empty at first.
  public var notes: String
  /// The version of the record; see `VersionRecords`.
  public var version: Int64

  public init(
    id: String, account: AccountID, organization: OrganizationID, title: String, place: String,
    companion: String, startsAt: Instant, endsAt: Instant, status: Status, notes: String = "",
    version: Int64 = 1
  ) {
    self.id = id
    self.account = account
    self.organization = organization
    self.title = title
    self.place = place
    self.companion = companion
    self.startsAt = startsAt
    self.endsAt = endsAt
    self.status = status
    self.notes = notes
    self.version = version
  }
}

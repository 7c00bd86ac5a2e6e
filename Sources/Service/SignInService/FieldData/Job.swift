public import SignInModel

/// One visit that is assigned to a technician (T-16).
public struct Job: Equatable, Sendable {
  public enum Status: String, CaseIterable, Sendable {
    case scheduled
    case onTheWay = "on_the_way"
    case inProgress = "in_progress"
    /// The work cannot go on, for example because a part is missing.
    case problem
    case done
  }

  public let id: String
  public let account: AccountID
  /// The organization whose work it is; `nil` if the sender named none.
  public let organization: OrganizationID?
  public let title: String
  public let customer: String
  public let place: String
  public let startsAt: Instant
  public let endsAt: Instant
  public var status: Status
  /// The number to call in E.164 form; `nil` if it is not known.
  public let phone: String?
  /// What the person must know before the visit; `nil` if there is nothing.
  public let instructions: String?
  /// What the person wrote about the status; `nil` if nothing.
  public var statusNote: String?
  /// The version of the record; see `VersionRecords`.
  public var version: Int64

  public init(
    id: String, account: AccountID, title: String, customer: String, place: String,
    startsAt: Instant, endsAt: Instant, status: Status, phone: String? = nil,
    instructions: String? = nil, organization: OrganizationID? = nil, version: Int64 = 1,
    statusNote: String? = nil
  ) {
    self.id = id
    self.account = account
    self.organization = organization
    self.title = title
    self.customer = customer
    self.place = place
    self.startsAt = startsAt
    self.endsAt = endsAt
    self.status = status
    self.phone = phone
    self.instructions = instructions
    self.version = version
    self.statusNote = statusNote
  }
}

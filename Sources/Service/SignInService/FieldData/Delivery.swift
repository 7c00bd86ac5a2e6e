public import SignInModel

/// One delivery that a rider makes.
public struct Delivery: Equatable, Sendable {
  public enum Status: String, CaseIterable, Sendable {
    case assigned
    case pickedUp = "picked_up"
    case delivered
    /// The recipient was absent or refused the delivery.
    case failed
  }

  public let id: String
  public let account: AccountID
  /// The organization whose work it is; `nil` if the sender named none.
  public let organization: OrganizationID?
  public let recipient: String
  public let place: String
  public let parcels: Int64
  /// The time that was promised to the recipient.
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
    id: String, account: AccountID, recipient: String, place: String, parcels: Int64,
    startsAt: Instant, endsAt: Instant, status: Status, phone: String? = nil,
    instructions: String? = nil, organization: OrganizationID? = nil, version: Int64 = 1,
    statusNote: String? = nil
  ) {
    self.id = id
    self.account = account
    self.organization = organization
    self.recipient = recipient
    self.place = place
    self.parcels = parcels
    self.startsAt = startsAt
    self.endsAt = endsAt
    self.status = status
    self.phone = phone
    self.instructions = instructions
    self.version = version
    self.statusNote = statusNote
  }
}

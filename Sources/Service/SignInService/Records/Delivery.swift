public import SignInModel

/// One drop a rider makes.
public struct Delivery: Equatable, Sendable {
  public enum Status: String, CaseIterable, Sendable {
    case assigned
    case pickedUp = "picked_up"
    case delivered
    /// Nobody was there, or it was refused.
    case failed
  }

  public let id: String
  public let account: AccountID
  public let recipient: String
  public let place: String
  public let parcels: Int64
  /// When it was promised.
  public let startsAt: Instant
  public let endsAt: Instant
  public var status: Status
  /// Which write made it what it is; see `VersionRecords`.
  public var version: Int64

  public init(
    id: String, account: AccountID, recipient: String, place: String, parcels: Int64,
    startsAt: Instant, endsAt: Instant, status: Status, version: Int64 = 1
  ) {
    self.id = id
    self.account = account
    self.recipient = recipient
    self.place = place
    self.parcels = parcels
    self.startsAt = startsAt
    self.endsAt = endsAt
    self.status = status
    self.version = version
  }
}

public import SignInModel

/// One visit a technician is assigned to (US-076).
public struct Job: Equatable, Sendable {
  public enum Status: String, Sendable {
    case scheduled
    case onTheWay = "on_the_way"
    case inProgress = "in_progress"
    case done
  }

  public let id: String
  public let account: AccountID
  public let title: String
  public let customer: String
  public let place: String
  public let startsAt: Instant
  public let endsAt: Instant
  public let status: Status

  public init(
    id: String, account: AccountID, title: String, customer: String, place: String,
    startsAt: Instant, endsAt: Instant, status: Status
  ) {
    self.id = id
    self.account = account
    self.title = title
    self.customer = customer
    self.place = place
    self.startsAt = startsAt
    self.endsAt = endsAt
    self.status = status
  }
}

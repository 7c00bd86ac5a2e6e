public import JSONText
public import SignInModel

/// One assigned job as `GET /api/jobs` lists it: `{ "jobs": [ … ] }`, by start time.
public struct JobEntry: Equatable, Sendable {
  public let id: String
  public let title: String
  public let customer: String
  public let place: String
  public let startsAt: Instant
  public let endsAt: Instant
  /// `scheduled`, `on_the_way`, `in_progress` or `done`.
  public let status: String

  public init(
    id: String, title: String, customer: String, place: String, startsAt: Instant,
    endsAt: Instant, status: String
  ) {
    self.id = id
    self.title = title
    self.customer = customer
    self.place = place
    self.startsAt = startsAt
    self.endsAt = endsAt
    self.status = status
  }

  public var json: JSON {
    .members([
      JSONMember("id", id),
      JSONMember("title", title),
      JSONMember("customer", customer),
      JSONMember("place", place),
      JSONMember("starts_at", startsAt.seconds),
      JSONMember("ends_at", endsAt.seconds),
      JSONMember("status", status),
    ])
  }

  public init?(json: JSON) {
    guard let id = json["id"]?.text, let title = json["title"]?.text,
      let customer = json["customer"]?.text, let place = json["place"]?.text,
      let startsAt = json["starts_at"]?.number, let endsAt = json["ends_at"]?.number,
      let status = json["status"]?.text
    else { return nil }
    self.init(
      id: id, title: title, customer: customer, place: place,
      startsAt: Instant(seconds: startsAt), endsAt: Instant(seconds: endsAt), status: status
    )
  }
}

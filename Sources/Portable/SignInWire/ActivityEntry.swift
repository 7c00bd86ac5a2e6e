public import JSONText
public import SignInModel

/// The activities of the account, by start time: the answer of `GET /api/activities`.
public struct ActivitiesAnswer: Equatable, Sendable {
  public let activities: [ActivityEntry]

  public init(_ activities: [ActivityEntry]) { self.activities = activities }

  public var json: JSON { WireField.activities.list(activities.map { $0.json }) }

  /// Returns `nil` if there is no list.
  ///
  /// Entries that this version cannot read are omitted.
  public init?(json: JSON) {
    let entries = WireField.activities.entries(in: json, { ActivityEntry(json: $0) })
    guard let entries else { return nil }
    self.init(entries)
  }
}

/// One activity in the answer of `GET /api/activities`.
public struct ActivityEntry: Equatable, Sendable {
  /// The longest notes that are accepted, in UTF-8 bytes.
  public static let notesByteLimit = 4096

  public let id: String
  public let title: String
  public let startsAt: Instant
  public let endsAt: Instant
  public let place: String
  /// The name of the person in the meeting with the mentor.
  public let companion: String
  /// `planned`, `held` or `cancelled`.
  public let status: String
  /// The notes that the mentor wrote.
  ///
  /// They may be empty.
  public let notes: String

  public init(
    id: String, title: String, startsAt: Instant, endsAt: Instant, place: String,
    companion: String, status: String, notes: String
  ) {
    self.id = id
    self.title = title
    self.startsAt = startsAt
    self.endsAt = endsAt
    self.place = place
    self.companion = companion
    self.status = status
    self.notes = notes
  }

  public var json: JSON {
    .members([
      JSONMember(.id, id),
      JSONMember(.title, title),
      JSONMember(.startsAt, startsAt.seconds),
      JSONMember(.endsAt, endsAt.seconds),
      JSONMember(.place, place),
      JSONMember(.with, companion),
      JSONMember(.status, status),
      JSONMember(.notes, notes),
    ])
  }

  public init?(json: JSON) {
    guard let id = json.text(.id), let title = json.text(.title),
      let startsAt = json.unixSeconds(.startsAt), let endsAt = json.unixSeconds(.endsAt),
      let place = json.text(.place), let companion = json.text(.with),
      let status = json.text(.status), let notes = json.text(.notes)
    else { return nil }
    self.init(
      id: id, title: title, startsAt: Instant(seconds: startsAt),
      endsAt: Instant(seconds: endsAt), place: place, companion: companion, status: status,
      notes: notes
    )
  }
}

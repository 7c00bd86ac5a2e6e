public import JSONText
public import SignInModel

/// The jobs assigned to the account, by start time: the answer of `GET /api/jobs`.
public struct JobsAnswer: Equatable, Sendable {
  public let jobs: [JobEntry]

  public init(_ jobs: [JobEntry]) { self.jobs = jobs }

  public var json: JSON { WireField.jobs.list(jobs.map { $0.json }) }

  /// Returns `nil` if there is no list.
  ///
  /// Entries that this version cannot read are omitted.
  public init?(json: JSON) {
    guard let jobs = WireField.jobs.entries(in: json, { JobEntry(json: $0) }) else { return nil }
    self.init(jobs)
  }
}

/// One assigned job in the answer of `GET /api/jobs`.
public struct JobEntry: Equatable, Sendable {
  public let id: String
  public let title: String
  public let customer: String
  public let place: String
  public let startsAt: Instant
  public let endsAt: Instant
  /// `scheduled`, `on_the_way`, `in_progress`, `problem` or `done`.
  public var status: String
  /// The number to call at the customer; `nil` if it is not known.
  public let phone: String?
  /// What the technician must know before the visit; `nil` if there is nothing.
  public let instructions: String?
  /// What the person wrote about the status, such as what the problem is; `nil` if nothing.
  public var statusNote: String?

  public init(
    id: String, title: String, customer: String, place: String, startsAt: Instant,
    endsAt: Instant, status: String, phone: String? = nil, instructions: String? = nil,
    statusNote: String? = nil
  ) {
    self.id = id
    self.title = title
    self.customer = customer
    self.place = place
    self.startsAt = startsAt
    self.endsAt = endsAt
    self.status = status
    self.phone = phone
    self.instructions = instructions
    self.statusNote = statusNote
  }

  public var json: JSON {
    .members([
      JSONMember(.id, id),
      JSONMember(.title, title),
      JSONMember(.customer, customer),
      JSONMember(.place, place),
      JSONMember(.startsAt, startsAt.seconds),
      JSONMember(.endsAt, endsAt.seconds),
      JSONMember(.status, status),
      JSONMember(.phone, ifPresent: phone),
      JSONMember(.instructions, ifPresent: instructions),
      JSONMember(.statusNote, ifPresent: statusNote),
    ])
  }

  public init?(json: JSON) {
    guard let id = json.text(.id), let title = json.text(.title),
      let customer = json.text(.customer), let place = json.text(.place),
      let startsAt = json.unixSeconds(.startsAt), let endsAt = json.unixSeconds(.endsAt),
      let status = json.text(.status)
    else { return nil }
    self.init(
      id: id, title: title, customer: customer, place: place,
      startsAt: Instant(seconds: startsAt), endsAt: Instant(seconds: endsAt), status: status,
      phone: json.text(.phone), instructions: json.text(.instructions),
      statusNote: json.text(.statusNote)
    )
  }
}

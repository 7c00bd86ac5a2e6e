public import JSONText
public import SignInModel

/// The deliveries of a rider's day, by time, and their counts: the answer of `GET /api/dashboard`.
public struct DashboardAnswer: Equatable, Sendable {
  public struct Entry: Equatable, Sendable {
    public let id: String
    public let recipient: String
    public let place: String
    public let parcels: Int64
    /// The start of the promised time.
    public let startsAt: Instant
    public let endsAt: Instant
    /// `assigned`, `picked_up`, `delivered` or `failed`.
    public var status: String
    /// The number to call at the recipient; `nil` if it is not known.
    public let phone: String?
    /// What the rider must know, such as where to leave a parcel; `nil` if there is nothing.
    public let instructions: String?
    /// What the person wrote about the status, such as what the problem is; `nil` if nothing.
    public var statusNote: String?

    public init(
      id: String, recipient: String, place: String, parcels: Int64, startsAt: Instant,
      endsAt: Instant, status: String, phone: String? = nil, instructions: String? = nil,
      statusNote: String? = nil
    ) {
      self.id = id
      self.recipient = recipient
      self.place = place
      self.parcels = parcels
      self.startsAt = startsAt
      self.endsAt = endsAt
      self.status = status
      self.phone = phone
      self.instructions = instructions
      self.statusNote = statusNote
    }
  }

  /// The beginning of the day, at midnight UTC.
  public let day: Instant
  public let total: Int64
  public let delivered: Int64
  public let failed: Int64
  /// Deliveries that are neither delivered nor failed.
  public let remaining: Int64
  public let deliveries: [Entry]

  public init(
    day: Instant, total: Int64, delivered: Int64, failed: Int64, remaining: Int64,
    deliveries: [Entry]
  ) {
    self.day = day
    self.total = total
    self.delivered = delivered
    self.failed = failed
    self.remaining = remaining
    self.deliveries = deliveries
  }

  public var json: JSON {
    .members([
      JSONMember(.dayAt, day.seconds),
      JSONMember(
        .summary,
        .members([
          JSONMember(.total, total), JSONMember(.delivered, delivered),
          JSONMember(.failed, failed), JSONMember(.remaining, remaining),
        ])),
      JSONMember(.deliveries, .array(deliveries.map { $0.json })),
    ])
  }

  /// Returns `nil` if a member is missing or has another type.
  public init?(json: JSON) {
    guard let day = json.unixSeconds(.dayAt), let summary = json[.summary],
      let total = summary.count(.total), let delivered = summary.count(.delivered),
      let failed = summary.count(.failed), let remaining = summary.count(.remaining),
      let elements = json.elements(.deliveries)
    else { return nil }
    var deliveries: [Entry] = []
    for element in elements {
      guard let entry = Entry(json: element) else { return nil }
      deliveries.append(entry)
    }
    self.init(
      day: Instant(seconds: day), total: total, delivered: delivered, failed: failed,
      remaining: remaining, deliveries: deliveries
    )
  }
}

extension DashboardAnswer.Entry {
  public var json: JSON {
    .members([
      JSONMember(.id, id),
      JSONMember(.recipient, recipient),
      JSONMember(.place, place),
      JSONMember(.parcels, parcels),
      JSONMember(.startsAt, startsAt.seconds),
      JSONMember(.endsAt, endsAt.seconds),
      JSONMember(.status, status),
      JSONMember(.phone, ifPresent: phone),
      JSONMember(.instructions, ifPresent: instructions),
      JSONMember(.statusNote, ifPresent: statusNote),
    ])
  }

  public init?(json: JSON) {
    guard let id = json.text(.id), let recipient = json.text(.recipient),
      let place = json.text(.place), let parcels = json.count(.parcels),
      let startsAt = json.unixSeconds(.startsAt), let endsAt = json.unixSeconds(.endsAt),
      let status = json.text(.status)
    else { return nil }
    self.init(
      id: id, recipient: recipient, place: place, parcels: parcels,
      startsAt: Instant(seconds: startsAt), endsAt: Instant(seconds: endsAt), status: status,
      phone: json.text(.phone), instructions: json.text(.instructions),
      statusNote: json.text(.statusNote)
    )
  }
}

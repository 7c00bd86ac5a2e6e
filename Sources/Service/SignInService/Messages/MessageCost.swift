public import SignInModel

/// The cost of one day's messages through one messenger, to one country, for one organization.
///
/// It contains no personal data, so it is stored longer than the messages.
public struct MessageCost: Equatable, Sendable {
  /// How long costs are stored, in days: more than a year, so that a month can be compared with the
  /// same month of the last year.
  public static let retentionDays: Int64 = 400

  /// The values by which costs are grouped.
  public struct Group: Hashable, Sendable {
    /// The day in UTC when the messenger accepted the message.
    public let day: CalendarDay
    public let messenger: String
    /// The calling code, such as `+47`.
    public let country: String
    /// The organization that pays; nil if there is none.
    public let organization: OrganizationID?

    public init(
      day: CalendarDay, messenger: String, country: String, organization: OrganizationID?
    ) {
      self.day = day
      self.messenger = messenger
      self.country = country
      self.organization = organization
    }
  }

  public let place: Group
  public var messages: Int64 = 0
  public var parts: Int64 = 0
  public var delivered: Int64 = 0
  public var undelivered: Int64 = 0
  /// In millionths of the operator's currency.
  public var price: Int64 = 0
  /// The number of messages without a known price.
  public var unpriced: Int64 = 0

  public init(_ place: Group) { self.place = place }

  mutating func add(_ other: MessageCost) {
    messages = messages.plusClamping(other.messages)
    parts = parts.plusClamping(other.parts)
    delivered = delivered.plusClamping(other.delivered)
    undelivered = undelivered.plusClamping(other.undelivered)
    price = price.plusClamping(other.price)
    unpriced = unpriced.plusClamping(other.unpriced)
  }

  mutating func take(away other: MessageCost) {
    messages = messages.plusClamping(-other.messages)
    parts = parts.plusClamping(-other.parts)
    delivered = delivered.plusClamping(-other.delivered)
    undelivered = undelivered.plusClamping(-other.undelivered)
    price = price.plusClamping(-other.price)
    unpriced = unpriced.plusClamping(-other.unpriced)
  }
}

extension OutboxMessage {
  /// Nil before a messenger has accepted the message, and for e-mail, which costs nothing.
  var cost: MessageCost? {
    guard state == .handedOver, let messenger, let handedOverAt, let phone = to.phone else {
      return nil
    }
    var cost = MessageCost(
      .init(
        day: CalendarDay(handedOverAt), messenger: messenger, country: phone.callingCode,
        organization: organization
      ))
    cost.messages = 1
    cost.parts = segments
    cost.delivered = receipt == .delivered ? 1 : 0
    cost.undelivered = receipt == .undelivered ? 1 : 0
    cost.price = price ?? 0
    cost.unpriced = price == nil ? 1 : 0
    return cost
  }
}

extension OutboxRecords where Self: MessageCostRecords {
  /// Updates the message, and the counts and costs that the change belongs to.
  func update(_ message: OutboxMessage, from before: OutboxMessage) throws(StoreFault) {
    try update(message)
    for kind in message.dailyCounts(since: before) {
      try count(kind, times: 1, on: CalendarDay(message.createdAt), of: message.account)
    }
    guard var change = message.cost else { return }
    if let booked = before.cost { change.take(away: booked) }
    if change != MessageCost(change.place) { try add(change) }
  }
}

extension PhoneNumber {
  /// The country calling code of the number (ITU-T E.164, list of assigned codes).
  var callingCode: String {
    let digits = e164.dropFirst()
    if digits.hasPrefix("1") || digits.hasPrefix("7") { return String(e164.prefix(2)) }
    let pairs: Set<Substring> = [
      "20", "27", "30", "31", "32", "33", "34", "36", "39", "40", "41", "43", "44", "45", "46",
      "47", "48", "49", "51", "52", "53", "54", "55", "56", "57", "58", "60", "61", "62", "63",
      "64", "65", "66", "81", "82", "84", "86", "90", "91", "92", "93", "94", "95", "98",
    ]
    return String(e164.prefix(pairs.contains(digits.prefix(2)) ? 3 : 4))
  }
}

import SignInModel

/// What messages to one country through one messenger came to.
public struct MessageCost: Equatable, Sendable {
  public let messenger: String
  /// The calling code, such as `+47`.
  public let country: String
  public internal(set) var messages: Int64 = 0
  public internal(set) var parts: Int64 = 0
  public internal(set) var delivered: Int64 = 0
  public internal(set) var undelivered: Int64 = 0
  /// In millionths of the operator's currency.
  public internal(set) var price: Int64 = 0
  /// How many of the messages no price is known of.
  public internal(set) var unpriced: Int64 = 0
}

/// Adds up what was handed over and is still in the delivery log, which keeps a day.
///
/// - Returns: The dearest first.
public func reportCosts(in store: any Store) async throws(StoreFault) -> [MessageCost] {
  var costs: [[String]: MessageCost] = [:]
  var position: ListPosition?
  while true {
    let start = position
    let messages = try await store.read { (look) throws(StoreFault) in
      try look.messages(after: start, limit: PageLimits.longest)
    }
    for message in messages where message.state == .handedOver {
      let key = [message.messenger ?? "", message.to.callingCode]
      var cost = costs[key] ?? MessageCost(messenger: key[0], country: key[1])
      cost.messages += 1
      cost.parts += message.segments
      cost.delivered += message.receipt == .delivered ? 1 : 0
      cost.undelivered += message.receipt == .undelivered ? 1 : 0
      cost.price += message.price ?? 0
      cost.unpriced += message.price == nil ? 1 : 0
      costs[key] = cost
    }
    guard let last = messages.last, messages.count == PageLimits.longest else { break }
    position = ListPosition(createdAt: last.createdAt, id: last.id)
  }
  return costs.values.sorted {
    ($1.price, $0.messenger, $0.country) < ($0.price, $1.messenger, $1.country)
  }
}

extension PhoneNumber {
  /// The country's part of the number (ITU-T E.164, list of assigned codes).
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

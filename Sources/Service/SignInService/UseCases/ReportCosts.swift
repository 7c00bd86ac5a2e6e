public import SignInModel

/// What a report of costs tells apart.
public enum CostColumn: String, CaseIterable, Sendable {
  case day, messenger, country, organization
}

/// One line of a report: what it is about, in the order of the columns asked for, and the sum.
public struct CostLine: Equatable, Sendable {
  public let words: [String]
  public internal(set) var cost: MessageCost
}

/// Adds up what messages came to on these days, both included.
///
/// - Returns: By day where days are told apart, and then the dearest first.
public func reportCosts(
  from first: CalendarDay, through last: CalendarDay, by columns: [CostColumn],
  in store: any Store
) async throws(StoreFault) -> [CostLine] {
  let costs = try await store.read { (look) throws(StoreFault) in
    try look.messageCosts(from: first, through: last)
  }
  var lines: [[String]: CostLine] = [:]
  for cost in costs {
    let words = columns.map { cost.place.word(in: $0) }
    if lines[words] == nil { lines[words] = CostLine(words: words, cost: .init(cost.place)) }
    lines[words]?.cost.add(cost)
  }
  func order(_ line: CostLine) -> Int64 {
    columns.contains(.day) ? line.cost.place.day.number : 0
  }
  return lines.values.sorted { one, other in
    if order(one) != order(other) { return order(one) < order(other) }
    if one.cost.price != other.cost.price { return one.cost.price > other.cost.price }
    if one.cost.messages != other.cost.messages { return one.cost.messages > other.cost.messages }
    return one.words.lexicographicallyPrecedes(other.words)
  }
}

extension MessageCost.Place {
  fileprivate func word(in column: CostColumn) -> String {
    switch column {
    case .day: day.text
    case .messenger: messenger
    case .country: country
    case .organization: organization?.text ?? "-"
    }
  }
}

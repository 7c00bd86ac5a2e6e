public import SignInModel

/// A column by which a cost report is grouped.
public enum CostColumn: String, CaseIterable, Sendable {
  case day, messenger, country, organization
}

/// One line of a report: the values of its columns in the requested order, and the sum.
public struct CostLine: Equatable, Sendable {
  public let words: [String]
  public internal(set) var cost: MessageCost
}

/// Adds up the costs of messages on these days, both included.
///
/// - Returns: The lines in order of the day if there is a column for it, then the most expensive
///   first.
public func reportCosts(
  from first: CalendarDay, through last: CalendarDay, by columns: [CostColumn],
  in store: any Store
) async throws(StoreFault) -> [CostLine] {
  let costs = try await store.read { (transaction: any MessageCostRecords) throws(StoreFault) in
    try transaction.messageCosts(from: first, through: last)
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

extension MessageCost.Group {
  fileprivate func word(in column: CostColumn) -> String {
    switch column {
    case .day: day.text
    case .messenger: messenger
    case .country: country
    case .organization: organization?.text ?? "-"
    }
  }
}

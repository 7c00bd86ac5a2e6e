internal import SignInModel
internal import SignInService

extension MemoryTransaction: MessageCostRecords {
  func add(_ cost: MessageCost) throws(StoreFault) {
    try write { tables in
      var known = tables.messageCosts[cost.place] ?? MessageCost(cost.place)
      known.messages += cost.messages
      known.parts += cost.parts
      known.delivered += cost.delivered
      known.undelivered += cost.undelivered
      known.price += cost.price
      known.unpriced += cost.unpriced
      tables.messageCosts[cost.place] = known
    }
  }

  func messageCosts(from first: CalendarDay, through last: CalendarDay) -> [MessageCost] {
    tables.messageCosts.values
      .filter { first <= $0.place.day && $0.place.day <= last }
      .sorted { Self.order($0) < Self.order($1) }
  }

  func removeMessageCosts(before day: CalendarDay, limit: Int) throws(StoreFault) -> Int {
    try write { tables in
      let chosen = tables.messageCosts.values
        .filter { $0.place.day < day }.sorted { Self.order($0) < Self.order($1) }.prefix(limit)
      for cost in chosen { tables.messageCosts[cost.place] = nil }
      return chosen.count
    }
  }

  private static func order(_ cost: MessageCost) -> (Int64, String, String, String) {
    let place = cost.place
    return (place.day.number, place.messenger, place.country, place.organization?.text ?? "")
  }
}

internal import SignInModel
internal import SignInService
internal import SignInTesting

extension StoreContract {
  static var messageCosts: [Check] {
    [
      Check(name: "costs with one key are added", isKept: costsAdded),
      Check(name: "costs of a period are read in order, with both days", isKept: costOrder),
      Check(name: "costs of old days are removed, the oldest first", isKept: costsRemoved),
    ]
  }

  private static func cost(
    _ day: Int64, _ messenger: String = "a", _ country: String = "+47",
    _ organization: String? = nil, price: Int64 = 7
  ) -> MessageCost {
    var cost = MessageCost(
      .init(
        day: CalendarDay(number: day), messenger: messenger, country: country,
        organization: organization.map { OrganizationID($0) }
      ))
    cost.messages = 1
    cost.parts = 2
    cost.delivered = 1
    cost.undelivered = -1
    cost.price = price
    cost.unpriced = 3
    return cost
  }

  private static func add(_ costs: [MessageCost], to store: any Store) async throws {
    try await store.transact { transaction throws(StoreFault) in
      for cost in costs { try transaction.add(cost) }
    }
  }

  private static func found(
    _ store: any Store, _ first: Int64, _ last: Int64
  ) async throws -> [MessageCost] {
    try await store.read { transaction throws(StoreFault) in
      try transaction.messageCosts(
        from: CalendarDay(number: first), through: CalendarDay(number: last))
    }
  }

  private static func costsAdded(_ store: any Store) async throws {
    try await add([cost(1), cost(1, price: 5)], to: store)
    try await add([cost(1, price: -2), cost(1, "a", "+47", "north")], to: store)
    var sum = cost(1, price: 10)
    sum.messages = 3
    sum.parts = 6
    sum.delivered = 3
    sum.undelivered = -3
    sum.unpriced = 9
    try expect(
      try await found(store, 1, 1), is: [sum, cost(1, "a", "+47", "north")], "the costs")
  }

  private static func costOrder(_ store: any Store) async throws {
    let wanted = [
      cost(2, "a", "+47"), cost(2, "a", "+91", "north"), cost(2, "a", "+91", "south"),
      cost(2, "b"), cost(4),
    ]
    try await add(wanted.reversed() + [cost(1), cost(5)], to: store)
    try expect(try await found(store, 2, 4), is: wanted, "the costs")
  }

  private static func costsRemoved(_ store: any Store) async throws {
    try await add([cost(3), cost(1), cost(2)], to: store)
    let remove: @Sendable (any Transaction) throws(StoreFault) -> Int = {
      transaction throws(StoreFault) in
      try transaction.removeMessageCosts(before: CalendarDay(number: 3), limit: 1)
    }
    try expect(try await store.transact(remove), is: 1, "the first removal")
    try expect(try await found(store, 0, 9), is: [cost(2), cost(3)], "the rest")
    try expect(try await store.transact(remove), is: 1, "the second removal")
    try expect(try await store.transact(remove), is: 0, "the third removal")
    try expect(try await found(store, 0, 9), is: [cost(3)], "the rest")
  }
}

internal import SignInModel
internal import SignInService
internal import SignInTesting

extension StoreContract {
  static var assertions: [Check] {
    [
      Check(name: "an assertion is used once", isKept: assertionUsed),
      Check(name: "expired assertions are forgotten up to the limit", isKept: assertionsForgotten),
    ]
  }

  private static func assertionUsed(_ store: any Store) async throws {
    try await store.transact { transaction throws(StoreFault) in
      try transaction.useAssertion([1, 2, 3], until: Examples.start)
    }
    let found = try await store.read { transaction throws(StoreFault) in
      [try transaction.isAssertionUsed([1, 2, 3]), try transaction.isAssertionUsed([1, 2])]
    }
    try expect(found, is: [true, false], "the used one, and another")
    try await expect(.conflict, from: store, "an assertion that was used") {
      transaction throws(StoreFault) in
      try transaction.useAssertion([1, 2, 3], until: Examples.start.adding(seconds: 9))
    }
  }

  private static func assertionsForgotten(_ store: any Store) async throws {
    try await store.transact { transaction throws(StoreFault) in
      for number in 1...3 {
        let expiry = Examples.start.adding(seconds: Int64(number))
        try transaction.useAssertion([UInt8(number)], until: expiry)
      }
    }
    for (limit, expected) in [(1, 1), (5, 1), (5, 0)] {
      let removed = try await store.transact { transaction throws(StoreFault) in
        let moment = Examples.start.adding(seconds: 3)
        return try transaction.removeAssertions(expiredBefore: moment, limit: limit)
      }
      try expect(removed, is: expected, "forgotten at a limit of \(limit)")
    }
    let isKept = try await store.read { transaction throws(StoreFault) in
      try transaction.isAssertionUsed([3])
    }
    try expect(isKept, is: true, "whether the valid one is remembered")
  }
}

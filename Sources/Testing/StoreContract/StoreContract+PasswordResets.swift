internal import SignInModel
internal import SignInService
internal import SignInTesting

extension StoreContract {
  static var passwordResets: [Check] {
    [
      Check(name: "a password reset is read unchanged", isKept: resetRoundTrip),
      Check(name: "only the account's own resets are removed", isKept: resetsOfAccount),
      Check(name: "the newest resets of a device are counted and stay", isKept: resetsOfDevice),
      Check(name: "expired resets are removed up to the limit", isKept: resetRemoval),
    ]
  }

  private static func insert(_ resets: [PasswordReset], into store: any Store) async throws {
    try await store.transact { transaction throws(StoreFault) in
      for reset in resets { try transaction.insert(reset) }
    }
  }

  /// The resets with these numbers, or `nil` for missing ones.
  private static func found(_ numbers: ClosedRange<UInt8>, in store: any Store) async throws
    -> [PasswordReset?]
  {
    try await store.read { transaction throws(StoreFault) in
      var found: [PasswordReset?] = []
      for number in numbers {
        found.append(try transaction.passwordReset(digest: Examples.digest(number)))
      }
      return found
    }
  }

  private static func resetRoundTrip(_ store: any Store) async throws {
    let resets = [Examples.reset(1), Examples.reset(2, account: "?stranger", key: "thumbprint")]
    try await insert(resets, into: store)
    try expect(try await found(1...3, in: store), is: resets + [nil], "the resets")
    try await expect(.conflict, from: store, "inserting a digest twice") {
      transaction throws(StoreFault) in try transaction.insert(Examples.reset(1))
    }
  }

  private static func resetsOfAccount(_ store: any Store) async throws {
    let other = Examples.reset(3, account: "account-2")
    try await insert([Examples.reset(1), Examples.reset(2), other], into: store)
    try await store.transact { transaction throws(StoreFault) in
      try transaction.removePasswordResets(of: AccountID("account-1"))
    }
    try expect(try await found(1...3, in: store), is: [nil, nil, other], "the resets")
  }

  private static func resetsOfDevice(_ store: any Store) async throws {
    let own = [1, 2, 3].map { Examples.reset($0, key: "mine", expiresIn: Int64($0)) }
    let others = [
      Examples.reset(4), Examples.reset(5, key: "other"),
      Examples.reset(6, account: "account-2", key: "mine"),
    ]
    try await insert(own + others, into: store)
    let account = AccountID("account-1")
    for (seconds, expected) in [(0, 3), (1, 2), (3, 0)] as [(Int64, Int)] {
      let count = try await store.read { transaction throws(StoreFault) in
        try transaction.passwordResetCount(
          of: account, proofKeyThumbprint: "mine",
          expiringAfter: Examples.start.adding(seconds: seconds))
      }
      try expect(count, is: expected, "resets that expire after \(seconds) seconds")
    }
    for (count, left) in [(3, own), (2, [nil, own[1], own[2]]), (0, [nil, nil, nil])]
      as [(Int, [PasswordReset?])]
    {
      try await store.transact { transaction throws(StoreFault) in
        try transaction.removePasswordResets(
          of: account, proofKeyThumbprint: "mine", keeping: count)
      }
      try expect(try await found(1...6, in: store), is: left + others, "the resets")
    }
  }

  private static func resetRemoval(_ store: any Store) async throws {
    try await insert((1...4).map { Examples.reset($0, expiresIn: Int64($0)) }, into: store)
    // Three resets expired before the fourth second. The one that expires in it has not.
    let moment = Examples.start.adding(seconds: 4)
    for (limit, expected) in [(0, 0), (2, 2), (2, 1), (2, 0)] {
      let removed = try await store.transact { transaction throws(StoreFault) in
        try transaction.removePasswordResets(expiredBefore: moment, limit: limit)
      }
      try expect(removed, is: expected, "removed at a limit of \(limit)")
    }
    let last = Examples.reset(4, expiresIn: 4)
    try expect(try await found(3...4, in: store), is: [nil, last], "the resets")
  }
}

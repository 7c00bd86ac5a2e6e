internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInTesting

extension StoreContract {
  static var throttles: [Check] {
    [
      Check(name: "counts are read unchanged, and no counts mean quiet", isKept: throttleRoundTrip),
      Check(name: "a decision leaves the counts that it saved last", isKept: throttleChanges),
      Check(name: "a decision that fails changes no counts", isKept: throttleFault),
      Check(name: "quiet counts are removed up to the limit", isKept: throttleRemoval),
      Check(name: "known devices are read, the last used one first", isKept: deviceRoundTrip),
      Check(name: "devices unused for long are removed up to the limit", isKept: deviceRemoval),
    ]
  }

  private static func key(_ text: String) -> ThrottleKey {
    ThrottleKey(.origin, digest: Array(text.utf8))
  }

  private static func throttleRoundTrip(_ store: any Store) async throws {
    let many = (0..<200).map { number in
      Throttle.Tally(at: Examples.start.adding(seconds: number), count: number + 1)
    }
    let odd = [
      Throttle.Tally(at: Instant(milliseconds: 0), count: 1),
      Throttle.Tally(at: Instant(milliseconds: .max), count: 1 << 53),
    ]
    for tallies in [many, odd, [odd[0]]] {
      let throttle = Throttle(tallies: tallies)
      let found = try await store.transact { transaction throws(StoreFault) in
        try transaction.save(throttle, for: key("key"), quietFrom: Examples.start)
        return [try transaction.throttle(key("key")), try transaction.throttle(key("other"))]
      }
      try expect(found, is: [throttle, .quiet], "the counts")
    }

    let none = try await store.transact { transaction throws(StoreFault) in
      try transaction.save(.quiet, for: key("key"), quietFrom: Examples.start)
      return try transaction.throttle(key("key"))
    }
    try expect(none, is: .quiet, "quiet counts")
    let removed = try await store.transact { transaction throws(StoreFault) in
      try transaction.removeThrottles(quietBefore: Examples.start.adding(seconds: 1), limit: 9)
    }
    try expect(removed, is: 0, "rows of quiet counts")
  }

  private static func counts(_ count: Int64) -> Throttle {
    Throttle(tallies: [Throttle.Tally(at: Examples.start, count: count)])
  }

  /// The counts of these keys in a new transaction.
  private static func stored(
    _ names: [String], in store: any Store
  ) async throws -> [Throttle] {
    try await store.read { transaction throws(StoreFault) in
      var found: [Throttle] = []
      for name in names { found.append(try transaction.throttle(key(name))) }
      return found
    }
  }

  private static func throttleChanges(_ store: any Store) async throws {
    let names = ["kept", "changed", "removed", "taken-back", "new", "again"]
    let later = Examples.start.adding(seconds: 9)
    try await store.transact { transaction throws(StoreFault) in
      try transaction.prepareThrottles(names.map(key))
      for name in names.prefix(3) {
        try transaction.save(counts(1), for: key(name), quietFrom: later)
      }
    }
    let seen = try await store.transact { transaction throws(StoreFault) in
      try transaction.prepareThrottles(names.map(key))
      try transaction.save(counts(2), for: key("kept"), quietFrom: later)
      try transaction.save(counts(1), for: key("kept"), quietFrom: later)
      try transaction.save(counts(2), for: key("changed"), quietFrom: later)
      try transaction.save(counts(3), for: key("changed"), quietFrom: later)
      try transaction.save(.quiet, for: key("removed"), quietFrom: later)
      try transaction.save(counts(1), for: key("taken-back"), quietFrom: later)
      try transaction.save(.quiet, for: key("taken-back"), quietFrom: later)
      try transaction.save(counts(4), for: key("new"), quietFrom: later)
      try transaction.save(.quiet, for: key("again"), quietFrom: later)
      try transaction.save(counts(5), for: key("again"), quietFrom: later)
      return try transaction.unlockedThrottles(names.map(key))
    }
    let expected = [counts(1), counts(3), .quiet, .quiet, counts(4), counts(5)]
    try expect(names.map { seen[key($0)] ?? .quiet }, is: expected, "counts in the decision")
    try expect(try await stored(names, in: store), is: expected, "counts after it")

    let removed = try await store.transact { transaction throws(StoreFault) in
      // The moment alone is a change, too.
      try transaction.save(counts(1), for: key("kept"), quietFrom: later.adding(seconds: 9))
      try transaction.save(counts(1), for: key("last"), quietFrom: Examples.start)
      return try transaction.removeThrottles(quietBefore: later.adding(seconds: 1), limit: 9)
    }
    try expect(removed, is: 4, "quiet counts, also of this decision")
    try expect(
      try await stored(["kept", "last"], in: store), is: [counts(1), .quiet], "counts that are left"
    )
  }

  private static func throttleFault(_ store: any Store) async throws {
    try await store.transact { transaction throws(StoreFault) in
      try transaction.save(counts(1), for: key("old"), quietFrom: Examples.start)
    }
    try await expect(.conflict, from: store, "a decision that fails") {
      transaction throws(StoreFault) in
      try transaction.prepareThrottles([key("new"), key("old")])
      try transaction.save(counts(2), for: key("old"), quietFrom: Examples.start)
      try transaction.save(counts(2), for: key("new"), quietFrom: Examples.start)
      throw StoreFault.conflict
    }
    let found = try await store.transact { transaction throws(StoreFault) in
      [try transaction.throttle(key("new")), try transaction.throttle(key("old"))]
    }
    try expect(found, is: [.quiet, counts(1)], "counts of the failed decision")
  }

  private static func throttleRemoval(_ store: any Store) async throws {
    let throttle = Throttle(tallies: [Throttle.Tally(at: Examples.start, count: 1)])
    try await store.transact { transaction throws(StoreFault) in
      for number: Int64 in 1...3 {
        try transaction.save(
          throttle, for: key("key-\(number)"), quietFrom: Examples.start.adding(seconds: number))
      }
    }
    let moment = Examples.start.adding(seconds: 3)

    for (limit, expected) in [(1, 1), (5, 1), (5, 0)] {
      let removed = try await store.transact { transaction throws(StoreFault) in
        try transaction.removeThrottles(quietBefore: moment, limit: limit)
      }
      try expect(removed, is: expected, "removed at a limit of \(limit)")
    }

    let left = try await store.read { transaction throws(StoreFault) in
      try transaction.throttle(key("key-3"))
    }
    try expect(left, is: throttle, "the remaining counts")
  }

  private static func device(
    _ key: String, account: String = "account-1", seenIn seconds: Int64 = 0,
    hasProvedPassword: Bool = false
  ) -> KnownDevice {
    KnownDevice(
      account: AccountID(account), proofKeyThumbprint: key,
      lastSeenAt: Examples.start.adding(seconds: seconds), hasProvedPassword: hasProvedPassword
    )
  }

  private static func deviceRoundTrip(_ store: any Store) async throws {
    try await store.transact { transaction throws(StoreFault) in
      for device in [
        device("a", seenIn: 10), device("b", seenIn: 30), device("c", seenIn: 20),
        device("d", seenIn: 20), device("a", account: "account-2"),
      ] { try transaction.save(device) }
      try transaction.save(device("a", seenIn: 40, hasProvedPassword: true))
      try transaction.removeKnownDevice(
        of: AccountID("account-1"), proofKeyThumbprint: "b")
      try transaction.removeKnownDevice(
        of: AccountID("account-1"), proofKeyThumbprint: "never known")
    }

    let (all, found) = try await store.read { transaction throws(StoreFault) in
      (
        try transaction.knownDevices(of: AccountID("account-1")),
        [
          try transaction.knownDevice(of: AccountID("account-2"), proofKeyThumbprint: "a"),
          try transaction.knownDevice(of: AccountID("account-2"), proofKeyThumbprint: "c"),
          try transaction.knownDevice(of: AccountID("account-1"), proofKeyThumbprint: "b"),
        ]
      )
    }

    try expect(all.map { $0.proofKeyThumbprint }, is: ["a", "d", "c"], "the devices")
    try expect(
      all.first, is: device("a", seenIn: 40, hasProvedPassword: true), "the device seen last")
    try expect(found, is: [device("a", account: "account-2"), nil, nil], "single devices")
  }

  private static func deviceRemoval(_ store: any Store) async throws {
    try await store.transact { transaction throws(StoreFault) in
      for number: Int64 in 1...3 {
        try transaction.save(device("key-\(number)", seenIn: number))
      }
    }
    let moment = Examples.start.adding(seconds: 3)

    for (limit, expected) in [(1, 1), (5, 1), (5, 0)] {
      let removed = try await store.transact { transaction throws(StoreFault) in
        try transaction.removeKnownDevices(lastSeenBefore: moment, limit: limit)
      }
      try expect(removed, is: expected, "removed at a limit of \(limit)")
    }

    let left = try await store.read { transaction throws(StoreFault) in
      try transaction.knownDevices(of: AccountID("account-1"))
    }
    try expect(left, is: [device("key-3", seenIn: 3)], "the devices that are left")
  }
}

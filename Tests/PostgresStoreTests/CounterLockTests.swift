import JSONText
import SignInModel
import SignInRules
import SignInTesting
import SignInWire
import Testing

@testable import SQLStore
@testable import SignInService

@Suite("Locks of the counters of rate limits in PostgreSQL")
struct CounterLockTests {
  private let server: PostgresServer
  private let store: PostgresStore
  private let start = Instant(seconds: 1_800_000_000)

  init() throws {
    server = try PostgresCluster.shared.get().emptySchema()
    store = try PostgresStore(server, limits: .small)
  }

  @Test("L-16 only shared locks have negative numbers, so no name of a sender has one of them")
  func numbers() {
    let shared = [
      "installation", "schema", "event log", "global administrators", "expired records",
    ].map(PostgresConnection.number)

    #expect(shared.allSatisfy { $0 < 0 })
    #expect(Set(shared).count == shared.count)
    for number in 0..<1000 {
      #expect(PostgresConnection.number("email person\(number)@example.com") >= 0)
    }
    #expect(PostgresConnection.number("email tara@example.com") == 8516241919444016181)
  }

  /// A decision on a connection of its own, which does not wait for a lock.
  private func transaction() throws -> SQLTransaction {
    var limits = PostgresLimits.small
    limits.lockMilliseconds = 50
    let connection = try PostgresConnection(server, limits: limits, damage: DamageLog())
    connection.begin(for: .writing)
    return SQLTransaction(.postgres(connection), for: .writing)
  }

  /// Waits until another decision waits for a lock of a counter.
  private func awaitWaiting() async throws {
    let connection = try PostgresConnection(server, limits: .small, damage: DamageLog())
    var count: Int64 = 0
    while count == 0 {
      count =
        try connection.first(
          "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
          read: { row in row.number() }) ?? 0
      await Task.yield()
    }
  }

  @Test("a decision that waits for its first counter has not locked the following ones")
  func locksInOrder() async throws {
    let first = ThrottleKey(.origin, digest: [9])
    let others = (1...8).map { ThrottleKey($0 < 4 ? .recipient : .budget, digest: [$0]) }
    let holder = try transaction()
    _ = try holder.throttle(first)

    async let decision: Void = store.transact(about: []) { transaction throws(StoreFault) in
      try transaction.prepareThrottles(others.reversed() + [first])
    }
    try await awaitWaiting()
    let other = try transaction()
    try other.prepareThrottles(others)

    #expect(throws: StoreFault.self) { try transaction().throttle(first) }
    other.connection.rollBack()
    holder.connection.rollBack()
    try await decision
    store.close()
  }

  @Test("a count that is saved without reading it is locked")
  func locksSavedCounts() throws {
    let key = ThrottleKey(.origin, digest: [1])
    let first = try transaction()
    try first.save(.quiet, for: key, quietFrom: start)

    #expect(throws: StoreFault.self) { try transaction().throttle(key) }
    first.connection.rollBack()
    store.close()
  }

  @Test("the removal of old counts does not wait for one that a decision changes")
  func skipsChangedCounts() async throws {
    let keys = (1...3).map { ThrottleKey(.origin, digest: [$0]) }
    let throttle = Throttle(tallies: [.init(at: start, count: 1)])
    try await store.transact(about: []) { [start] transaction throws(StoreFault) in
      for key in keys { try transaction.save(throttle, for: key, quietFrom: start) }
    }
    let holder = try transaction()
    try holder.save(throttle, for: keys[1], quietFrom: start.adding(seconds: 2))
    try holder.writeThrottles()
    _ = try holder.throttle(ThrottleKey(.budget, digest: [1]))

    let removed = try transaction().removeThrottles(
      quietBefore: start.adding(seconds: 1), limit: 9)

    #expect(removed == 2)
    holder.connection.rollBack()
    store.close()
  }

  @Test("L-16 a request that its own limits refuse does not wait for a budget of its app")
  func refusesBeforeBudgets() async throws {
    var limits = PostgresLimits.small
    limits.lockMilliseconds = 500
    let store = try PostgresStore(server, limits: limits, keys: CountedServer.storeKeys)
    let counted = try await CountedServer(store)
    let rider = [
      ("response_type", "code"), ("scope", "openid"), ("phone_number", "+919812345678"),
      ("code_challenge", String(repeating: "c", count: 43)), ("code_challenge_method", "S256"),
    ]
    let device = CountedDevice("rider-app", at: counted)
    let budget = counted.world.keyring.throttleKey(.budget, "client", "rider-app")
    for _ in 1..<5 {
      let sent = try await device.post(.challenge, rider)
      #expect(sent["auth_session"]?.text != nil)
      counted.clock.advance(seconds: 61)
    }
    let first = try transaction()
    _ = try first.throttle(budget)
    let waiting = try await device.post(.challenge, rider)
    first.connection.rollBack()
    #expect(waiting["error"]?.text == ErrorCode.temporarilyUnavailable.rawValue)
    let last = try await device.post(.challenge, rider)
    #expect(last["auth_session"]?.text != nil)
    counted.clock.advance(seconds: 61)

    let second = try transaction()
    let before = try second.throttle(budget)
    let refused = try await device.post(.challenge, rider)
    second.connection.rollBack()

    #expect(refused["error"]?.text == ErrorCode.rateLimited.rawValue)
    let after = try await store.read { transaction throws(StoreFault) in
      try transaction.throttle(budget)
    }
    #expect(after == before)
    #expect(
      after.count(at: counted.clock.now(), inSeconds: Throttle.Limit.daySeconds) == 5)
    store.close()
    self.store.close()
  }
}

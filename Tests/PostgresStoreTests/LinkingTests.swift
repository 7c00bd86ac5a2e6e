import Dispatch
import SignInModel
import SignInRules
import SignInService
import SignInWire
import Testing

@testable import SQLStore

@Suite("Linking events in PostgreSQL")
struct LinkingTests {
  private let cluster: PostgresCluster
  private let caller = Caller(client: nil, peer: nil, proofKeyThumbprint: nil)
  private let now = Instant(seconds: 1_800_000_000)

  init() throws { cluster = try PostgresCluster.shared.get() }

  private func record(_ number: Int64, in store: PostgresStore, about account: Int = 1) async throws
  {
    let account = AccountID("account-\(account)")
    try await store.transact(about: [.account(account)]) {
      [caller] (transaction: any Transaction) throws(StoreFault) in
      try transaction.record(
        .codeSent, about: account, by: caller, at: Instant(milliseconds: number))
    }
  }

  private func events(in store: PostgresStore) async throws -> [SecurityEvent] {
    try await store.read { (transaction: any Transaction) throws(StoreFault) in
      try transaction.events(after: 0, limit: 1000)
    }
  }

  @Test("events of decisions on two nodes are linked once, in the order of each account")
  func twoNodes() async throws {
    let schema = cluster.emptySchema()
    let nodes = [
      try PostgresStore(schema, limits: .small), try PostgresStore(schema, limits: .small),
    ]

    try await withThrowingTaskGroup(of: Void.self) { group in
      for account in 0..<10 {
        group.addTask {
          for number: Int64 in 0..<10 {
            try await record(number, in: nodes[Int(number) % 2], about: account)
          }
        }
      }
      for node in nodes {
        group.addTask {
          for _ in 0..<20 { _ = try await linkEvents(in: node, at: now, waits: false) }
        }
      }
      try await group.waitForAll()
    }
    _ = try await linkEvents(in: nodes[0], at: now)

    let all = try await events(in: nodes[1])
    #expect(all.map(\.sequence) == Array(1...100))
    for account in 0..<10 {
      let own = all.filter { $0.account == AccountID("account-\(account)") }
      #expect(own.map(\.at.milliseconds) == Array(0..<10))
    }
    guard case .unbroken(100, _) = try await verifyEvents(in: nodes[0]) else {
      Issue.record("the chain is broken")
      return
    }
    for node in nodes { node.close() }
  }

  @Test("an event that becomes durable late is linked, after events with greater numbers")
  func lateCommit() async throws {
    let schema = cluster.emptySchema()
    let (store, slow) = (
      try PostgresStore(schema, limits: .small), try PostgresStore(schema, limits: .small)
    )
    let (isWritten, mayCommit) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let late = Task {
      try await slow.transact(about: [.account(AccountID("account-2"))]) {
        [caller] (transaction: any Transaction) throws(StoreFault) in
        try transaction.record(
          .codeAccepted, about: AccountID("account-2"), by: caller, at: Instant(milliseconds: 1))
        // This statement sends the one before.
        _ = try transaction.lastEvent()
        isWritten.signal()
        mayCommit.wait()
      }
    }
    wait(isWritten)
    try await record(2, in: store)
    #expect(try await linkEvents(in: store, at: now).linked == 1)

    mayCommit.signal()
    try await late.value

    #expect(try await linkEvents(in: store, at: now).linked == 1)
    #expect(try await events(in: store).map(\.code) == [.codeSent, .codeAccepted])
    for node in [store, slow] { node.close() }
  }

  /// The decision runs on a thread of its store, so this thread may wait for it.
  private func wait(_ semaphore: DispatchSemaphore) { semaphore.wait() }

  @Test("S-08 all nodes get a notification of linked events, also after a connection was lost")
  func notifies() async throws {
    let schema = cluster.emptySchema()
    let nodes = [
      try PostgresStore(schema, limits: .small), try PostgresStore(schema, limits: .small),
    ]
    let heard = DispatchSemaphore(value: 0)
    nodes[1].followEvents { heard.signal() }
    // The first signal says that the connection listens.
    #expect(isSignalled(heard))

    try await record(1, in: nodes[0])
    _ = try await linkEvents(in: nodes[0], at: now)
    #expect(isSignalled(heard))

    let administrator = try PostgresConnection(schema, limits: .small, damage: DamageLog())
    try administrator.execute(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE query LIKE 'LISTEN \(schema.schema)%'
      """)
    #expect(isSignalled(heard))
    try await record(2, in: nodes[0])
    _ = try await linkEvents(in: nodes[0], at: now)
    #expect(isSignalled(heard))
    for node in nodes { node.close() }
  }

  private func isSignalled(_ semaphore: DispatchSemaphore) -> Bool {
    semaphore.wait(timeout: .now() + 5) == .success
  }

  @Test("a batch of events is linked with one statement and three round trips")
  func batchCost() async throws {
    var schema = cluster.emptySchema()
    let trips = RoundTripCount()
    schema.roundTrips = trips
    // Each connection has a round trip of its own.
    var limits = PostgresLimits.small
    limits.deciders = 1
    let store = try PostgresStore(schema, limits: limits)
    #expect(try await linkEvents(in: store, at: now).linked == 0)
    try await store.transact(about: []) {
      [caller, now] (transaction: any Transaction) throws(StoreFault) in
      for _ in 0..<EventLimits.batch {
        try transaction.record(.codeSent, about: nil, by: caller, at: now)
      }
    }
    let before = trips.value

    #expect(try await linkEvents(in: store, at: now).linked == EventLimits.batch)

    // The unlinked events with the lock, the last event of the log, and all changes with the
    // commit; before and after them a read that looks for unlinked events.
    #expect(trips.value - before == 5)
    store.close()
  }

  @Test("T-16 a filter by many codes is one statement")
  func manyCodes() async throws {
    var schema = cluster.emptySchema()
    let trips = RoundTripCount()
    schema.roundTrips = trips
    let store = try PostgresStore(schema, limits: .small)
    for number: Int64 in 1...3 { try await record(number, in: store) }
    _ = try await linkEvents(in: store, at: now)
    var query = EventQuery()
    query.codes = EventKind.signIns.codes
    let (before, asked) = (trips.value, query)

    let found = try await store.read { (transaction: any Transaction) throws(StoreFault) in
      try transaction.events(asked, in: 0..<Int64.max, limit: 2)
    }

    #expect(found.map(\.sequence) == [3, 2])
    #expect(trips.value - before == 1)
    store.close()
  }

  @Test("no decision waits for the linking of events, and a second server does not wait either")
  func doesNotWait() async throws {
    let schema = cluster.emptySchema()
    let store = try PostgresStore(schema, limits: .small)
    let other = try PostgresConnection(schema, limits: .small, damage: DamageLog())
    try other.execute("BEGIN")
    #expect(try other.tryLock(.eventLog))

    try await record(1, in: store)
    #expect(try await linkEvents(in: store, at: now, waits: false).linked == 0)

    try other.execute("COMMIT")
    #expect(try await linkEvents(in: store, at: now, waits: false).linked == 1)
    store.close()
  }
}

import Foundation
import SignInModel
import SignInRules
import SignInService
import SignInTesting
import StoreContract
import Testing

@testable import SQLStore

@Suite("Store in PostgreSQL")
struct PostgresStoreTests {
  private let cluster: PostgresCluster

  init() throws { cluster = try PostgresCluster.shared.get() }

  @Test("the PostgreSQL store satisfies the store contract", arguments: StoreContract.all)
  func satisfiesContract(_ check: StoreContract.Check) async throws {
    let store = try PostgresStore(cluster.emptySchema(), limits: .small)
    try await check.run { store }
    store.close()
  }

  @Test("a counter that decisions on two nodes increase at once is exact")
  func countsExactly() async throws {
    let schema = cluster.emptySchema()
    let nodes = [
      try PostgresStore(schema, limits: .small), try PostgresStore(schema, limits: .small),
    ]
    let account = AccountID("counted")

    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          try await nodes[number % 2].transact(about: [.account(account)]) {
            (transaction: any Transaction) throws(StoreFault) in
            let feed = try transaction.productFeed(of: account)
            try transaction.save(
              ProductFeed(owner: account, position: feed.position + 1, day: nil))
          }
        }
      }
      try await group.waitForAll()
    }

    let feed = try await nodes[0].read { (transaction: any Transaction) throws(StoreFault) in
      try transaction.productFeed(of: account)
    }
    #expect(feed.position == 200)
    for node in nodes { node.close() }
  }

  @Test("L-07 one of several servers accepts a proof, and again only after it has expired")
  func sharesProofs() async throws {
    let schema = cluster.emptySchema()
    let nodes = [
      try PostgresStore(schema, limits: .small), try PostgresStore(schema, limits: .small),
    ]
    let ledgers = nodes.map { $0.sharedLedger(beside: AcceptingLedger()) }
    let now = Instant(seconds: 1_800_000_000)
    func record(_ number: Int, on node: Int, at moment: Instant) async -> ProofVerdict {
      await ledgers[node].record(
        "proof-\(number)", from: nil, until: moment.adding(seconds: 121), now: moment)
    }

    let accepted = await withTaskGroup(of: Int.self) { group in
      for call in 0..<200 {
        group.addTask { await record(call / 4, on: call % 2, at: now) == .recorded ? 1 : 0 }
      }
      return await group.reduce(0, +)
    }

    #expect(accepted == 50)
    // The margin is for servers with other clocks.
    #expect(await record(1, on: 0, at: now.adding(seconds: 180)) == .repeated)
    #expect(await record(1, on: 0, at: now.adding(seconds: 181)) == .recorded)
    for node in nodes { node.close() }
    #expect(await record(2, on: 1, at: now) == .unavailable)
  }

  @Test(
    "proofs that wait together are recorded with one statement, and equal ones once",
    arguments: [-1, 0, 1])
  func proofsTogether(_ more: Int) async throws {
    let (schema, trips) = (cluster.emptySchema(), RoundTripCount())
    let store = try PostgresStore(schema, limits: .small)
    var (counted, limits) = (schema, PostgresLimits.small)
    counted.roundTrips = trips
    let count = limits.proofBatch + more
    limits.queueLimit = count
    let ledger = PostgresProofLedger(
      beside: AcceptingLedger(), PostgresConnector(counted, limits: limits, damage: DamageLog()),
      limits: limits)
    let now = Instant(seconds: 1_800_000_000)

    let verdicts = await withTaskGroup(of: ProofVerdict.self) { group in
      for number in 0...count {
        group.addTask {
          await ledger.record(
            "proof-\(number / 2)", from: nil, until: now.adding(seconds: 121), now: now)
        }
      }
      // No thread takes a proof yet, so this is the only one that found the queue full.
      let refused = await group.next()
      #expect(refused == .unavailable)
      ledger.start(threads: 1)
      return await group.reduce(into: [ProofVerdict]()) { $0.append($1) }
    }
    ledger.close()

    let recorded = verdicts.count { $0 == .recorded }
    #expect(verdicts.count == count && verdicts.allSatisfy { $0 == .recorded || $0 == .repeated })
    #expect((count / 2...count / 2 + 1).contains(recorded))
    // Two round trips connect, and one removes expired proofs.
    #expect(trips.value == (more > 0 ? 2 : 1) + 3)
    store.close()
  }

  private struct AcceptingLedger: ProofLedger {
    func record(
      _ identifier: String, from source: ProofSource?, until expiry: Instant, now: Instant
    ) -> ProofVerdict { .recorded }
  }

  @Test("two decisions that take two locks in opposite orders both succeed")
  func repeatsAfterDeadlock() async throws {
    let store = try PostgresStore(cluster.emptySchema(), limits: .small)
    let keys = [ThrottleKey(.origin, digest: [1]), ThrottleKey(.origin, digest: [2])]
    let moment = Instant(milliseconds: 1)

    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        let order = number % 2 == 0 ? keys : keys.reversed()
        group.addTask {
          try await store.transact(about: []) {
            (transaction: any Transaction) throws(StoreFault) in
            for key in order {
              let tallies = try transaction.throttle(key).tallies
              try transaction.save(
                Throttle(tallies: tallies + [.init(at: moment, count: 1)]), for: key,
                quietFrom: moment)
              usleep(20_000)
            }
          }
        }
      }
      try await group.waitForAll()
    }

    for key in keys {
      let throttle = try await store.read { (transaction: any Transaction) throws(StoreFault) in
        try transaction.throttle(key)
      }
      #expect(throttle.tallies.count == 4)
    }
    store.close()
  }

  @Test("a store works again after the server has ended all its connections")
  func reconnects() async throws {
    let schema = cluster.emptySchema()
    let store = try PostgresStore(schema, limits: .small)
    try await save("before", in: store)
    let administrator = try PostgresConnection(
      schema, limits: PostgresLimits(), damage: DamageLog())

    try administrator.execute(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'
      """)
    try await save("after", in: store)

    let jobs = try await store.read { (transaction: any Transaction) throws(StoreFault) in
      try transaction.jobs(of: AccountID("account"))
    }
    #expect(jobs.map(\.id).sorted() == ["after", "before"])
    store.close()
  }

  @Test("a decision that waits too long for a lock is unavailable, and the next one succeeds")
  func endsLongWaits() async throws {
    let schema = cluster.emptySchema()
    var limits = PostgresLimits.small
    limits.lockMilliseconds = 50
    let store = try PostgresStore(schema, limits: limits)
    let other = try PostgresConnection(schema, limits: PostgresLimits(), damage: DamageLog())
    other.begin(for: .writing)
    #expect(try other.lock([.account(AccountID("account"))]))
    // The lock is taken with the next statement.
    try other.execute("SELECT 1")

    let fault = await #expect(throws: StoreFault.self) { try await save("blocked", in: store) }
    other.rollBack()
    try await save("free", in: store)

    guard case .unavailable = fault else {
      throw PostgresCluster.StartFault(reason: String(describing: fault))
    }
    store.close()
  }

  private func save(_ id: String, in store: PostgresStore) async throws {
    try await store.transact(about: [.account(AccountID("account"))]) {
      (transaction: any Transaction) throws(StoreFault) in
      try transaction.save(
        Job(
          id: id, account: AccountID("account"), title: "Title", customer: "Customer",
          place: "Place", startsAt: Instant(milliseconds: 0), endsAt: Instant(milliseconds: 1),
          status: .scheduled, version: 1))
    }
  }
}

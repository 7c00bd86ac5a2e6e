import SignInModel
import SignInRules
import SignInService
import SignInTesting
import StoreContract
import Testing

@testable import SQLStore

@Suite("Counts that many decisions share, in PostgreSQL")
struct SharedCountTests {
  private let cluster: PostgresCluster
  private let now = Instant(seconds: 1_800_000_000)
  private let day = CalendarDay(number: 20_000)

  init() throws { cluster = try PostgresCluster.shared.get() }

  @Test("L-16 decisions on two nodes exceed a budget by at most one for each other share")
  func budget() async throws {
    let schema = cluster.emptySchema()
    let nodes = [
      try PostgresStore(schema, limits: .small), try PostgresStore(schema, limits: .small),
    ]
    let (key, limit) = (ThrottleKey(digest: [1]), Throttle.Limit.daily(20))

    let admitted = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<100 {
        group.addTask {
          try await nodes[number % 2].transact(about: []) {
            [now] (transaction: any Transaction) throws(StoreFault) in
            var count = try transaction.budget(key)
            guard count.sum.refusal(at: now, under: [limit]) == nil else { return 0 }
            count.own.count(at: now, under: [limit])
            try transaction.save(
              count.own, for: count.key, quietFrom: count.own.quietFrom(now, under: [limit]))
            return 1
          }
        }
      }
      return try await group.reduce(0, +)
    }

    #expect((20...(20 + BudgetCount.sharesAtMost - 1)).contains(admitted))
    let sum = try await nodes[0].transact(about: []) {
      (transaction: any Transaction) throws(StoreFault) in try transaction.budget(key).sum
    }
    #expect(sum.tallies.map(\.count).reduce(0, +) == Int64(admitted))
    for node in nodes { node.close() }
  }

  @Test("L-16 a decision with another share does not wait, and one with the same share does")
  func shares() async throws {
    let schema = cluster.emptySchema()
    _ = try PostgresStore(schema, limits: .small)
    var limits = PostgresLimits.small
    limits.lockMilliseconds = 50
    let keys = [ThrottleKey(digest: [1])]
    func transaction(_ share: Int) throws -> SQLTransaction {
      let connection = try PostgresConnection(schema, limits: limits, damage: DamageLog())
      connection.begin(for: .writing)
      return SQLTransaction(.postgres(connection), for: .writing, budgetShare: share)
    }
    let first = try transaction(3)
    try first.prepareThrottles([], budgets: keys)

    for share in 0..<BudgetCount.sharesAtMost where share != 3 {
      try transaction(share).prepareThrottles([], budgets: keys)
    }
    #expect(throws: StoreFault.self) {
      try transaction(3).prepareThrottles([], budgets: keys)
    }
    first.connection.rollBack()
  }

  @Test("counts that are not added up are read, and the removal of old ones adds them up")
  func addsUp() async throws {
    let schema = cluster.emptySchema()
    let store = try PostgresStore(schema, limits: .small)
    var cost = MessageCost(
      .init(day: day, messenger: "sms", country: "+47", organization: OrganizationID("north")))
    (cost.messages, cost.price) = (2, 30)
    let change = cost

    for round: Int64 in 1...2 {
      for _ in 0..<3 {
        try await store.transact(about: []) {
          [day] (transaction: any Transaction) throws(StoreFault) in
          try transaction.count(.codesSent, times: 2, on: day, of: nil)
          try transaction.add(change)
        }
      }
      for isAddedUp in [false, true] {
        if isAddedUp { try await removeOld(in: store) }
        let (counts, costs) = try await store.read {
          [day] (transaction: any Transaction) throws(StoreFault) in
          (
            try transaction.dailyCounts(from: day, through: day, of: nil),
            try transaction.messageCosts(from: day, through: day)
          )
        }
        #expect(counts == [DailyCount(day: day, kind: .codesSent, count: 6 * round)])
        #expect(costs.map(\.messages) == [6 * round] && costs.map(\.price) == [90 * round])
      }
      #expect(try rows("unsummed_counts", schema) == 0)
      #expect(try rows("unsummed_costs", schema) == 0)
      #expect(try rows("daily_counts", schema) == 1)
      #expect(try rows("message_costs", schema) == 1)
    }
    store.close()
  }

  private func removeOld(in store: PostgresStore) async throws {
    try await store.transact(about: [.expiredRecords]) {
      [day] (transaction: any Transaction) throws(StoreFault) in
      _ = try transaction.removeDailyCounts(before: day, limit: 10)
      _ = try transaction.removeMessageCosts(before: day, limit: 10)
    }
  }

  private func rows(_ table: String, _ schema: PostgresServer) throws -> Int64 {
    let connection = try PostgresConnection(schema, limits: .small, damage: DamageLog())
    try connection.execute("CREATE TEMPORARY VIEW counted AS SELECT * FROM \(table)")
    return try connection.first("SELECT count(*) FROM counted") { row in row.number() } ?? 0
  }

  @Test("decisions that count on one day for one organization do not wait for each other")
  func doesNotWait() async throws {
    let schema = cluster.emptySchema()
    let store = try PostgresStore(schema, limits: .small)
    let other = try PostgresConnection(schema, limits: .small, damage: DamageLog())
    other.begin(for: .writing)
    let open = SQLTransaction(.postgres(other), for: .writing)
    let cost = MessageCost(.init(day: day, messenger: "sms", country: "+47", organization: nil))
    try open.count(.codesSent, times: 1, on: day, of: nil)
    try open.add(cost)
    try other.execute("SELECT 1")

    try await store.transact(about: []) {
      [day] (transaction: any Transaction) throws(StoreFault) in
      try transaction.count(.codesSent, times: 1, on: day, of: nil)
      try transaction.add(cost)
    }
    other.rollBack()
    store.close()
  }

  @Test("refusals of different sources do not wait for each other")
  func refusals() throws {
    let schema = cluster.emptySchema()
    let store = try PostgresStore(schema, limits: .small)
    var limits = PostgresLimits.small
    limits.lockMilliseconds = 50
    func source(_ subject: String) -> RefusalSource {
      RefusalSource(
        code: .refusedTooOften, subject: subject, client: nil, network: nil, detail: nil)
    }
    func transaction() throws -> SQLTransaction {
      let connection = try PostgresConnection(schema, limits: limits, damage: DamageLog())
      connection.begin(for: .writing)
      return SQLTransaction(.postgres(connection), for: .writing)
    }
    let first = try transaction()
    _ = try first.refusalTally(source("one"))

    _ = try transaction().refusalTally(source("two"))
    #expect(throws: StoreFault.self) { try transaction().refusalTally(source("one")) }
    first.connection.rollBack()
    store.close()
  }
}

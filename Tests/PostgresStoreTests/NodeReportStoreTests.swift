import Cryptography
import SignInModel
import SignInService
import SignInTesting
import SystemPorts
import Testing

@testable import SQLStore

@Suite("Reports of servers in PostgreSQL")
struct NodeReportStoreTests {
  private let cluster: PostgresCluster
  private let validMilliseconds = NodeReport.validSeconds * 1000

  init() throws { cluster = try PostgresCluster.shared.get() }

  private static func keys(_ master: UInt8) -> StoreKeys {
    Keyring.storeKeys(master: [UInt8](repeating: master, count: 32))
  }

  private func store(_ schema: PostgresServer, master: UInt8 = 7) throws -> PostgresStore {
    try PostgresStore(schema, limits: .small, keys: Self.keys(master))
  }

  private func databaseTime(_ store: PostgresStore) async throws -> Instant {
    let time = try await store.read { (transaction) throws(StoreFault) in
      try transaction.databaseTime()
    }
    return try #require(time)
  }

  /// Changes when a server has reported itself.
  private func move(_ node: String, by milliseconds: Int64, in store: PostgresStore) async throws {
    _ = try await store.transact(about: []) { (transaction) throws(StoreFault) in
      try PostgresStore.records(transaction).write(
        "UPDATE node_reports SET at = at + ? WHERE node = ?"
      ) {
        $0.bind(milliseconds)
        $0.bind(node)
      }
    }
  }

  @Test("a report has the time of the database, not that of a server")
  func time() async throws {
    let store = try store(cluster.emptySchema())
    let before = try await databaseTime(store)

    let answer = try await store.exchange(node: "one", digests: ["issuer": "a", "prices": "b"])

    let after = try await databaseTime(store)
    let reports = try await store.nodeReports()
    #expect(answer == .reports(reports) && reports.count == 1)
    #expect(reports[0].at >= before && reports[0].at <= after)
    #expect(reports[0].digests == ["issuer": "a", "prices": "b"])
    store.close()
  }

  @Test("the next report of any server removes those that are not valid any more")
  func removes() async throws {
    let store = try store(cluster.emptySchema())
    for node in ["early", "late"] { _ = try await store.exchange(node: node, digests: [:]) }
    try await move("early", by: -validMilliseconds, in: store)
    // A minute is more than this test takes.
    try await move("late", by: -validMilliseconds + 60_000, in: store)

    _ = try await store.exchange(node: "other", digests: [:])

    #expect(try await store.nodeReports().map(\.node) == ["late", "other"])
    try await store.removeReport(of: "other")
    #expect(try await store.nodeReports().map(\.node) == ["late"])
    store.close()
  }

  @Test("L-45 the first report of a server finds that its key was replaced before")
  func replacedBefore() async throws {
    let schema = cluster.emptySchema()
    let (old, new) = (try store(schema), try store(schema, master: 8))
    let own = SigningKeys.Key(SigningKey.generate())
    _ = try await SharedSigningKeys(in: old, keys: Self.keys(7)).loadOrStore([own])

    let result = try await SharedSigningKeys(in: new, keys: Self.keys(8))
      .replaceLost(clock: MachineClock())

    #expect(result == .replaced)
    #expect(try await old.exchange(node: "old", digests: [:]) == .otherKey)
    #expect(try await old.nodeReports().isEmpty)
    guard case .reports = try await new.exchange(node: "new", digests: [:]) else {
      Issue.record("a server with the new key is refused")
      return
    }
    old.close()
    new.close()
  }

  @Test("L-45 of a first report and two new keys at the same time exactly one succeeds")
  func race() async throws {
    for _ in 0..<10 {
      let schema = cluster.emptySchema()
      let stores = try [7, 8, 9].map { try store(schema, master: $0) }
      let own = SigningKeys.Key(SigningKey.generate())
      _ = try await SharedSigningKeys(in: stores[0], keys: Self.keys(7)).loadOrStore([own])

      let successes = try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask { try await stores[0].exchange(node: "old", digests: [:]) != .otherKey }
        for number in 1...2 {
          group.addTask {
            let keys = Self.keys(UInt8(7 + number))
            return try await SharedSigningKeys(in: stores[number], keys: keys)
              .replaceLost(clock: MachineClock()) == .replaced
          }
        }
        return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }

      #expect(successes == 1)
      for store in stores { store.close() }
    }
  }
}

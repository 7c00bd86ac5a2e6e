import SignInModel
import SignInRules
import SignInService
import SignInTesting
import Testing

@testable import SQLStore

@Suite("The stored rows of throttles")
struct ThrottleKeyTests {
  private let folder = TemporaryFolder()

  @Test("L-09 a count is stored under the base64url text of its digest")
  func text() async throws {
    let store = try SQLiteStore(directory: folder.path)
    let key = ThrottleKey(.origin, digest: [0xFB, 0xEF, 0xFF, 0x00])
    var throttle = Throttle.quiet
    throttle.count(at: Instant(seconds: 1), under: [.hourly(5)])
    let counted = throttle

    try await store.transact { (transaction) throws(StoreFault) in
      try transaction.save(counted, for: key, quietFrom: Instant(seconds: 2))
    }

    let raw = try RawDatabase(folder.database)
    #expect(try raw.number("SELECT count(*) FROM throttles WHERE key = '--__AA'") == 1)
  }

  @Test("L-16 counts that end as they began change no row, and others change one row each")
  func changedRows() async throws {
    let store = try SQLiteStore(directory: folder.path)
    let keys = (1...3).map { ThrottleKey(.origin, digest: [$0]) }
    let counts = (1...3).map {
      Throttle(tallies: [Throttle.Tally(at: Instant(seconds: 1), count: $0)])
    }
    func changes(_ saved: [(key: Int, count: Int?)]) async throws -> Int {
      let before = try await total(in: store)
      try await store.transact { transaction throws(StoreFault) in
        for (key, count) in saved {
          try transaction.save(
            count.map { counts[$0] } ?? .quiet, for: keys[key], quietFrom: Instant(seconds: 2))
        }
      }
      return Int(try await total(in: store) - before)
    }

    #expect(try await changes([(0, 1), (0, nil), (1, nil)]) == 0)
    #expect(try await changes([(0, 1), (0, 2), (1, 0), (2, nil)]) == 2)
    #expect(try await changes([(0, 0), (0, 2), (1, nil), (1, 0)]) == 0)
    #expect(try await changes([(0, nil), (1, 2)]) == 2)
    store.close()
  }

  /// The number of rows that the writer has changed since the store was opened.
  private func total(in store: SQLiteStore) async throws -> Int64 {
    try await store.transact { transaction throws(StoreFault) in
      guard let transaction = transaction as? SQLTransaction else { return 0 }
      return try transaction.connection.first("SELECT total_changes()") { $0.number() } ?? 0
    }
  }
}

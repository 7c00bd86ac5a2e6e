import SignInModel
import SignInService
import SignInTesting
import Testing

@testable import SQLStore

@Suite("Readiness of the store")
struct ReadinessTests {
  private let folder = TemporaryFolder()
  private let now = Instant(seconds: 1_893_456_000)

  private func check(_ store: SQLiteStore) async throws(StoreFault) {
    let now = now
    try await store.transact { transaction throws(StoreFault) in
      try transaction.saveReadiness(at: now)
    }
  }

  @Test("L-46 checks store one record in total, and the database does not grow")
  func constantSize() async throws {
    let store = try SQLiteStore(directory: folder.path)
    for _ in 0..<3 { try await check(store) }
    let pages = try RawDatabase(folder.database).number("PRAGMA page_count")

    for _ in 0..<50 { try await check(store) }

    let raw = try RawDatabase(folder.database)
    #expect(try raw.number("PRAGMA page_count") == pages)
    #expect(try raw.number("SELECT count(*) FROM readiness") == 1)
    #expect(
      try raw.number("SELECT length(filling) FROM readiness") == ReadinessLimits.recordBytes)
    store.close()
  }

  @Test("L-46 a database that cannot record a decision is not ready until it can again")
  func full() async throws {
    let store = try SQLiteStore(directory: folder.path)
    try await check(store)
    // Fills the pages that the check left free, so that the next decision needs a new page.
    try await fill(store)

    await #expect(throws: StoreFault.unavailable("the disk is full: make room for the database")) {
      try await check(store)
    }

    try store.writer.connection.execute("PRAGMA max_page_count = 1000000")
    try await check(store)
    store.close()
  }

  /// Adds records until the database has its maximum number of pages.
  ///
  /// The writer waits between decisions, so the test may use its connection.
  private func fill(_ store: SQLiteStore) async throws {
    let pages = try RawDatabase(folder.database).number("PRAGMA page_count")
    try store.writer.connection.execute("PRAGMA max_page_count = \(pages)")
    for number in 0..<10_000 {
      do throws(StoreFault) {
        try await store.transact { transaction throws(StoreFault) in
          try transaction.save(numbered(number, place: String(repeating: "p", count: 1000)))
        }
      } catch {
        return
      }
    }
    Issue.record("the database was never full")
  }
}

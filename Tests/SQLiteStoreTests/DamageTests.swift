import Foundation
import SignInModel
import SignInService
import SignInTesting
import Synchronization
import Testing

@testable import SQLStore

@Suite("A damaged database")
struct DamageTests {
  private static let pageBytes = 4096
  private let folder = TemporaryFolder()

  private final class Told: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }
    func append(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private func account(_ number: Int) throws -> Account {
    Account(
      id: AccountID("account-\(number)"),
      email: try EmailAddress(parsing: "person\(number)@example.com"),
      phone: try PhoneNumber(parsing: "+4930000\(1000 + number)"), name: "Person \(number).",
      role: .technician, status: .active, passwordHash: nil, organizations: [],
      createdAt: Instant(seconds: Int64(number))
    )
  }

  /// Writes many accounts into the database file itself.
  private func fill() async throws {
    let store = try SQLiteStore(directory: folder.path)
    let accounts = try (1...500).map { try account($0) }
    try await store.transact { (transaction) throws(StoreFault) in
      for account in accounts { try transaction.insert(account) }
    }
    store.close()
  }

  /// Overwrites the beginning of the leaf page with this text.
  ///
  /// Other pages stay readable.
  private func damagePage(holding text: String) throws {
    let file = URL(filePath: folder.database)
    var bytes = try Data(contentsOf: file)
    let found = try #require(bytes.range(of: Data(text.utf8)))
    let start = found.lowerBound / Self.pageBytes * Self.pageBytes
    for index in start..<start + 12 { bytes[index] = 0xFF }
    let handle = try FileHandle(forWritingTo: file)
    try handle.write(contentsOf: bytes)
    try handle.close()
  }

  private func name(_ number: Int, in store: SQLiteStore) async throws -> String? {
    try await store.read { (transaction) throws(StoreFault) in
      try transaction.account(AccountID("account-\(number)"))?.name
    }
  }

  @Test("an undamaged database has no problems, at start or later")
  func sound() async throws {
    try await fill()
    let store = try SQLiteStore(directory: folder.path)
    let told = Told()

    store.watchForDamage { told.append($0) }
    for _ in 0..<60 { store.check.checkNextTable() }

    #expect(told.all == [] && !store.isDamaged)
    store.close()
  }

  @Test("a damaged page is found at start, reported once, and the other pages stay readable")
  func atStart() async throws {
    try await fill()
    try damagePage(holding: "Person 260.")
    let store = try SQLiteStore(directory: folder.path)
    let told = Told()
    #expect(!store.isDamaged)

    store.watchForDamage { told.append($0) }
    let known = told.all.count
    store.check.checkEverything()

    #expect(store.isDamaged && known > 0)
    #expect(store.damageCount == known && told.all.count == known)
    #expect(try await name(1, in: store) == "Person 1.")
    #expect(try await name(500, in: store) == "Person 500.")
    await #expect(throws: StoreFault.self) { try await name(260, in: store) }
    // Decisions about other accounts still succeed.
    let other = try account(501)
    try await store.transact { (transaction) throws(StoreFault) in try transaction.insert(other) }
    #expect(try await name(501, in: store) == "Person 501.")
    store.close()
  }

  @Test("a page that is damaged while the store is open is found by the regular checks")
  func whileOpen() async throws {
    try await fill()
    let store = try SQLiteStore(directory: folder.path)
    let told = Told()
    store.watchForDamage { told.append($0) }
    #expect(!store.isDamaged)

    try damagePage(holding: "Person 260.")
    for _ in 0..<60 where !store.isDamaged { store.check.checkNextTable() }

    #expect(store.isDamaged && told.all.count == store.damageCount)
    store.close()
  }

  @Test("the checks run regularly")
  func byThemselves() async throws {
    try await fill()
    var limits = SQLiteLimits()
    limits.checkRestMilliseconds = 1
    // The database is too large for a check at start.
    limits.startCheckBytes = 0
    try damagePage(holding: "Person 260.")
    let store = try SQLiteStore(directory: folder.path, readers: 1, limits: limits)

    store.watchForDamage { _ in }
    let patience = ContinuousClock.now + .seconds(20)
    while !store.isDamaged, ContinuousClock.now < patience { await Task.yield() }

    #expect(store.isDamaged)
    store.close()
  }

  /// Inserts a row that is missing from one index of its table, as after a lost write.
  private func loseIndexEntry() throws {
    let index = "name = 'product_removals_by_time'"
    let database = try RawDatabase(folder.database)
    try database.run(
      """
      PRAGMA writable_schema = ON;
      CREATE TEMP TABLE hidden AS SELECT * FROM sqlite_schema WHERE \(index);
      DELETE FROM sqlite_schema WHERE \(index);
      """)
    try RawDatabase(folder.database).run(
      "INSERT INTO product_removals VALUES ('owner', 'product', 1, 1)")
    try database.run("INSERT INTO main.sqlite_schema SELECT * FROM hidden")
  }

  @Test("an index that lacks a row is found by the regular checks")
  func index() async throws {
    try await fill()
    try loseIndexEntry()
    let store = try SQLiteStore(directory: folder.path)

    for _ in 0..<60 where !store.isDamaged { store.check.checkNextTable() }

    #expect(store.isDamaged)
    store.close()
  }

  @Test("a damaged page found while reading counts, even without a check")
  func met() async throws {
    try await fill()
    try damagePage(holding: "Person 260.")
    let store = try SQLiteStore(directory: folder.path)

    await #expect(throws: StoreFault.self) { try await name(260, in: store) }

    #expect(store.damageCount == 1)
    store.close()
  }

  @Test("an unreadable record refuses only its own account, even beside others in one commit")
  func unreadable() async throws {
    try await fill()
    try RawDatabase(folder.database).run(
      "UPDATE accounts SET role = 'zebra' WHERE id = 'account-250'"
    )
    let store = try SQLiteStore(directory: folder.path)

    let outcomes = await withTaskGroup(of: (Int, Bool).self) { group in
      for number in 245...255 {
        group.addTask {
          do throws(StoreFault) {
            let found = try await store.transact { (transaction) throws(StoreFault) in
              try transaction.account(AccountID("account-\(number)"))
            }
            return (number, found != nil)
          } catch {
            return (number, false)
          }
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    let query = AccountQuery()
    let listed = try await store.read { (transaction) throws(StoreFault) in
      try transaction.accounts(query, after: nil, limit: 1000)
    }

    #expect(outcomes.filter { !$0.value }.map(\.key) == [250])
    #expect(listed.count == 499)
    #expect(store.unreadableRecords >= 2 && !store.isDamaged)
    store.close()
  }

  @Test("an unreadable message does not delay other messages")
  func unreadableMessage() async throws {
    let store = try SQLiteStore(directory: folder.path)
    let phone = try PhoneNumber(parsing: "+4930000001")
    try await store.transact { (transaction) throws(StoreFault) in
      for number in 1...3 {
        let at = Instant(seconds: Int64(number))
        try transaction.insert(
          OutboxMessage(
            id: "m\(number)", to: .phone(phone), sealedText: [1], createdAt: at,
            expiresAt: at.adding(seconds: 300), leasedUntil: at, tries: 0, state: .waiting
          )
        )
      }
    }
    try RawDatabase(folder.database).run("UPDATE outbox SET recipient = 'x' WHERE id = 'm2'")

    let waiting = try await store.read { (transaction) throws(StoreFault) in
      try transaction.waitingMessages(at: Instant(seconds: 9), limit: 10)
    }

    #expect(waiting.map(\.id) == ["m1", "m3"])
    store.close()
  }

  @Test("an unreadable request for an erasure does not delay other ones")
  func unreadableErasure() async throws {
    let store = try SQLiteStore(directory: folder.path)
    let now = Instant(seconds: 9)
    try await store.transact { (transaction) throws(StoreFault) in
      for number in 1...3 {
        try transaction.insert(
          RevocableChange(
            id: "e\(number)", account: AccountID("account-\(number)"), kind: .erasure, before: nil,
            digest: [UInt8(number)], madeAt: now, endsAt: now))
      }
    }
    try RawDatabase(folder.database).run(
      "UPDATE revocable_changes SET value = 'x' WHERE id = 'e2'")

    let due = try await store.read { (transaction) throws(StoreFault) in
      try transaction.dueErasures(at: now, limit: 10)
    }

    #expect(due.map(\.id) == ["e1", "e3"])
    store.close()
  }

  @Test("the log shrinks again after a long read ends")
  func shrinks() async throws {
    var limits = SQLiteLimits()
    limits.checkpointPages = 50
    limits.logBytes = 256 << 10
    let store = try SQLiteStore(directory: folder.path, readers: 1, limits: limits)
    func write(_ numbers: ClosedRange<Int>) async throws {
      for number in numbers {
        try await store.transact { (transaction) throws(StoreFault) in
          try transaction.save(numbered(number, place: String(repeating: "x", count: 3000)))
        }
      }
    }
    func logBytes() throws -> Int {
      let path = folder.database + "-wal"
      return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? -1
    }
    try await write(1...1)
    let reader = try RawDatabase(folder.database)
    try reader.run("BEGIN")
    _ = try reader.number("SELECT count(*) FROM jobs")

    try await write(2...200)
    let grown = try logBytes()
    try reader.run("COMMIT")
    try await write(201...204)

    #expect(grown > 4 * limits.logBytes)
    #expect(try logBytes() <= limits.logBytes)
    store.close()
  }
}

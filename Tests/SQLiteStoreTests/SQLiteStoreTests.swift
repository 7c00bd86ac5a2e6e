import CSQLite
import Foundation
import SignInModel
import SignInRules
import SignInService
import SignInTesting
import StoreContract
import Testing

@testable import SQLStore

@Suite("Store in SQLite")
struct SQLiteStoreTests {
  private let folder = TemporaryFolder()

  @Test("the SQLite store satisfies the store contract", arguments: StoreContract.all)
  func satisfiesContract(_ check: StoreContract.Check) async throws {
    let store = try SQLiteStore(directory: folder.path)

    try await check.run { store }

    #expect(try store.integrityProblems() == [])
    store.close()
  }

  @Test("a new database is private to its user, including the log")
  func isPrivate() async throws {
    let store = try SQLiteStore(directory: folder.path)
    try await store.transact { transaction throws(StoreFault) in
      try transaction.save(numbered(1))
    }

    #expect(try folder.permissions(of: "") == 0o700)
    for suffix in ["", "-wal", "-shm"] {
      #expect(try folder.permissions(of: "/fieldpass.db" + suffix) == 0o600)
    }
    store.close()
  }

  @Test("SQLite does not count its memory, which needs one lock of all connections")
  func countsNoMemory() throws {
    let store = try SQLiteStore(directory: folder.path)

    #expect(sqlite3_memory_used() == 0)
    store.close()
  }

  @Test("a database that others may read becomes private")
  func repairsPermissions() throws {
    try SQLiteStore(directory: folder.path).close()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: folder.database)

    try SQLiteStore(directory: folder.path).close()

    #expect(try folder.permissions(of: "/fieldpass.db") == 0o600)
  }

  @Test("all data is there after a restart")
  func outlivesRestart() async throws {
    let first = try SQLiteStore(directory: folder.path)
    try await first.transact { transaction throws(StoreFault) in
      for number in 1...100 { try transaction.save(numbered(number)) }
    }
    first.close()

    let second = try SQLiteStore(directory: folder.path)
    let jobs = try await second.read { transaction throws(StoreFault) in
      try transaction.jobs(of: AccountID("account"))
    }

    #expect(jobs == (1...100).map { numbered($0) })
    second.close()
  }

  @Test("a closed store is unavailable, and closing twice does no harm")
  func closes() async throws {
    let store = try SQLiteStore(directory: folder.path)
    store.close()
    store.close()

    await #expect(throws: StoreFault.unavailable("the store is closed")) {
      try await store.transact { _ in 1 }
    }
    await #expect(throws: StoreFault.unavailable("the store is closed")) {
      try await store.read { _ in 1 }
    }
  }

  @Test("two stores on one file see each other's decisions")
  func sharesFile() async throws {
    let server = try SQLiteStore(directory: folder.path)
    let command = try SQLiteStore(directory: folder.path)

    try await command.transact { transaction throws(StoreFault) in
      try transaction.save(numbered(1))
    }
    try await server.transact { transaction throws(StoreFault) in
      try transaction.save(numbered(2))
    }

    for store in [server, command] {
      let jobs = try await store.read { transaction throws(StoreFault) in
        try transaction.jobs(of: AccountID("account"))
      }
      #expect(jobs == [numbered(1), numbered(2)])
    }
    command.close()
    server.close()
  }
}

@Suite("SQLite schema")
struct SchemaTests {
  private let folder = TemporaryFolder()

  @Test("an empty file becomes a database of this version")
  func beginsWithNothing() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false)
    #expect(FileManager.default.createFile(atPath: folder.database, contents: Data()))

    try SQLiteStore(directory: folder.path).close()

    let version = try RawDatabase(folder.database).number("PRAGMA user_version")
    #expect(version == Schema.version)
  }

  @Test("a database of this version opens unchanged")
  func opensAgain() throws {
    try SQLiteStore(directory: folder.path).close()
    let before = try RawDatabase(folder.database).number("PRAGMA schema_version")

    try SQLiteStore(directory: folder.path).close()

    #expect(try RawDatabase(folder.database).number("PRAGMA schema_version") == before)
  }

  @Test("a database of a newer program is refused and not changed; the fault says what to do")
  func refusesNewer() throws {
    try SQLiteStore(directory: folder.path).close()
    try RawDatabase(folder.database).run("PRAGMA user_version = \(Schema.version + 1)")

    let fault = #expect(throws: StoreFault.self) { try SQLiteStore(directory: folder.path) }

    guard case .unusable(let text) = fault else {
      Issue.record("expected .unusable, found \(String(describing: fault))")
      return
    }
    #expect(text.contains("schema \(Schema.version + 1)"))
    #expect(text.contains("install the program that wrote it"))
    let version = try RawDatabase(folder.database).number("PRAGMA user_version")
    #expect(version == Schema.version + 1)
  }

  private func connection() throws(StoreFault) -> SQLiteConnection {
    try SQLiteConnection(
      path: folder.database, for: .writing, limits: SQLiteLimits(), damage: DamageLog())
  }

  @Test("several processes that open a database at once apply a new step once")
  func appliesStepOnce() async throws {
    try SQLiteStore(directory: folder.path).close()
    let steps = Schema.steps + [SchemaStep(sqlite: ["CREATE TABLE added (id INTEGER)"])]

    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try SQLiteSchema.apply(steps, to: connection(), path: folder.database)
        }
      }
      try await group.waitForAll()
    }

    let raw = try RawDatabase(folder.database)
    #expect(try raw.number("PRAGMA user_version") == Schema.version + 1)
    #expect(try raw.number("SELECT count(*) FROM added") == 0)
  }

  @Test("a step that fails changes nothing, not even with the steps before it")
  func appliesStepsTogether() throws {
    try SQLiteStore(directory: folder.path).close()
    let steps =
      Schema.steps + [
        SchemaStep(sqlite: ["CREATE TABLE added (id INTEGER)"]),
        SchemaStep(sqlite: ["CREATE TABLE further (id INTEGER)", "DROP TABLE missing"]),
      ]

    #expect(throws: StoreFault.self) {
      try SQLiteSchema.apply(steps, to: connection(), path: folder.database)
    }

    let raw = try RawDatabase(folder.database)
    #expect(try raw.number("PRAGMA user_version") == Schema.version)
    #expect(
      try raw.number(
        "SELECT count(*) FROM sqlite_schema WHERE name IN ('added', 'further')") == 0)
    try SQLiteStore(directory: folder.path).close()
  }

  @Test("L-36 a database of a version below zero is refused", arguments: [-1, -2_147_483_648])
  func refusesNegativeVersion(version: Int64) throws {
    try SQLiteStore(directory: folder.path).close()
    try RawDatabase(folder.database).run("PRAGMA user_version = \(version)")

    let fault = #expect(throws: StoreFault.self) { try SQLiteStore(directory: folder.path) }

    guard case .unusable = fault else {
      Issue.record("expected .unusable, found \(String(describing: fault))")
      return
    }
  }

  @Test("L-36 any number that another program wrote is read as a number safe for arithmetic")
  func extremeNumbers() async throws {
    let store = try SQLiteStore(directory: folder.path)
    try await store.transact { transaction throws(StoreFault) in
      try transaction.save(numbered(1))
      var lockout = Lockout.open
      lockout.countWrong(at: Instant(seconds: 1), under: Policy().lockout)
      try transaction.save(lockout, for: LockoutKey(AccountID("key")))
    }
    for number in [Int64.min, -1, 0, 1, Int64(Int32.max) + 1, Int64.max] {
      let raw = try RawDatabase(folder.database)
      try raw.run("UPDATE jobs SET starts_at = \(number), ends_at = \(number)")
      try raw.run(
        """
        UPDATE lockouts SET failures = \(number), failures_in_row = \(number),
          reserved = \(number), reserved_at = \(number), locks = \(number),
          locked_until = \(number)
        """)

      try await store.transact { transaction throws(StoreFault) in
        let jobs = try transaction.jobs(of: AccountID("account"))
        #expect(jobs.allSatisfy { $0.startsAt.adding(seconds: 1) <= Instant.latest })
        var lockout = try transaction.lockout(LockoutKey(AccountID("key")))
        let now = Instant(seconds: 1_800_000_000)
        _ = lockout.reserve(at: now, under: Policy().lockout)
        _ = lockout.settleWrong(at: now, under: Policy().lockout)
        _ = lockout.attemptsLeft(under: Policy().lockout)
      }
    }
    store.close()
  }

  @Test("a file that is not a database is refused")
  func refusesForeignFile() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false)
    let text = Data(String(repeating: "not a database ", count: 100).utf8)
    #expect(FileManager.default.createFile(atPath: folder.database, contents: text))

    let fault = #expect(throws: StoreFault.self) { try SQLiteStore(directory: folder.path) }

    guard case .unusable = fault else {
      Issue.record("expected .unusable, found \(String(describing: fault))")
      return
    }
  }

  @Test("a folder that cannot be created is refused")
  func refusesMissingParent() {
    let fault = #expect(throws: StoreFault.self) {
      try SQLiteStore(directory: folder.path + "/missing/folder")
    }

    guard case .unusable(let text) = fault else {
      Issue.record("expected .unusable, found \(String(describing: fault))")
      return
    }
    #expect(text.contains("name a folder this user may write"))
  }

  @Test("an unknown word in a column is a fault, never a crash")
  func refusesUnknownWords() async throws {
    let store = try SQLiteStore(directory: folder.path)
    try await store.transact { transaction throws(StoreFault) in
      try transaction.save(numbered(1))
    }
    try RawDatabase(folder.database).run("UPDATE jobs SET status = 'vanished'")

    await #expect(
      throws: StoreFault.unusable(
        "column `status` has content that this program cannot read: restore a backup")
    ) {
      try await store.read { transaction throws(StoreFault) in
        try transaction.jobs(of: AccountID("account"))
      }
    }
    store.close()
  }
}

func numbered(_ number: Int, place: String = "") -> Job {
  Job(
    id: "job-\(number)", account: AccountID("account"), title: "Job \(number)", customer: "",
    place: place, startsAt: Instant(seconds: Int64(number)), endsAt: Instant(seconds: 0),
    status: .scheduled
  )
}

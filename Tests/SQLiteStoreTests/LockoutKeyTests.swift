import Foundation
import SignInModel
import SignInRules
import SignInService
import Testing

@testable import SQLStore

@Suite("Failure counters of versions with a text as the key")
struct LockoutKeyTests {
  private let folder = TemporaryFolder()

  @Test("L-01 an upgrade keeps every counter under the parts of its key")
  func upgrade() async throws {
    let account = AccountID("tara")
    let unknown = AccountID("?Zm9v-YmFy_")
    let texts: [(text: String, key: LockoutKey)] = [
      ("tara", LockoutKey(account)), ("tara/key-1", LockoutKey(account, device: "key-1")),
      ("reset|tara", LockoutKey(account).ofResets),
      ("reset|tara/key-1", LockoutKey(account, device: "key-1").ofResets),
      ("?Zm9v-YmFy_", LockoutKey(unknown)),
      ("reset|?Zm9v-YmFy_", LockoutKey(unknown).ofResets),
    ]
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false)
    #expect(FileManager.default.createFile(atPath: folder.database, contents: Data()))
    let raw = try RawDatabase(folder.database)
    let before = try #require(Schema.migrations.firstIndex(of: Schema.lockoutKeys))
    for migration in Schema.migrations[..<before] { try raw.run(migration) }
    try raw.run("PRAGMA user_version = \(before)")
    for (index, entry) in texts.enumerated() {
      try raw.run(
        """
        INSERT INTO lockouts VALUES
          ('\(entry.text)', \(index), 2, 3, 4000, 5, 6000, 'device:1:2:3', 7)
        """)
    }

    let store = try SQLiteStore(directory: folder.path)

    for (index, entry) in texts.enumerated() {
      let found = try await store.read { (transaction) throws(StoreFault) in
        try transaction.lockout(entry.key)
      }
      let share = FailureShares.Share(device: "device", failures: 1, failuresInRow: 2, locks: 3)
      #expect(
        found
          == Lockout(
            failures: Int64(index), failuresInRow: 2, reserved: 3,
            reservedAt: Instant(milliseconds: 4000), locks: 5,
            lockedUntil: Instant(milliseconds: 6000), shares: FailureShares(shares: [share]),
            failuresOfAccount: 7), "\(entry.text)")
    }
    #expect(try raw.number("SELECT count(*) FROM lockouts") == Int64(texts.count))
  }
}

import Foundation
import SignInModel
import SignInService
import Testing

@testable import SQLStore

@Suite("E-mail addresses of versions that stored other spellings")
struct CanonicalAddressTests {
  private let folder = TemporaryFolder()

  /// A database of the version before, with accounts and products that wait for these addresses.
  private func write(_ addresses: [String], awaited: String) throws -> RawDatabase {
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: false)
    #expect(FileManager.default.createFile(atPath: folder.database, contents: Data()))
    let raw = try RawDatabase(folder.database)
    let before = try #require(Schema.migrations.firstIndex(of: CanonicalAddresses.migration))
    for migration in Schema.migrations[..<before] { try raw.run(migration) }
    try raw.run("PRAGMA user_version = \(before)")
    for (number, address) in addresses.enumerated() {
      try raw.run(
        """
        INSERT INTO accounts (id, email, phone, name, role, status, organizations, created_at,
          is_demo, permissions)
        VALUES ('a\(number)', '\(address)', '+4790000\(100 + number)', 'Name', 'technician',
          'active', '', \(number), 0, '')
        """)
    }
    try raw.run(
      """
      INSERT INTO products (id, name, model, serial_number, category, created_at, awaited_address,
        position)
      VALUES ('p', 'Pump', 'P', '1', 'pump', 0, '\(awaited)', 1)
      """)
    return raw
  }

  @Test("L-54 an upgrade gives each stored address its canonical form")
  func upgrade() async throws {
    let raw = try write(
      [
        "info@münchen.example", "ÅSE@example.com", "plain@example.com", "<angle@example.com>",
        "double@example.com", "double@example.com.", "a..b@example.com",
      ], awaited: "\u{A0}waiting@example.com")

    let store = try SQLiteStore(directory: folder.path)

    #expect(
      try raw.texts("SELECT email FROM accounts ORDER BY id", column: 0) == [
        "info@xn--mnchen-3ya.example", "åse@example.com", "plain@example.com",
        "angle@example.com", "double@example.com", "double@example.com.", "a..b@example.com",
      ])
    #expect(
      try raw.texts("SELECT awaited_address FROM products", column: 0) == ["waiting@example.com"])
    // The address is refused today, and its account stays readable.
    let found = try await store.read { (transaction) throws(StoreFault) in
      try transaction.account(AccountID("a6"))
    }
    #expect(found?.email?.text == "a..b@example.com")
    store.close()
  }
}

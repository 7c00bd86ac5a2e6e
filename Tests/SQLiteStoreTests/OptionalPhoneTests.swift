import Foundation
import SignInModel
import SignInService
import SignInTesting
import Testing

@testable import SQLStore

@Suite("Accounts of versions in which each had a phone number")
struct OptionalPhoneTests {
  private let folder = TemporaryFolder()

  private func account(
    _ id: String, _ phone: String?, role: AccountRole = .technician, isDemo: Bool = false
  ) throws -> Account {
    var account = Account(
      id: AccountID(id), email: try EmailAddress(parsing: "\(id)@example.com"),
      phone: try phone.map { (text) throws(Malformed) in try PhoneNumber(parsing: text) },
      name: "O'Neil \(id)", role: role, status: .deactivated, passwordHash: "hash of \(id)",
      organizations: [OrganizationID("north"), OrganizationID("south")],
      createdAt: Instant(milliseconds: 1_893_456_000_123), isDemo: isDemo)
    if isDemo { account.proveContacts(by: .operatorCommand) }
    account.phoneChangedAt = Instant(milliseconds: 1_893_456_000_777)
    if role == .administrator {
      account.permission = Permission([Permission.Grant(.administrator)])
    }
    return account
  }

  /// A database of the version before, with these accounts.
  private func write(_ accounts: [Account]) throws -> RawDatabase {
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false)
    #expect(FileManager.default.createFile(atPath: folder.database, contents: Data()))
    let raw = try RawDatabase(folder.database)
    let before = try #require(Schema.migrations.firstIndex(of: Schema.optionalPhones))
    for migration in Schema.migrations[..<before] { try raw.run(migration) }
    try raw.run("PRAGMA user_version = \(before)")
    for account in accounts {
      let phone = try #require(account.phone)
      try raw.run(
        """
        INSERT INTO accounts (id, email, phone, name, role, status, password_hash, organizations,
          created_at, is_demo, permissions, phone_changed_at)
        VALUES ('\(account.id.text)', '\(account.email?.text ?? "")', '\(phone.e164)',
          'O''Neil \(account.id.text)', '\(account.role.rawValue)', 'deactivated',
          'hash of \(account.id.text)', 'north south', 1893456000123, \(account.isDemo ? 1 : 0),
          '\(account.role == .administrator ? "administrator" : "")', 1893456000777)
        """)
    }
    return raw
  }

  @Test("P-10 an upgrade keeps every value of an account; afterwards the number may be absent")
  func upgrade() async throws {
    let accounts = [
      try account("one", "+4790000001"), try account("two", "+4790000001", role: .rider),
      try account("three", "+4790000003", role: .administrator),
      try account("four", "+4790000004", isDemo: true),
    ]
    let raw = try write(accounts)

    let store = try SQLiteStore(directory: folder.path)
    for account in accounts {
      let found = try await store.read { (transaction) throws(StoreFault) in
        try transaction.account(account.id)
      }
      #expect(found == account)
    }
    let demo = try await store.read { (transaction) throws(StoreFault) in
      try transaction.demoAccounts(limit: 10)
    }
    #expect(demo == [AccountID("four")])
    for index in [
      "accounts_for_search", "accounts_of_demo", "administrators", "imported_hashes",
    ] {
      #expect(
        try raw.number(
          "SELECT count(*) FROM sqlite_schema WHERE tbl_name = 'accounts' AND name = '\(index)'")
          == 1)
    }
    #expect(try raw.number("SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%earlier_%'") == 0)

    for name in ["five", "six"] {
      let new = try account(name, nil)
      try await store.transact { (transaction) throws(StoreFault) in try transaction.insert(new) }
    }
    let taken = try account("seven", "+4790000001")
    await #expect(throws: StoreFault.conflict) {
      try await store.transact { (transaction) throws(StoreFault) in
        try transaction.insert(taken)
      }
    }
    store.close()
  }
}

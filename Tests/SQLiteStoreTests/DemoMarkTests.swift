import Foundation
import SignInModel
import SignInService
import Testing

@testable import SQLStore

@Suite("Demo accounts of earlier versions")
struct DemoMarkTests {
  private let folder = TemporaryFolder()

  @Test("L-42 an upgrade marks the demo accounts, even with a changed password, and no others")
  func upgrade() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false)
    #expect(FileManager.default.createFile(atPath: folder.database, contents: Data()))
    let raw = try RawDatabase(folder.database)
    let before = try #require(Schema.migrations.firstIndex(of: Schema.demoAccounts))
    for migration in Schema.migrations[..<before] { try raw.run(migration) }
    try raw.run("PRAGMA user_version = \(before)")
    func insert(_ id: String, email: String?, phone: String, at createdAt: Int64) throws {
      try raw.run(
        """
        INSERT INTO accounts
          (id, email, phone, name, role, status, password_hash, organizations, created_at)
        VALUES ('\(id)', \(email.map { "'\($0)'" } ?? "NULL"), '\(phone)', 'N', 'technician',
          'active', 'changed', '', \(createdAt))
        """)
    }
    for person in Demo.people {
      let account = person.account
      try insert(
        account.id.text, email: account.email?.text, phone: try #require(account.phone).e164,
        at: account.createdAt.milliseconds)
    }
    try insert("load-0042", email: "load-0042@example.com", phone: "+15550200042", at: 5)
    // Neither the identifier nor the address alone makes an account a demo account.
    try insert("load-0043", email: "someone@example.com", phone: "+15550200043", at: 6)
    try insert(
      "Zx81random", email: "tech2@example.com", phone: "+4790000009", at: 1_767_225_600_000)

    let store = try SQLiteStore(directory: folder.path)
    let marked = try await store.read { transaction throws(StoreFault) in
      try transaction.demoAccounts(limit: 100)
    }

    let expected = Demo.people.map(\.account.id.text) + ["load-0042"]
    #expect(marked.map(\.text) == expected.sorted())
    store.close()
  }
}

import Foundation
import SignInModel
import SignInService
import SignInTesting
import Testing

@testable import SQLStore

@Suite("Password hashes on disk")
struct SealedPasswordTests {
  private let folder = TemporaryFolder()
  private let keys = Keyring.storeKeys(master: [UInt8](repeating: 7, count: 32))
  private let hash = "nfc:$argon2id$v=19$m=19456,t=2,p=1$a-salt$a-hash-that-is-easy-to-find"

  private func insert(_ names: [String], keys: StoreKeys?) async throws {
    let store = try SQLiteStore(directory: folder.path, keys: keys)
    defer { store.close() }
    var accounts: [Account] = []
    for (number, name) in names.enumerated() {
      accounts.append(
        Account(
          id: AccountID(name), email: try EmailAddress(parsing: "\(name)@example.com"),
          phone: try PhoneNumber(parsing: "+4790000\(100 + number)"), name: name,
          role: .technician, status: .active, passwordHash: hash, organizations: [],
          createdAt: Instant(seconds: 1)
        ))
    }
    let wanted = accounts
    try await store.transact { (transaction) throws(StoreFault) in
      for account in wanted { try transaction.insert(account) }
    }
  }

  private func read(_ name: String, keys: StoreKeys?) async throws -> String? {
    let store = try SQLiteStore(directory: folder.path, keys: keys)
    defer { store.close() }
    let found = try await store.read { (transaction) throws(StoreFault) in
      [
        try transaction.account(AccountID(name))?.passwordHash,
        try transaction.accounts(AccountQuery(), after: nil, limit: 9)
          .first { $0.id.text == name }?.passwordHash,
      ]
    }
    #expect(found[0] == found[1])
    return found[0].map { keys?.opened($0, for: AccountID(name)) ?? $0 }
  }

  /// Whether a file of the store has these bytes.
  private func isOnDisk(_ text: String) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { name in
      try Data(contentsOf: URL(filePath: folder.path + "/" + name))
        .range(of: Data(text.utf8)) != nil
    }
  }

  @Test("A hash is sealed under the key, and read back with it")
  func sealed() async throws {
    try await insert(["tara"], keys: keys)

    #expect(try !isOnDisk("argon2id"))
    #expect(try await read("tara", keys: keys) == hash)
  }

  @Test("Without the key, or under another key, a hash matches nothing and stays unchanged")
  func otherKey() async throws {
    try await insert(["tara"], keys: keys)

    #expect(try await read("tara", keys: nil) != hash)
    let other = Keyring.storeKeys(master: [UInt8](repeating: 8, count: 32))
    let store = try SQLiteStore(directory: folder.path, keys: other)
    try await store.transact { (transaction) throws(StoreFault) in
      guard var account = try transaction.account(AccountID("tara")) else { return }
      account.status = .deactivated
      try transaction.update(account)
    }
    store.close()
    #expect(try await read("tara", keys: keys) == hash)
  }

  @Test("The hash of one account does not work for another")
  func moved() async throws {
    try await insert(["tara", "mallory"], keys: keys)
    try RawDatabase(folder.database).run(
      """
      UPDATE accounts SET password_hash =
        (SELECT password_hash FROM accounts WHERE id = 'mallory') WHERE id = 'tara'
      """)

    #expect(try await read("tara", keys: keys) != hash)
    #expect(try await read("mallory", keys: keys) == hash)
  }
}

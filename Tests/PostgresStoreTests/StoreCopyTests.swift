import Foundation
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SQLStore

@Suite("A copy of a data folder in PostgreSQL")
struct StoreCopyTests {
  private let cluster: PostgresCluster
  private let folder = CopiedFolder()
  private let keys = Keyring.storeKeys(master: [UInt8](repeating: 7, count: 32))
  private let caller = Caller(client: nil, peer: nil, proofKeyThumbprint: nil)

  init() throws { cluster = try PostgresCluster.shared.get() }

  /// Names that differ in every character that a copy could change.
  private static let names = ["Zoë \u{10FFFF}0\0", "a\tb\\N\"'", " ", "नाम"]

  private static func account(_ number: Int) throws -> Account {
    Account(
      id: AccountID("account-\(number)"),
      email: number % 3 == 0 ? nil : try EmailAddress(parsing: "person\(number)@example.com"),
      phone: try PhoneNumber(parsing: "+4930000\(1000 + number)"),
      name: names[number % names.count], role: .technician, status: .active,
      passwordHash: number % 2 == 0 ? nil : "fast$\(number)$hash",
      organizations: [OrganizationID("north")],
      createdAt: Instant(milliseconds: 1_800_000_000_123 + Int64(number)))
  }

  /// A photo of the largest size, with every byte.
  private static let photo = ProductPhotoContent(
    product: ProductID("product-1"), format: .png,
    content: (0..<ProductPhoto.byteLimit).map { UInt8(truncatingIfNeeded: $0) })

  private static let product = Product(
    entry: ProductEntry(
      id: photo.product, name: "Dishwasher", model: "M", serialNumber: "1", category: "C",
      warrantyProvider: nil, purchasedOn: nil, warrantyExpiresOn: nil, photo: photo.summary),
    createdAt: Instant(seconds: 1_800_000_000), holder: .owner(AccountID("account-1")),
    position: 1)

  /// Makes the data folder, and returns its accounts and the number of its last event.
  ///
  /// The connections of a store are closed when it is released.
  @discardableResult
  private func makeFolder(accounts: Int) async throws -> (accounts: [Account], events: Int64) {
    let store = try SQLiteStore(directory: folder.path, keys: keys)
    defer { store.close() }
    try await fill(store, accounts: accounts)
    return try await store.read { transaction throws(StoreFault) in
      let ids = (1...accounts).map { AccountID("account-\($0)") }
      let found = try ids.map { id throws(StoreFault) in try transaction.account(id) }
      return (found.compactMap { $0 }, try transaction.lastEvent()?.sequence ?? 0)
    }
  }

  private func fill(_ store: SQLiteStore, accounts: Int) async throws {
    let accounts = try (1...accounts).map { try Self.account($0) }
    try await store.transact { [caller] transaction throws(StoreFault) in
      for account in accounts {
        try transaction.insert(account)
        try transaction.record(
          .accountCreated, about: account.id, by: caller, at: account.createdAt)
      }
      try transaction.save(Self.product)
      try transaction.save(Self.photo)
      try transaction.useAssertion([0, 255, 10], until: Instant(milliseconds: 1 << 52))
      try transaction.useAssertion([], until: Instant(milliseconds: 0))
    }
    _ = try await linkEvents(in: store, at: Instant(seconds: 1_800_000_000))
    // One event remains unlinked.
    try await store.transact { [caller] transaction throws(StoreFault) in
      try transaction.record(
        .codeSent, about: nil, by: caller, at: Instant(seconds: 1_800_000_000))
    }
  }

  @Test("R-13 every record is copied unchanged, and the security log continues")
  func copies() async throws {
    let made = try await makeFolder(accounts: 300)
    let server = cluster.emptySchema()
    var counts: [String: Int64] = [:]

    try StoreCopy.make(of: folder.path, in: server) { counts[$0.name] = $0.count }

    #expect(made.accounts.count == 300)
    #expect(counts["accounts"] == 300 && counts["security_events"] == made.events)
    #expect(counts["unlinked_events"] == 1)
    #expect(counts["products"] == 1 && counts["product_photos"] == 1)
    let copy = try PostgresStore(server, limits: .small, keys: keys)
    defer { copy.close() }
    let copied = try await copy.read { transaction throws(StoreFault) in
      try made.accounts.map { account throws(StoreFault) in try transaction.account(account.id) }
    }
    #expect(copied == made.accounts)
    let (product, photo) = try await copy.read { transaction throws(StoreFault) in
      (try transaction.product(Self.product.id), try transaction.photo(of: Self.product.id))
    }
    #expect(product == Self.product && photo == Self.photo)
    #expect(
      try await copy.read { transaction throws(StoreFault) in
        try transaction.isAssertionUsed([0, 255, 10])
      })
    try await copy.transact { [caller] transaction throws(StoreFault) in
      try transaction.record(
        .codeSent, about: nil, by: caller, at: Instant(seconds: 1_800_001_000))
    }
    #expect(
      try await linkEvents(in: copy, at: Instant(seconds: 1_800_001_001)).linked == 2)
    let end = made.events + 2
    guard case .unbroken(end, _) = try await verifyEvents(in: copy, key: keys.events) else {
      Issue.record("the chain of the copy is broken")
      return
    }
  }

  @Test("R-13 a database with records is not changed by a copy")
  func refusesRecords() async throws {
    try await makeFolder(accounts: 1)
    let server = cluster.emptySchema()
    try StoreCopy.make(of: folder.path, in: server) { _ in }

    let fault = #expect(throws: StoreFault.self) {
      try StoreCopy.make(of: folder.path, in: server) { _ in }
    }

    #expect(String(describing: fault).contains("has records already"))
    #expect(try count(of: "accounts", in: server) == 1)
  }

  @Test("R-13 nothing is copied while another program uses the folder")
  func refusesUse() async throws {
    let store = try SQLiteStore(directory: folder.path, keys: keys)
    defer { store.close() }
    try await fill(store, accounts: 1)
    let server = cluster.emptySchema()

    let fault = #expect(throws: StoreFault.self) {
      try StoreCopy.make(of: folder.path, in: server) { _ in }
    }

    #expect(String(describing: fault).contains("another program uses"))
    try await fill(store, second: 2)
  }

  @Test("R-13 a copy that differs from its source is undone")
  func refusesDifference() async throws {
    try await makeFolder(accounts: 2)
    let server = cluster.emptySchema()
    try PostgresStore(server, limits: .small).close()
    let connection = try PostgresConnection(server, limits: .small, damage: DamageLog())
    try connection.execute(
      """
      CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN NEW.name = ''changed''; RETURN NEW; END';
      CREATE TRIGGER changes BEFORE INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION change()
      """)

    let fault = #expect(throws: StoreFault.self) {
      try StoreCopy.make(of: folder.path, in: server) { _ in }
    }

    #expect(String(describing: fault).contains("the copy of the table accounts differs"))
    #expect(try count(of: "accounts", in: server) == 0)
    #expect(try count(of: "record_versions", in: server) == 1)
  }

  private func fill(_ store: SQLiteStore, second number: Int) async throws {
    let account = try Self.account(number)
    try await store.transact { transaction throws(StoreFault) in try transaction.insert(account) }
  }

  private func count(of table: String, in server: PostgresServer) throws -> Int64? {
    let connection = try PostgresConnection(server, limits: .small, damage: DamageLog())
    return switch table {
    case "accounts": try connection.first("SELECT count(*) FROM accounts") { $0.number() }
    default: try connection.first("SELECT count(*) FROM record_versions") { $0.number() }
    }
  }
}

/// A data folder for one test, which is removed at the end.
private final class CopiedFolder: Sendable {
  let path = FileManager.default.temporaryDirectory.path + "/fieldpass-\(UUID().uuidString)"

  deinit {
    do { try FileManager.default.removeItem(atPath: path) } catch {
      // A test that never opened a store leaves nothing to remove.
      _ = error
    }
  }
}

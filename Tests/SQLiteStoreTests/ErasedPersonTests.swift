import Cryptography
import Foundation
import SignInModel
import SignInRules
import SignInTesting
import SignInWire
import Testing

@testable import SQLStore
@testable import SignInService

/// Everything that a person and others wrote about the person, before and after an erasure.
@Suite("Erased people on disk")
struct ErasedPersonTests {
  private let folder = TemporaryFolder()
  private let clock = SimulatedClock(Instant(seconds: 1_800_000_000))
  private static let name = "Wilhelmina Quagga"
  private static let email = "wilhelmina@quagga.example"
  private static let oldEmail = "earlier@quagga.example"
  private static let phone = "+4790012345"
  private static let oldPhone = "+4790054321"
  private static let proposed = "proposed@quagga.example"
  private static let words = "zygodactyl"
  private static let marks = [
    "Wilhelmina", "Quagga", "quagga.example", phone, oldPhone, words, "Trondheimquagga",
  ]
  private static let admin = AccountID("ada")

  /// No request here has a proof.
  private struct NoLedger: ProofLedger {
    func record(
      _ identifier: String, from source: ProofSource?, until expiry: Instant, now: Instant
    ) -> ProofVerdict { .recorded }
  }

  private func world(_ store: any Store) async throws -> World {
    let passwords = FastPasswordHashing()
    let world = World(
      issuer: "https://login.example.com", clients: [],
      keyring: Keyring(
        signing: SigningKey.generate(), master: [UInt8](repeating: 7, count: 32),
        decoyPasswordHash: try await passwords.hash(Secret("unknown"))),
      store: store, clock: clock, randomness: SeededRandomness(seed: 1), passwords: passwords,
      proofs: NoLedger(), messageRecorded: {}, reportFault: { _ in })
    for name in ["ada", "bea"] {
      let account = Account(
        id: AccountID(name), email: try EmailAddress(parsing: "\(name)@example.com"), phone: nil,
        name: name, role: .administrator, status: .active, passwordHash: nil, organizations: [],
        permission: .everything, createdAt: clock.now())
      try await store.transact { (transaction) throws(StoreFault) in
        try transaction.insert(account)
      }
    }
    return world
  }

  private let rules = AccountEditingRules(
    administrator: admin, caller: Caller(client: nil, peer: nil, proofKeyThumbprint: nil))

  private func creation() throws -> AccountCreation {
    AccountCreation(
      name: try PersonName(parsing: Self.name), role: .owner,
      email: try EmailAddress(parsing: Self.oldEmail),
      phone: try PhoneNumber(parsing: Self.oldPhone), password: nil, organizations: [])
  }

  private var once: IdempotencyKey {
    IdempotencyKey(
      owner: Self.admin, key: "create \(Self.email) \(Self.words)", request: Array("r".utf8))
  }

  /// The refusal of the same request with the same key; nil if it was answered.
  private func refusalOfRepetition(in world: World) async throws -> Refusal? {
    let creation = try creation()
    do throws(Refusal) {
      _ = try await createAccount(creation, once: once, rules: rules, in: world)
      return nil
    } catch {
      return error
    }
  }

  /// The marks that are still in a file of the folder.
  private func found() throws -> Set<String> {
    var found: Set<String> = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let bytes = try Data(contentsOf: URL(filePath: folder.path + "/" + name))
      for mark in Self.marks where bytes.range(of: Data(mark.utf8)) != nil { found.insert(mark) }
    }
    return found
  }

  private func edit(
    _ id: AccountID, in world: World, _ change: (inout AccountChange) throws -> Void
  ) async throws {
    var wanted = AccountChange()
    try change(&wanted)
    _ = try await editAccount(id, wanted, rules: rules, in: world)
  }

  /// Writes the person's words wherever there is free text.
  private func writeRecords(of id: AccountID, in store: any Store) async throws {
    let (now, words) = (clock.now(), Self.words)
    let (mail, old) = (
      try EmailAddress(parsing: Self.email), try EmailAddress(parsing: Self.oldEmail)
    )
    let proposal = ContactProposal(
      id: "proposal", account: id, provider: "login", issuer: "i", subject: words,
      value: .email(try EmailAddress(parsing: Self.proposed)), proposedAt: now)
    var session = Session(
      id: SessionID("s"), account: id, client: ClientID("app"), proofKeyThumbprint: "key",
      scope: "openid", organization: nil, authenticationMethods: ["pwd"], startedAt: now,
      expiresAt: now.adding(seconds: 9_999), lastUsedAt: now, refreshGeneration: 0, end: nil)
    session.place = SessionPlace(town: "Trondheimquagga", country: "NO")
    session.device = DeviceName(browser: words, system: words)
    let kept = session
    func product(_ id: String, _ holder: Product.Holder) -> Product {
      Product(
        entry: ProductEntry(
          id: ProductID(id), name: words, model: words, serialNumber: words, category: words,
          warrantyProvider: words, purchasedOn: nil, warrantyExpiresOn: nil),
        createdAt: now, holder: holder, position: 1)
    }
    let products = [
      product("own", .owner(id)), product("waits", .awaiting(mail)),
      product("waits-old", .awaiting(old)),
      product("waits-proposed", .awaiting(try EmailAddress(parsing: Self.proposed))),
    ]
    try await store.transact { (transaction) throws(StoreFault) in
      for product in products { try transaction.save(product) }
      try transaction.save(proposal)
      try transaction.insert(kept)
      try transaction.insert(
        Identity(
          issuer: "i", subject: words, account: id, provider: "login", linkedAt: now,
          lastUsedAt: nil))
      try transaction.save(
        Job(
          id: "job", account: id, title: words, customer: words, place: words, startsAt: now,
          endsAt: now, status: .done, phone: words, instructions: words, statusNote: words))
      try transaction.save(
        Delivery(
          id: "delivery", account: id, recipient: words, place: words, parcels: 1, startsAt: now,
          endsAt: now, status: .delivered, phone: words, instructions: words, statusNote: words))
      try transaction.save(
        Activity(
          id: "activity", account: id, organization: OrganizationID("north"), title: words,
          place: words, companion: words, startsAt: now, endsAt: now, status: .held,
          notes: words))
      try transaction.insert(
        ServiceRequestEntry(
          id: "request", product: ProductID("own"), productName: words, account: id,
          description: words, createdAt: now))
    }
  }

  @Test("L-52 no byte of an erased person is left, in any file or answer, and the log is verified")
  func bytes() async throws {
    let store = try SQLiteStore(directory: folder.path)
    let world = try await world(store)
    let made = try await createAccount(try creation(), once: once, rules: rules, in: world)
    let id = made.id
    try await edit(id, in: world) {
      $0.email = .set(try EmailAddress(parsing: Self.email))
      $0.phone = .set(try PhoneNumber(parsing: Self.phone))
    }
    try await edit(id, in: world) {
      $0.status = .deactivated
      $0.reason = try TextLine(parsing: "\(Self.name) said \(Self.words)")
    }
    try await writeRecords(of: id, in: store)
    let before = try await pageEvents(
      EventQuery(), try PageRequest(limit: 100), rules: rules, in: world)
    #expect(
      before.entries.contains { $0.event.detail == "ada \(Self.name) said \(Self.words)" })
    #expect(try found().count == Self.marks.count)

    #expect(try await eraseAccount(id, rules: rules, in: world))

    #expect(try found() == [])
    let repeated = try await refusalOfRepetition(in: world)
    #expect(repeated?.code == .idempotencyKeyReused)
    let after = try await pageEvents(
      EventQuery(), try PageRequest(limit: 100), rules: rules, in: world)
    #expect(
      after.entries.map(\.event).contains {
        $0.code == .accountDeactivated && $0.detail == "ada"
      })
    guard case .unbroken = try await verifyEvents(in: store) else {
      Issue.record("the log is broken")
      return
    }
    store.close()
    #expect(try found() == [])
  }

  @Test("L-52 each table is either emptied of a person or has nothing of one")
  func tables() async throws {
    let store = try SQLiteStore(directory: folder.path)
    store.close()
    let database = try RawDatabase(folder.database)
    let names = try database.texts(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'", column: 0)
    /// Tables whose records are removed with the account, or with its addresses.
    let removed: Set<String> = [
      "accounts", "account_notices", "activities", "code_challenges", "contact_proposals",
      "data_changes", "deliveries", "event_notes", "former_contacts", "identities", "invitations",
      "jobs",
      "known_devices", "lockouts", "outbox", "password_resets", "product_feeds",
      "product_photos", "product_removals", "products", "provider_journeys", "refusal_tallies",
      "remembered_answers", "revocable_changes", "service_requests", "sessions", "sign_in_attempts",
      "waiting_passwords",
    ]
    /// Tables with identifiers, digests, counts or what operators wrote.
    let impersonal: Set<String> = [
      "change_receivers", "daily_counts", "data_change_bounds", "message_costs",
      "organization_versions", "password_hash_kinds", "policies", "provider_documents", "readiness",
      "record_versions",
      "removed_changes", "security_events", "security_log_start", "throttles", "unlinked_events",
      "used_assertions",
    ]
    #expect(Set(names).subtracting(removed).subtracting(impersonal) == [])
  }

  @Test("L-52 a reason about another person is erased if an address of long ago is in it")
  func formerContacts() async throws {
    let store = try SQLiteStore(directory: folder.path)
    defer { store.close() }
    let world = try await world(store)
    let id = try await createAccount(try creation(), rules: rules, in: world).id
    // No message, proposal or change that can be taken back contains what the account had.
    try await store.transact { (transaction) throws(StoreFault) in
      guard var account = try transaction.account(id) else { return }
      (account.email, account.phone) = (nil, nil)
      try transaction.update(account)
    }
    for reason in ["mail to \(Self.oldEmail)", "a call from \(Self.oldPhone)"] {
      try await edit(AccountID("bea"), in: world) {
        $0.status = .deactivated
        $0.reason = try TextLine(parsing: reason)
      }
      try await edit(AccountID("bea"), in: world) { $0.status = .active }
    }
    clock.advance(seconds: 60 * Throttle.Limit.daySeconds)
    await removeExpiredRecords(in: world)
    #expect(try found().isSuperset(of: ["quagga.example", Self.oldPhone]))

    #expect(try await eraseAccount(id, rules: rules, in: world))

    #expect(try found() == [])
  }

  @Test("L-52 an organization's administrator cannot erase what waits for an address of another")
  func waiting() async throws {
    let store = try SQLiteStore(directory: folder.path)
    defer { store.close() }
    let world = try await world(store)
    let made = try await createAccount(try creation(), rules: rules, in: world)
    let north = OrganizationID("north")
    let nia = Account(
      id: AccountID("nia"), email: try EmailAddress(parsing: "nia@example.com"), phone: nil,
      name: "Nia", role: .administrator, status: .active, passwordHash: nil,
      organizations: [north],
      permission: Permission([Permission.Grant(.administrator, in: north)]),
      createdAt: clock.now())
    let address = try EmailAddress(parsing: Self.oldEmail)
    let product = Product(
      entry: ProductEntry(
        id: ProductID("waits"), name: "Oven", model: "M", serialNumber: "1", category: "C",
        warrantyProvider: nil, purchasedOn: nil, warrantyExpiresOn: nil),
      createdAt: clock.now(), holder: .awaiting(address), position: 1)
    let id = made.id
    try await store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(nia)
      try transaction.save(product)
      guard var account = try transaction.account(id) else { return }
      account.organizations = [north]
      (account.emailProof, account.phoneProof) = (nil, nil)
      try transaction.update(account)
    }
    let own = AccountEditingRules(administrator: nia.id, caller: rules.caller)
    #expect(try await eraseAccount(id, rules: own, in: world))
    let left = try await store.read { (transaction) throws(StoreFault) in
      try transaction.product(ProductID("waits"))
    }
    #expect(left == product)
  }

  @Test("L-52 a repeated key of a person who lost the permission gets no remembered answer")
  func permission() async throws {
    let store = try SQLiteStore(directory: folder.path)
    defer { store.close() }
    let world = try await world(store)
    let made = try await createAccount(try creation(), once: once, rules: rules, in: world)
    let again = try await createAccount(try creation(), once: once, rules: rules, in: world)
    #expect(again == made)
    try await store.transact { (transaction) throws(StoreFault) in
      guard var account = try transaction.account(Self.admin) else { return }
      account.permission = Permission([Permission.Grant(.viewer)])
      try transaction.update(account)
    }
    let refused = try await refusalOfRepetition(in: world)
    #expect(refused?.code == .permissionDenied)
  }
}

import SignInModel
import SignInRules
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

/// A person asks for the erasure of the own account.
@Suite("Erasure at the person's request")
struct RequestErasureTests {
  private typealias Own = OwnAccount

  private func setUp(_ edit: (inout Policy) -> Void = { _ in }) async throws -> OwnAccount {
    var client = TestWorld.technicians
    edit(&client.policy)
    return try await OwnAccount(client)
  }

  private func request(
    _ own: OwnAccount, password: String? = "right"
  ) async throws -> Result<Instant, Refusal> {
    let access = try await own.access()
    let answer = await result(
      try await requestErasure(
        access, password: password.map { Secret($0) }, languages: [], peer: TestWorld.peer,
        in: own.test.world))
    await own.sent()
    return answer
  }

  private func exists(_ own: OwnAccount) async throws -> Bool {
    try await own.test.store.read { (transaction) throws(StoreFault) in
      try transaction.account(Own.tara) != nil
    }
  }

  @Test("The account is erased when its time ends, and not before")
  func erased() async throws {
    let own = try await setUp()
    try await own.changed(to: Own.newEmail)
    let due = try await request(own).get()
    #expect(due == own.test.clock.now().adding(seconds: 7 * 86_400))
    #expect(try await own.notices(to: Own.newEmail).last?.contains("/account/undo?undo=") == true)
    let entry = try await showAccount(Own.tara, rules: .operatorCommand, in: own.test.world)
    #expect(entry.erasureAt == due)

    own.test.clock.advance(seconds: 7 * 86_400 - 1)
    _ = await removeExpiredRecords(in: own.test.world)
    #expect(try await exists(own))
    #expect(try await own.test.session(own.session)?.end == nil)
    own.test.clock.advance(seconds: 1)
    _ = await removeExpiredRecords(in: own.test.world)

    #expect(try await !exists(own))
    #expect(try await own.changes().isEmpty)
    #expect(try await own.test.session(own.session)?.end != nil)
    #expect(try await own.details(.erasureRequested) == ["\(due.seconds)"])
    #expect(try await own.details(.accountErased) == ["person"])
  }

  @Test("The wait is the one of the policy, and without one the account is erased at once")
  func policy() async throws {
    let own = try await setUp { $0[.erasureWait] = 3_600 }
    #expect(try await request(own).get() == own.test.clock.now().adding(seconds: 3_600))

    let atOnce = try await setUp { $0[.erasureWait] = 0 }
    #expect(try await request(atOnce).get() == atOnce.test.clock.now())
    #expect(try await !exists(atOnce))
  }

  @Test("L-51 a change after the request postpones the erasure until the end of its undo")
  func changedSince() async throws {
    let own = try await setUp { $0[.erasureWait] = 3_600 }
    let due = try await request(own).get()
    own.test.clock.advance(seconds: 61)
    let end = try #require(try await own.changed(to: Own.newEmail).undoUntil)

    #expect(due < end)
    #expect(try await own.details(.erasureRequested) == ["\(due.seconds)", "\(end.seconds)"])
    own.test.clock.advance(seconds: 3_600)
    _ = await removeExpiredRecords(in: own.test.world)
    #expect(try await exists(own))
    own.test.clock.advance(seconds: 7 * 86_400)
    _ = await removeExpiredRecords(in: own.test.world)
    #expect(try await !exists(own))
  }

  @Test("The longest wait of all organizations of the account applies in every session")
  func organizations() async throws {
    let own = try await setUp { $0[.erasureWait] = 3_600 }
    try await own.test.setOrganizations(["north", "south"])
    try await own.test.changeOrganization("south", #"{"policy":{"erasure_wait_seconds":7200}}"#)
    #expect(try await request(own).get() == own.test.clock.now().adding(seconds: 7_200))
  }

  @Test("The password is needed, or a recent sign-in, and administrators are refused")
  func person() async throws {
    let own = try await setUp()
    #expect(try await request(own, password: "wrong").refused == .invalidCredentials)
    #expect(try await request(own, password: nil).refused == .invalidCredentials)
    try await own.change { $0.passwordHash = nil }
    own.test.clock.advance(seconds: 900)
    #expect(try await request(own, password: nil).refused == .recentSignInNeeded)
    try await own.change { $0.role = .administrator }
    #expect(try await request(own).refused == .ownAccount)
    #expect(try await own.changes().isEmpty)
  }

  @Test("A person without an address gets the message on the phone")
  func byPhone() async throws {
    let own = try await setUp()
    try await own.change { $0.email = nil }
    _ = try await request(own).get()
    #expect(await own.undo(try await own.link(to: Own.oldPhone)).value == .erasure)
  }

  @Test("L-51 the message goes also to what a change replaced, and its link works before the end")
  func toEarlierContacts() async throws {
    let own = try await setUp { $0[.erasureWait] = 0 }
    let undoUntil = try await own.changed(to: Own.newEmail).undoUntil
    #expect(try await request(own).get() == undoUntil)
    for value in [Own.oldEmail, Own.newEmail, Own.oldPhone] {
      #expect(try await own.notices(to: value).filter { $0.contains("erasure") }.count == 1)
    }
    #expect(try await exists(own))
    #expect(await own.undo(try await own.link(to: Own.oldEmail)).value == .erasure)
  }

  @Test("A second request changes nothing and sends nothing")
  func twice() async throws {
    let own = try await setUp()
    let due = try await request(own).get()
    own.test.clock.advance(seconds: 100)
    let sent = try await own.notices(to: Own.oldEmail).count
    #expect(try await request(own).get() == due)
    #expect(try await own.notices(to: Own.oldEmail).count == sent)
    #expect(try await own.changes().count == 1)
  }

  @Test("L-55 the link in the message cancels the erasure, once and again, and ends no session")
  func link() async throws {
    let own = try await setUp()
    _ = try await request(own).get()
    let link = try await own.link(to: Own.oldEmail)
    #expect(await success(try await readUndoLink(link, in: own.test.world)) == .open(.erasure))
    for _ in 0..<2 { #expect(await own.undo(link).value == .erasure) }
    #expect(await success(try await readUndoLink(link, in: own.test.world)) == .done(.erasure))

    own.test.clock.advance(seconds: 7 * 86_400 + 1)
    _ = await removeExpiredRecords(in: own.test.world)

    #expect(try await exists(own))
    #expect(try await own.changes().isEmpty)
    #expect(try await own.details(.erasureCancelled) == [nil])
    #expect(await own.undo(link).refused == .changeNotFound)
  }

  @Test("The person cancels it in any session, and can ask again")
  func inApp() async throws {
    let own = try await setUp()
    let access = try await own.access()
    #expect(
      await refusal(try await cancelErasure(access, peer: nil, in: own.test.world))?.code
        == .changeNotFound)
    for number in 1...RevocableChange.limit {
      _ = try await request(own).get()
      let later = try await own.access(own.test.signIn(key: "later \(number)").session.id)
      #expect(try await readOwnChanges(later, in: own.test.world).erasure != nil)
      for _ in 0..<2 { try await cancelErasure(later, peer: nil, in: own.test.world) }
      #expect(try await readOwnChanges(later, in: own.test.world).erasure == nil)
      own.test.clock.advance(seconds: 61)
    }
    // Each request sends a message, so their number is limited.
    #expect(try await request(own).refused == .rateLimited)
    #expect(try await own.details(.erasureCancelled).count == RevocableChange.limit)
  }

  @Test("An erasure that could not take place at its end can still be cancelled")
  func late() async throws {
    let own = try await setUp()
    let due = try await request(own).get()
    let link = try await own.link(to: Own.oldEmail)
    own.test.clock.advance(seconds: due.seconds - own.test.clock.now().seconds)
    #expect(await success(try await readUndoLink(link, in: own.test.world)) == .open(.erasure))
    #expect(await own.undo(link).value == .erasure)
    _ = await removeExpiredRecords(in: own.test.world)
    #expect(try await exists(own))
  }

  @Test("An administrator of the account cancels it, and no other one")
  func administrator() async throws {
    let own = try await setUp()
    try await own.test.setOrganizations(["north"])
    _ = try await request(own).get()
    try await own.test.insert(
      administrator: "sam", Permission([.init(.administrator, in: OrganizationID("south"))]),
      organizations: ["south"])
    let sam = AccountEditingRules(administrator: AccountID("sam"), caller: TestWorld.rules.caller)
    #expect(
      await refusal(
        try await cancelErasure(of: Own.tara, rules: sam, in: own.test.world))?.code
        == .accountNotFound)
    let ada = try await own.test.administrator()
    try await cancelErasure(of: Own.tara, rules: ada, in: own.test.world)
    #expect(try await own.details(.erasureCancelled) == ["ada"])
    let entry = try await showAccount(Own.tara, rules: ada, in: own.test.world)
    #expect(entry.erasureAt == nil)
  }

  @Test("An account that has become an administrator's is not erased on its own request")
  func promoted() async throws {
    let own = try await setUp()
    _ = try await request(own).get()
    try await own.change { $0.role = .administrator }
    own.test.clock.advance(seconds: 7 * 86_400)
    _ = await removeExpiredRecords(in: own.test.world)
    #expect(try await exists(own))
    #expect(try await own.details(.erasureCancelled) == ["own_account"])
    #expect(try await own.changes().isEmpty)
  }

  @Test("L-52 accounts that cannot be erased do not stop the others, however many they are")
  func othersFail() async throws {
    let own = try await setUp()
    let due = try await request(own).get()
    // Their accounts are missing, and they are due before.
    let failing = (0...SignInLimits.removalBatch).map { number in
      RevocableChange(
        id: "\(number)", account: AccountID("missing \(number)"), kind: .erasure, before: nil,
        digest: [UInt8](repeating: 1, count: number), madeAt: TestWorld.start,
        endsAt: due.adding(seconds: -1))
    }
    try await own.test.store.transact { (transaction) throws(StoreFault) in
      for request in failing { try transaction.insert(request) }
    }
    own.test.clock.advance(seconds: 7 * 86_400)
    await eraseDueAccounts(in: own.test.world)
    #expect(try await !exists(own))
  }

  @Test("A store that fails loses no request")
  func storeFault() async throws {
    let own = try await setUp()
    _ = try await request(own).get()
    own.test.clock.advance(seconds: 7 * 86_400)
    own.test.store.setOutage("test")
    await eraseDueAccounts(in: own.test.world)
    own.test.store.setOutage(nil)
    #expect(try await exists(own))
    await eraseDueAccounts(in: own.test.world)
    #expect(try await !exists(own))
  }

  @Test("L-48 a requested erasure removes nothing that waits for an address the person only typed")
  func typedAddresses() async throws {
    let own = try await setUp { $0[.erasureWait] = 0 }
    try await own.change { $0.emailProof = nil }
    let typed = try EmailAddress(parsing: Own.newEmail)
    let current = try EmailAddress(parsing: Own.oldEmail)
    func product(_ id: String, for address: EmailAddress) -> Product {
      Product(
        entry: ProductEntry(
          id: ProductID(id), name: "Oven", model: "M", serialNumber: "1", category: "C",
          warrantyProvider: nil, purchasedOn: nil, warrantyExpiresOn: nil),
        createdAt: TestWorld.start, holder: .awaiting(address), position: 1)
    }
    let products = [product("typed", for: typed), product("current", for: current)]
    let proposal = ContactProposal(
      id: "proposal", account: Own.tara, provider: "login", issuer: "i", subject: "s",
      value: .email(typed), proposedAt: own.test.clock.now())
    try await own.test.store.transact { (transaction) throws(StoreFault) in
      for product in products { try transaction.save(product) }
      try transaction.save(proposal)
    }
    // The code goes to the address of another person.
    _ = try await own.begin(Own.newEmail).get()

    _ = try await request(own).get()

    #expect(try await !exists(own))
    let left = try await own.test.store.read { (transaction) throws(StoreFault) in
      (try transaction.products(awaiting: typed), try transaction.products(awaiting: current))
    }
    #expect(left.0.map(\.entry.id) == [ProductID("typed")])
    #expect(left.1.map(\.entry.id) == [ProductID("current")])
  }
}

import JSONText
import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

/// A written address proves nothing.
@Suite("Proofs of addresses and numbers")
struct ContactProofTests {
  private static let north = OrganizationID("north")
  private static let nia = AccountEditingRules(
    administrator: AccountID("nia"),
    caller: Caller(client: ClientID("console"), peer: nil, proofKeyThumbprint: "key"))
  private static let product = ProductID("p-1")

  private let texts = RecordingMessenger()
  private let mails = RecordingMessenger(name: "mail", channel: .email)

  /// A world with the global administrator Ada, and Nia, who administers one organization.
  private func world() async throws -> TestWorld {
    var client = TestWorld.technicians
    client.roles = [.technician, .owner]
    let world = try await TestWorld(
      client: client, organizations: [try TestWorld.organization("north")],
      router: MessengerRouter([.init(mails), .init(texts)]))
    _ = try await world.administrator()
    try await world.insert(
      administrator: "nia", Permission([Permission.Grant(.administrator, in: Self.north)]),
      organizations: ["north"])
    return world
  }

  private func create(
    _ email: String, phone: String = "+15550101777", by rules: AccountEditingRules,
    in world: TestWorld
  ) async throws -> AccountEntry {
    let creation = AccountCreation(
      name: try PersonName(parsing: "Olga"), role: .owner,
      email: try EmailAddress(parsing: email), phone: try PhoneNumber(parsing: phone),
      password: nil, organizations: [Self.north])
    return try #require(
      await success(try await createAccount(creation, rules: rules, in: world.world)))
  }

  private func edit(
    _ id: AccountID, by rules: AccountEditingRules, in world: TestWorld,
    _ change: (inout AccountChange) throws -> Void
  ) async throws -> AccountEntry {
    var wanted = AccountChange()
    try change(&wanted)
    let final = wanted
    return try #require(
      await success(try await editAccount(id, final, rules: rules, in: world.world)))
  }

  /// Saves a product of this holder.
  private func save(_ holder: Product.Holder, in world: TestWorld) async throws {
    let entry = ProductEntry(
      id: Self.product, name: "Oven", model: "O1", serialNumber: "1", category: "Oven",
      warrantyProvider: nil, purchasedOn: nil, warrantyExpiresOn: nil)
    try await world.store.transact { (transaction) throws(StoreFault) in
      try transaction.save(
        Product(entry: entry, createdAt: TestWorld.start, holder: holder, position: 1))
    }
  }

  private func holder(in world: TestWorld) async throws -> Product.Holder? {
    try await world.store.read { (transaction) throws(StoreFault) in
      try transaction.product(Self.product)?.holder
    }
  }

  private func accept(_ invitation: Secret?, in world: TestWorld) async throws {
    let use = InvitationUse(
      client: world.client, invitation: try #require(invitation),
      password: Secret("my very first one"), proofKeyThumbprint: "key", peer: TestWorld.peer)
    #expect(await success(try await acceptInvitation(use, in: world.world)) == true)
  }

  /// The invitation in the newest message.
  private func sentInvitation(in world: TestWorld) async throws -> Secret {
    let router = MessengerRouter([.init(mails), .init(texts)])
    await deliverMessages(over: router, in: world.world)
    let all = mails.messages + texts.messages
    let newest = all.last { $0.text.revealed.contains("#invitation=") }
    let text = try #require(newest?.text.revealed)
    let rest = try #require(text.split(separator: "#invitation=", maxSplits: 1).last)
    return Secret(String(rest.prefix { !$0.isWhitespace }))
  }

  @Test("L-48 what waits for an address goes to no account that an organization wrote it into")
  func waitingProduct() async throws {
    let world = try await world()
    let address = try EmailAddress(parsing: "victim@example.com")
    try await save(.awaiting(address), in: world)

    let made = try await create("victim@example.com", by: Self.nia, in: world)
    try await sync(made.id, in: world)
    #expect(made.emailProof == nil && made.phoneProof == nil)
    #expect(try await holder(in: world) == .awaiting(address))

    _ = await result(
      try await invite(made.id, by: .sent(), rules: Self.nia, in: world.world))
    try await sync(made.id, in: world)
    #expect(try await holder(in: world) == .awaiting(address))

    try await accept(try await sentInvitation(in: world), in: world)
    #expect(try await holder(in: world) == .owner(made.id))
    let events = try await world.events().filter { $0.code == .emailVerified }
    #expect(events.map(\.detail) == ["invitation"])
  }

  /// The first sync of the day, in which waiting products are found.
  private func sync(_ id: AccountID, in world: TestWorld) async throws {
    let account = try await world.store.read { (transaction) throws(StoreFault) in
      try transaction.account(id)
    }
    let session = Session(
      id: SessionID("s"), account: id, client: world.client.id, proofKeyThumbprint: "key",
      scope: "products", organization: nil, authenticationMethods: [], startedAt: TestWorld.start,
      expiresAt: TestWorld.start.adding(seconds: 9_999), lastUsedAt: TestWorld.start,
      refreshGeneration: 1, end: nil)
    let access = Access(account: try #require(account), session: session, client: world.client)
    _ = await result(try await syncProducts(access, since: nil, tags: [], in: world.world))
  }

  @Test("L-48 an invitation that an administrator saw proves nothing")
  func shownInvitation() async throws {
    let world = try await world()
    let made = try await create("victim@example.com", by: Self.nia, in: world)
    let shown = await result(try await invite(made.id, rules: Self.nia, in: world.world))
    try await accept(shown.value?.invitation, in: world)
    let entry = await success(
      try await showAccount(made.id, rules: Self.nia, in: world.world))
    #expect(entry?.emailProof == nil && entry?.phoneProof == nil)
    #expect(entry?.hasPassword == true)
  }

  @Test("L-48 an invitation by text message proves the number and not the address")
  func textInvitation() async throws {
    let world = try await world()
    let made = try await create("victim@example.com", by: Self.nia, in: world)
    _ = await result(
      try await invite(
        made.id, by: .sent(byTextMessage: true), rules: Self.nia, in: world.world))
    try await accept(try await sentInvitation(in: world), in: world)
    let entry = await success(
      try await showAccount(made.id, rules: Self.nia, in: world.world))
    #expect(entry?.emailProof == nil && entry?.phoneProof == .invitation)
  }

  @Test("L-48 an operator and a global administrator prove what they write; a change ends a proof")
  func written() async throws {
    let world = try await world()
    let byOperator = try await create("a@example.com", by: .operatorCommand, in: world)
    #expect(byOperator.emailProof == .operatorCommand)
    #expect(byOperator.phoneProof == .operatorCommand)
    let id = byOperator.id

    let other = try await edit(id, by: Self.nia, in: world) {
      $0.email = .set(try EmailAddress(parsing: "b@example.com"))
    }
    #expect(other.emailProof == nil && other.phoneProof == .operatorCommand)
    let repeated = try await edit(id, by: Self.nia, in: world) {
      $0.email = .set(try EmailAddress(parsing: "b@example.com"))
    }
    #expect(repeated.emailProof == nil)

    let address = try EmailAddress(parsing: "b@example.com")
    try await save(.awaiting(address), in: world)
    let confirmed = try await edit(id, by: TestWorld.rules, in: world) { $0.email = .set(address) }
    #expect(confirmed.emailProof == .administrator)
    #expect(try await holder(in: world) == .owner(id))

    let moved = try await edit(id, by: Self.nia, in: world) {
      $0.phone = .set(try PhoneNumber(parsing: "+15550101778"))
    }
    #expect(moved.phoneProof == nil && moved.emailProof == .administrator)
  }

  @Test("L-48 an imported account is proved only if the importing administrator proves addresses")
  func imported() async throws {
    let world = try await world()
    let lines = ["name,role,email,phone_number,organizations", "Olga,owner,o@example.com,,north"]
    for (rules, proof) in [(Self.nia, nil), (TestWorld.rules, .administrator)]
      as [(AccountEditingRules, ContactProof?)]
    {
      let table = AccountTable(
        csv: Array(lines.joined(separator: "\n").utf8), organizations: [Self.north])
      let fresh = try await self.world()
      _ = await result(
        try await importAccounts(table.accounts, ImportTerms(), rules: rules, in: fresh.world))
      let found = try await fresh.store.read { (transaction) throws(StoreFault) in
        try transaction.accounts(AccountQuery(), after: nil, limit: 9).first { $0.role == .owner }
      }
      #expect(found?.email?.text == "o@example.com" && found?.emailProof == proof)
    }
    _ = world
  }

  @Test("L-48 a code that was sent to the number proves it, at a sign-in and at a reset")
  func codes() async throws {
    let world = try await TestWorld()
    let id = AccountID("tara")
    func phoneProof() async throws -> ContactProof? {
      try await world.store.read { (transaction) throws(StoreFault) in
        try transaction.account(id)?.phoneProof
      }
    }
    func forgetProof() async throws {
      try await world.store.transact { (transaction) throws(StoreFault) in
        guard var account = try transaction.account(id) else { return }
        account.phoneProof = nil
        try transaction.update(account)
      }
    }
    try await forgetProof()
    let session = await world.begin().authSession
    #expect(try await phoneProof() == nil)
    _ = await result(try await world.answer(await world.code(), session))
    #expect(try await phoneProof() == .code)

    try await forgetProof()
    let request = PasswordResetRequest(
      client: world.client, username: "tara@example.com", proofKeyThumbprint: "key",
      peer: TestWorld.peer)
    let reset = try #require(
      await success(try await requestPasswordReset(request, in: world.world)))
    let answer = PasswordResetAnswer(
      resetSession: reset.resetSession, code: Secret(await world.code()),
      password: Secret("another one of mine"), proofKeyThumbprint: "key", peer: TestWorld.peer)
    #expect(await success(try await resetPassword(answer, in: world.world)) == .changed)
    #expect(try await phoneProof() == .code)
  }

  @Test("L-48 a transfer to an account that has not proved its address waits")
  func transfer() async throws {
    let world = try await world()
    let giver = try await create("a@example.com", by: .operatorCommand, in: world)
    let made = try await create(
      "victim@example.com", phone: "+15550101779", by: Self.nia, in: world)
    try await save(.owner(giver.id), in: world)
    let address = try EmailAddress(parsing: "victim@example.com")

    let refused = await refusal(
      try await transferProduct(
        RecordName(Self.product.text), to: address, giver: .administrator(Self.nia), once: nil,
        in: world.world))
    #expect(refused?.code == .invalidRequest)
    let caller = Caller(client: nil, peer: nil, proofKeyThumbprint: nil)
    let done = await result(
      try await transferProduct(
        RecordName(Self.product.text), to: address, giver: .owner(giver.id, caller), once: nil,
        in: world.world))
    #expect(done.value?.product == Self.product)
    #expect(try await holder(in: world) == .awaiting(address))

    try await save(.owner(made.id), in: world)
    let own = await refusal(
      try await transferProduct(
        RecordName(Self.product.text), to: address, giver: .owner(made.id, caller), once: nil,
        in: world.world))
    #expect(own?.code == .alreadyOwner)
    #expect(try await holder(in: world) == .owner(made.id))
  }

  @Test("L-48 records for an address or a number name no account that has not proved it")
  func importedRecords() async throws {
    let world = try await world()
    let made = try await create("victim@example.com", by: Self.nia, in: world)
    let references = ["victim@example.com", "+15550101777", made.id.text]
    var outcomes: [Bool] = []
    for reference in references {
      let json = try JSONReader.read(
        Array(
          (#"{"account":"\#(reference)","name":"Oven","model":"O","serial_number":"1","#
            + #""category":"c"}"#).utf8))
      let draft = try DataDraft(reading: json, .products, RecordName("p-9"))
      let outcome = await success(
        try await writeData([draft], by: .operatorCommand, in: world.world))
      if case .written? = outcome?.first { outcomes.append(true) } else { outcomes.append(false) }
    }
    #expect(outcomes == [false, false, true])

    let entry = ProductEntry(
      id: Self.product, name: "Oven", model: "O1", serialNumber: "1", category: "Oven",
      warrantyProvider: nil, purchasedOn: nil, warrantyExpiresOn: nil)
    let refused = await refusal(
      try await importProducts(
        [entry], to: try EmailAddress(parsing: "victim@example.com"), once: nil,
        rules: TestWorld.rules,
        in: world.world))
    #expect(refused?.code == .invalidRequest)
    #expect(try await holder(in: world) == nil)
  }

  @Test("L-48 a verified claim proves, but not that of an organization's provider without domains")
  func provider() async throws {
    let tara = AccountID("tara")
    let cases: [(organization: OrganizationID?, domains: [String], proof: ContactProof?)] = [
      (nil, [], .provider), (Self.north, [], nil), (Self.north, ["example.com"], .provider),
      (nil, ["example.org"], nil),
    ]
    for (organization, domains, proof) in cases {
      let world = try await ProviderWorld {
        $0.administeredBy = organization
        $0.emailDomains = domains
      }
      let address = try EmailAddress(parsing: "tara@example.com")
      try await world.change("tara") {
        $0.email = address
        $0.organizations = organization.map { [$0] } ?? []
      }
      let journey = try await world.open()
      _ = await world.finish(
        journey, claims: ["email": .string("tara@example.com"), "email_verified": .bool(true)])
      let found = try await world.store.read { (transaction) throws(StoreFault) in
        try transaction.account(tara)
      }
      #expect(found?.emailProof == proof, "\(organization?.text ?? "-") \(domains)")
    }
  }
}

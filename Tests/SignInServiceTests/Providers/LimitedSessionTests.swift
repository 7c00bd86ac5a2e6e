import JSONText
import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

/// A session that began at the provider of one organization, of a person who is also in another.
@Suite("Sessions that are limited to one organization")
struct LimitedSessionTests {
  private static let tara = AccountID("tara")
  private static let north = OrganizationID("north")
  private static let south = OrganizationID("south")
  private static let newPhone: [String: JSON?] = [
    "phone_number": .string("+15550101999"), "phone_number_verified": .bool(true),
  ]

  /// A world in which `login` belongs to north and `second` to all; tara has an identity at both.
  private static func world(
    _ organizations: [OrganizationID], accounts: IdentityProvider.NewAccounts? = nil
  ) async throws -> ProviderWorld {
    let world = try await ProviderWorld {
      guard $0.name == "login" else { return }
      $0.administeredBy = north
      $0.newAccounts = accounts
    }
    try await world.change("tara") { $0.organizations = organizations }
    try await world.insertSecondIdentity()
    return world
  }

  private func change(_ access: Access) throws -> ContactChange {
    ContactChange(
      access: access, value: .phone(try PhoneNumber(parsing: "+15550101999")), password: nil,
      peer: TestWorld.peer)
  }

  // MARK: The account

  @Test(
    "L-57 the provider of one organization changes nothing of a person who is also in another",
    arguments: [
      ([north], "login", false), ([south, north], "login", true),
      ([south, north], "second", false),
    ] as [([OrganizationID], String, Bool)])
  func ownAccount(
    _ organizations: [OrganizationID], _ provider: String, _ isLimited: Bool
  ) async throws {
    let world = try await Self.world(organizations)
    let own = try await world.signIn(at: provider)
    let now = world.clock.now()
    let made = RevocableChange(
      id: "c", account: Self.tara, kind: .email, before: nil, digest: [1], madeAt: now,
      endsAt: now.adding(seconds: 3_600))
    try await world.store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(made)
    }
    let name = try #require(PersonName(provided: "Another name"))

    #expect(try await readOwnChanges(own, in: world.world).contacts.isEmpty == isLimited)
    let refusals = [
      await refusal(try await beginContactChange(try change(own), in: world.world)),
      await refusal(
        try await undoContactChange("c", own, password: nil, peer: nil, in: world.world)),
      await refusal(try await changeOwnName(name, own, peer: nil, in: world.world)),
      await refusal(
        try await requestErasure(own, password: nil, languages: [], peer: nil, in: world.world)),
      await refusal(try await cancelErasure(own, peer: nil, in: world.world)),
    ]

    let expected: ErrorCode? = isLimited ? .managedByProvider : nil
    #expect(refusals.map { $0?.code } == refusals.map { _ in expected })
    #expect(try await world.found("tara")?.name == (isLimited ? "Tara" : "Another name"))
  }

  @Test("L-57 a change that began before the person joined another organization cannot end")
  func joinedMeanwhile() async throws {
    let world = try await Self.world([Self.north])
    let own = try await world.signIn()
    let begun = try await beginContactChange(try change(own), in: world.world)
    try await world.change("tara") { $0.organizations = [Self.north, Self.south] }
    let now = try await world.access(own.session.id)

    let answer = ContactChangeCode(
      access: now, session: begun.session, code: Secret(await world.sentCode()),
      peer: TestWorld.peer)
    let refused = await refusal(try await confirmContactChange(answer, in: world.world))

    #expect(refused?.code == .managedByProvider)
    #expect(try await world.found("tara")?.phone?.e164 == "+15550101234")
  }

  // MARK: Proposals

  @Test("L-57 the provider of one organization proposes nothing to a person who is also in another")
  func proposals() async throws {
    let world = try await Self.world([Self.north])
    let own = try await world.signIn(Self.newPhone)
    let shown = try await readAccount(own, in: world.world).accountUpdate.proposals
    let id = try #require(shown.first?.id)
    try await world.change("tara") { $0.organizations = [Self.north, Self.south] }
    let now = try await world.access(own.session.id)

    #expect(try await readAccount(now, in: world.world).accountUpdate.proposals.isEmpty)
    let accepted = await refusal(
      try await acceptContactProposal(id, now, languages: [], peer: nil, in: world.world))
    #expect(accepted?.code == .proposalNotFound)
    let declined = await refusal(
      try await declineContactProposal(id, now, peer: nil, in: world.world))
    #expect(declined?.code == .proposalNotFound)
    #expect(try await world.found("tara")?.phone?.e164 == "+15550101234")
    _ = try await world.signIn(Self.newPhone)
    #expect(try await world.storedProposals().isEmpty)
    let other = try await world.signIn(Self.newPhone, at: "second")
    #expect(try await readAccount(other, in: world.world).accountUpdate.proposals.count == 1)
  }

  @Test("L-57 an account that joins an organization loses its open proposals")
  func joined() async throws {
    let world = try await Self.world([Self.north])
    _ = try await world.signIn(Self.newPhone)
    #expect(try await world.storedProposals().count == 1)

    var change = AccountChange()
    change.organizations = [Self.south, Self.north]
    _ = try await editAccount(Self.tara, change, rules: .operatorCommand, in: world.world)

    #expect(try await world.storedProposals().isEmpty)
  }

  @Test("L-57 joining an organization, or another role, ends the links and the erasure from before")
  func endsOpenRequests() async throws {
    for isJoining in [true, false] {
      let world = try await Self.world([Self.north], giving: .mentor)
      let now = world.clock.now()
      func made(_ kind: RevocableChange.Kind, _ digest: UInt8) -> RevocableChange {
        RevocableChange(
          id: kind.rawValue, account: Self.tara, kind: kind, before: nil, digest: [digest],
          madeAt: now, endsAt: now.adding(seconds: 3_600))
      }
      let open = [made(.erasure, 1), made(.email, 2)]
      try await world.store.transact { (transaction) throws(StoreFault) in
        for change in open { try transaction.insert(change) }
      }
      if isJoining {
        var change = AccountChange()
        change.organizations = [Self.south, Self.north]
        _ = try await editAccount(Self.tara, change, rules: .operatorCommand, in: world.world)
      } else {
        _ = try await world.signIn(["sub": .string("made")])
      }

      let left = try await world.store.read { (transaction) throws(StoreFault) in
        try transaction.revocableChanges(of: Self.tara)
      }
      #expect(left.isEmpty)
      let cancelled = try await world.events(of: "tara").filter { $0.code == .erasureCancelled }
      #expect(cancelled.map(\.detail) == [isJoining ? "shell" : "login"])
    }
  }

  @Test("L-57 permissions elsewhere count as other organizations")
  func permissions() async throws {
    let world = try await Self.world([Self.north])
    var account = try #require(try await world.found("tara"))
    #expect(account.isOnly(in: Self.north) && !account.isOnly(in: Self.south))
    account.permission = Permission([.init(.viewer, in: Self.north)])
    #expect(account.isOnly(in: Self.north))
    account.permission = Permission([.init(.viewer, in: Self.south)])
    #expect(!account.isOnly(in: Self.north))
    account.permission = Permission([.init(.viewer)])
    #expect(!account.isOnly(in: Self.north))
  }

  // MARK: Sessions and identities

  @Test("L-57 a limited session shows and ends no session and no identity elsewhere")
  func elsewhere() async throws {
    let world = try await Self.world([Self.south, Self.north])
    let other = try await world.signIn(at: "second", key: "other")
    let own = try await world.signIn()
    let all = try await listOwnIdentities(other, in: world.world)
    let shown = try await listOwnIdentities(own, in: world.world)
    #expect(all.count == 2 && shown.map(\.provider) == ["login"])
    #expect(try await listOwnSessions(other, in: world.world).count == 2)
    #expect(try await listOwnSessions(own, in: world.world).map(\.id) == [own.session.id])

    let hidden = try #require(all.first { $0.provider == "second" })
    let unlinked = await refusal(
      try await unlinkOwnIdentity(hidden.id, own, peer: nil, in: world.world))
    #expect(unlinked?.code == .identityNotFound)
    let ended = await refusal(
      try await endOwnSession(other.session.id, own, peer: nil, in: world.world))
    #expect(ended?.code == .sessionNotFound)
    #expect(try await endOwnSessions(own, peer: nil, in: world.world) == 1)
    let last = try await world.signIn()
    let login = try #require(shown.first)
    #expect(try await unlinkOwnIdentity(login.id, last, peer: nil, in: world.world))
    #expect(try await world.access(other.session.id).session.end == nil)
  }

  // MARK: Rules for accounts

  /// A world in which `login` has created the account of tara, and gives it this role.
  private static func world(
    _ organizations: [OrganizationID], giving role: AccountRole?
  ) async throws -> ProviderWorld {
    let world = try await Self.world(
      organizations, accounts: .init(role: role, organization: north, updatesAccounts: true))
    try await world.store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(
        Identity(
          issuer: ScriptedProvider.issuer, subject: "made", account: tara, provider: "login",
          linkedAt: TestWorld.start, lastUsedAt: nil, hasCreatedAccount: true))
    }
    return world
  }

  @Test(
    "L-57 the rules of one organization's provider change the role of its own people only",
    arguments: [([north], AccountRole.mentor), ([north, south], AccountRole.technician)]
      as [([OrganizationID], AccountRole)])
  func givenRole(_ organizations: [OrganizationID], _ role: AccountRole) async throws {
    let world = try await Self.world(organizations, giving: .mentor)
    let other = try await world.signIn(at: "second", key: "other")
    _ = try await world.signIn(["sub": .string("made")])

    #expect(try await world.found("tara")?.role == role)
    let isOpen = try await world.access(other.session.id).session.end == nil
    #expect(isOpen == (role == .technician))
  }

  @Test("L-57 a person without a role at one organization's provider stays signed in elsewhere")
  func noRole() async throws {
    let world = try await Self.world([Self.south, Self.north], giving: nil)
    let other = try await world.signIn(at: "second", key: "other")
    let own = try await world.signIn()
    world.clock.advance(seconds: 60)

    let answer = await world.finish(
      try await world.open(), claims: ["sub": .string("made")])

    #expect(answer["reason"] == "wrong_role")
    #expect(try await world.access(own.session.id).session.end == .revoked)
    #expect(try await world.access(other.session.id).session.end == nil)
  }

  // MARK: Products

  private func sync(
    _ access: Access, since cursor: ProductCursor? = nil, _ world: ProviderWorld
  ) async throws -> ProductsAnswer {
    var page: ProductsAnswer?
    if case .page(let answer, _) = try await syncProducts(
      access, since: cursor, tags: [], in: world.world)
    {
      page = answer
    }
    return try #require(page)
  }

  /// Saves a product of each organization, and one of none.
  private func saveProducts(in world: ProviderWorld) async throws {
    try await saveProducts([("n-1", Self.north), ("s-1", Self.south), ("a-1", nil)], in: world)
  }

  private func saveProducts(
    _ owners: [(id: String, organization: OrganizationID?)], in world: ProviderWorld
  ) async throws {
    try await world.store.transact { (transaction) throws(StoreFault) in
      var feed = try transaction.productFeed(of: Self.tara)
      for (id, organization) in owners {
        let entry = ProductEntry(
          id: ProductID(id), name: "Oven", model: "O1", serialNumber: "1", category: "Oven",
          warrantyProvider: nil, purchasedOn: nil, warrantyExpiresOn: nil)
        try transaction.save(
          Product(
            entry: entry, createdAt: TestWorld.start, holder: .owner(Self.tara),
            position: feed.next(), organization: organization))
      }
      try transaction.save(feed)
    }
  }

  @Test("L-57 a limited session reads the products of its organization only")
  func readProducts() async throws {
    let world = try await Self.world([Self.south, Self.north])
    let other = try await world.signIn(at: "second", key: "other")
    let own = try await world.signIn()
    try await saveProducts(in: world)

    let (less, all) = (try await sync(own, world), try await sync(other, world))

    #expect(less.products.map(\.id.text) == ["n-1"])
    #expect(all.products.map(\.id.text) == ["n-1", "s-1", "a-1"])
    // The other session would never get the products that this one did not show.
    #expect(own.productCursor(parsing: less.cursor, in: world.world) != nil)
    #expect(other.productCursor(parsing: less.cursor, in: world.world) == nil)
    #expect(own.productCursor(parsing: all.cursor, in: world.world) == nil)
    for (id, code) in [("n-1", ErrorCode.photoNotFound), ("s-1", ErrorCode.productNotFound)] {
      let refused = await refusal(
        try await readOwnProductPhoto(
          ProductID(id), of: own, isKnown: { _ in false }, in: world.world))
      #expect(refused?.code == code)
    }
  }

  @Test("L-49 what another organization writes changes no answer to a limited session")
  func hiddenProducts() async throws {
    let world = try await Self.world([Self.south, Self.north])
    let own = try await world.signIn()
    try await saveProducts(in: world)
    func read(_ tags: [String] = []) async throws -> ProductSync {
      try await syncProducts(own, since: nil, tags: tags, in: world.world)
    }
    guard case .page(let first, let tag) = try await read() else {
      Issue.record("the first sync has no page")
      return
    }
    let id = RecordKey(Self.south, "s-1").text
    try await world.store.transact { (transaction) throws(StoreFault) in
      guard let product = try transaction.product(ProductID(id)) else { return }
      try transaction.put(product)
      try transaction.leave(product, at: TestWorld.start)
      try transaction.removeProduct(product.id)
    }

    guard case .page(let second, let secondTag) = try await read() else {
      Issue.record("the second sync has no page")
      return
    }
    #expect(second.products == first.products && second.cursor == first.cursor)
    #expect(secondTag == tag)
    guard case .unchanged = try await read([tag]) else {
      Issue.record("the answer changed")
      return
    }
    let later = try #require(own.productCursor(parsing: first.cursor, in: world.world))
    #expect(try await sync(own, since: later, world).removed.isEmpty)
    // What its own organization writes changes the answer.
    let ownID = RecordKey(Self.north, "n-1").text
    try await world.store.transact { (transaction) throws(StoreFault) in
      guard let product = try transaction.product(ProductID(ownID)) else { return }
      try transaction.leave(product, at: TestWorld.start)
      try transaction.removeProduct(product.id)
    }
    guard case .page(let last, _) = try await read([tag]) else {
      Issue.record("the removal is not in the answer")
      return
    }
    #expect(last.products.isEmpty)
    #expect(try await sync(own, since: later, world).removed.map(\.text) == ["n-1"])
  }

  @Test("L-49 a page of a limited session shows nothing of how much other organizations write")
  func hiddenPages() async throws {
    let world = try await Self.world([Self.south, Self.north])
    let own = try await world.signIn()
    let size = ProductFeed.pageLimit
    func hide(_ name: String, _ count: Int) async throws {
      try await saveProducts((1...count).map { ("\(name)-\($0)", Self.south) }, in: world)
    }
    try await hide("before", size + 1)
    try await saveProducts((1..<size).map { ("n-\($0)", Self.north) }, in: world)

    let short = try await sync(own, world)
    try await saveProducts([("n-\(size)", Self.north)], in: world)
    let full = try await sync(own, world)
    try await hide("after", size + 1)
    let same = try await sync(own, world)
    try await saveProducts([("n-more", Self.north)], in: world)
    let first = try await sync(own, world)

    #expect(short.products.count == size - 1 && short.isComplete)
    #expect(full.products.count == size && full.isComplete)
    #expect(same.products == full.products && same.isComplete && same.cursor == full.cursor)
    #expect(first.products == full.products && !first.isComplete)
    let next = try #require(own.productCursor(parsing: first.cursor, in: world.world))
    let last = try await sync(own, since: next, world)
    #expect(last.products.map(\.id.text) == ["n-more"] && last.isComplete)
  }

  @Test("L-49 a page of a limited session reads a limited number of hidden changes")
  func hiddenChangesOfOnePage() async throws {
    let world = try await Self.world([Self.south, Self.north])
    let own = try await world.signIn()
    let most = ProductFeed.pageLimit * ProductFeed.readLimit
    try await saveProducts((2...most).map { ("s-\($0)", Self.south) }, in: world)
    try await saveProducts([("n-1", Self.north)], in: world)

    let whole = try await sync(own, world)
    // Another hidden change before it.
    try await saveProducts([("s-1", Self.south), ("n-1", Self.north)], in: world)
    let first = try await sync(own, world)

    #expect(whole.products.map(\.id.text) == ["n-1"] && whole.isComplete)
    #expect(first.products.isEmpty && !first.isComplete)
    let next = try #require(own.productCursor(parsing: first.cursor, in: world.world))
    let last = try await sync(own, since: next, world)
    #expect(last.products.map(\.id.text) == ["n-1"] && last.isComplete)
  }

  @Test("L-49 a product of another organization neither hides nor shows a removal with its id")
  func productsWithOneID() async throws {
    let world = try await Self.world([Self.south, Self.north])
    let other = try await world.signIn(at: "second", key: "other")
    let own = try await world.signIn()
    func product(_ organization: OrganizationID) -> Product {
      Product(
        entry: ProductEntry(
          id: ProductID("x"), name: organization.text, model: "O1", serialNumber: "1",
          category: "Oven", warrantyProvider: nil, purchasedOn: nil, warrantyExpiresOn: nil),
        createdAt: TestWorld.start, holder: .owner(Self.tara), position: 0,
        organization: organization)
    }
    func put(_ organization: OrganizationID) async throws {
      let product = product(organization)
      try await world.store.transact { (transaction) throws(StoreFault) in
        try transaction.put(product)
      }
    }
    func remove(_ organization: OrganizationID) async throws {
      let id = product(organization).id
      try await world.store.transact { (transaction) throws(StoreFault) in
        guard let product = try transaction.product(id) else { return }
        try transaction.leave(product, at: TestWorld.start)
        try transaction.removeProduct(id)
      }
    }
    func next(_ access: Access, _ before: ProductsAnswer) async throws -> ProductsAnswer {
      let cursor = try #require(access.productCursor(parsing: before.cursor, in: world.world))
      return try await sync(access, since: cursor, world)
    }
    try await put(Self.north)
    let (less, all) = (try await sync(own, world), try await sync(other, world))
    #expect(less.products.map(\.id.text) == ["x"] && all.products.map(\.id.text) == ["x"])

    // The product of north leaves, and one of south gets its id in the app.
    try await remove(Self.north)
    try await put(Self.south)
    let (second, secondOfAll) = (try await next(own, less), try await next(other, all))
    #expect(second.products.isEmpty && second.removed.map(\.text) == ["x"])
    #expect(secondOfAll.products.map(\.name) == ["south"] && secondOfAll.removed.isEmpty)

    // With the same id north has a product again; that of south leaves.
    try await put(Self.north)
    try await remove(Self.south)
    let (third, thirdOfAll) = (try await next(own, second), try await next(other, secondOfAll))
    #expect(third.products.map(\.id.text) == ["north~x"] && third.removed.isEmpty)
    #expect(thirdOfAll.products.map(\.id.text) == ["north~x"])
    #expect(thirdOfAll.removed.map(\.text) == ["x"])
  }

  @Test(
    "L-57 a limited session changes only products of its organization",
    arguments: [("n-1", nil), ("s-1", .productNotFound), ("a-1", .productNotFound)]
      as [(String, ErrorCode?)])
  func changeProducts(_ id: String, _ code: ErrorCode?) async throws {
    let world = try await Self.world([Self.south, Self.north])
    let own = try await world.signIn()
    try await saveProducts(in: world)
    let draft = ServiceRequestDraft(
      product: ProductID(id), description: try ServiceDescription(parsing: "It is cold."))
    let address = try EmailAddress(parsing: "olga@example.com")
    let giver = TransferSender(owner: own, peer: nil, in: world.world)

    let requested = await refusal(
      try await raiseServiceRequest(draft, own, once: nil, peer: nil, in: world.world))
    let given = await refusal(
      try await transferProduct(
        RecordName(id), to: address, giver: giver, once: nil, in: world.world))

    #expect(requested?.code == code && given?.code == code)
  }
}

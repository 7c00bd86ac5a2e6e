import JSONText
import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

/// What a provider says about a number or an address, until the person answers.
@Suite("Contact proposals")
struct ContactProposalTests {
  private static let tara = AccountID("tara")
  private static let oldPhone = "+15550101234"
  private static let newPhone = "+15550101999"
  private static let oldEmail = "tara@example.com"
  private static let newEmail = "tara.new@example.com"

  private static func phone(_ number: String = newPhone, isVerified: Bool = true)
    -> [String: JSON?]
  {
    ["phone_number": .string(number), "phone_number_verified": .bool(isVerified)]
  }

  private static func email(_ address: String = newEmail) -> [String: JSON?] {
    ["email": .string(address), "email_verified": .bool(true)]
  }

  /// A world in which tara has a number, an address, and an identity at each provider.
  private static func world(
    _ edit: (inout IdentityProvider.Settings) -> Void = { _ in }
  ) async throws -> ProviderWorld {
    let world = try await ProviderWorld(edit: edit)
    let address = try EmailAddress(parsing: oldEmail)
    try await world.change("tara") { $0.email = address }
    try await world.insertSecondIdentity()
    return world
  }

  private func shown(
    _ world: ProviderWorld, _ access: Access
  ) async throws -> [AccountUpdate.Proposal] {
    try await readAccount(access, in: world.world).accountUpdate.proposals
  }

  private func accept(
    _ id: String, _ access: Access, _ world: ProviderWorld
  ) async throws(Refusal) {
    try await acceptContactProposal(id, access, languages: ["nb"], peer: nil, in: world.world)
  }

  private func decline(
    _ id: String, _ access: Access, _ world: ProviderWorld
  ) async throws(Refusal) {
    try await declineContactProposal(id, access, peer: nil, in: world.world)
  }

  private func notified(_ world: ProviderWorld) async throws -> [String] {
    let messages = try await world.store.read { (transaction) throws(StoreFault) in
      try transaction.messages(of: Self.tara)
    }
    return messages.filter { $0.kind == .notice }.map(\.to.text).sorted()
  }

  // MARK: Accepting

  @Test("T-16 a new number of a provider changes nothing until the person accepts it")
  func acceptedPhone() async throws {
    let world = try await Self.world { $0.label = "Example login" }
    let other = try await world.signIn(key: "other")
    let own = try await world.signIn(Self.phone())
    let proposal = try #require(try await shown(world, own).first)
    #expect(proposal.channel == .phone && proposal.value == Self.newPhone)
    #expect(proposal.provider == "Example login")
    #expect(own.account.phone?.e164 == Self.oldPhone)
    let earlier = try await notified(world)

    #expect(await success(try await accept(proposal.id, own, world)) != nil)

    let after = try await world.access(own.session.id)
    #expect(after.account.phone?.e164 == Self.newPhone)
    #expect(after.account.phoneChangedAt == world.clock.now())
    #expect(after.session.end == nil)
    #expect(try await world.access(other.session.id).session.end == .revoked)
    #expect(try await shown(world, after).isEmpty)
    let changed = try await world.events(of: "tara").filter { $0.code == .accountChanged }
    #expect(changed.map(\.detail) == ["login phone_number"])
    // The old number and the address get the notice, and the new number gets none.
    let expected = earlier + [Self.oldPhone, Self.oldEmail]
    #expect(try await notified(world) == expected.sorted())
    await deliverMessages(through: [world.messenger], in: world.world)
    let texts = world.messenger.messages.filter { $0.to == own.account.phone.map { .phone($0) } }
    #expect(texts.last?.text.revealed.hasPrefix("E-postadressen eller telefonnummeret") == true)
    // An answer cannot be given twice.
    #expect(await refusal(try await accept(proposal.id, after, world))?.code == .proposalNotFound)
  }

  @Test("T-16 both addresses learn of an accepted address, and other sessions stay")
  func acceptedEmail() async throws {
    let world = try await Self.world()
    let other = try await world.signIn(key: "other")
    let own = try await world.signIn(Self.email())
    let earlier = try await notified(world)
    let proposal = try #require(try await shown(world, own).first)
    #expect(proposal.channel == .email && proposal.value == Self.newEmail)

    #expect(await success(try await accept(proposal.id, own, world)) != nil)

    let after = try await world.access(own.session.id).account
    #expect(after.email?.text == Self.newEmail)
    #expect(after.phone?.e164 == Self.oldPhone && after.phoneChangedAt == nil)
    #expect(try await world.access(other.session.id).session.end == nil)
    #expect(try await notified(world) == (earlier + [Self.oldEmail, Self.newEmail]).sorted())
    let changed = try await world.events(of: "tara").filter { $0.code == .accountChanged }
    #expect(changed.map(\.detail) == ["login email"])
  }

  @Test("A first number of an account without one is a proposal too")
  func firstPhone() async throws {
    let world = try await Self.world()
    try await world.change("tara") { $0.phone = nil }
    let own = try await world.signIn(Self.phone())
    let proposal = try #require(try await shown(world, own).first)
    #expect(await success(try await accept(proposal.id, own, world)) != nil)
    #expect(try await world.found("tara")?.phone?.e164 == Self.newPhone)
  }

  // MARK: Declining

  @Test("A declined value is not proposed again, and another one is")
  func declined() async throws {
    let world = try await Self.world()
    var own = try await world.signIn(Self.phone())
    let proposal = try #require(try await shown(world, own).first)

    #expect(await success(try await decline(proposal.id, own, world)) != nil)

    #expect(try await shown(world, own).isEmpty)
    #expect(await refusal(try await decline(proposal.id, own, world))?.code == .proposalNotFound)
    #expect(await refusal(try await accept(proposal.id, own, world))?.code == .proposalNotFound)
    let event = try await world.events(of: "tara").first { $0.code == .proposalDeclined }
    #expect(event?.detail == "login phone_number")
    #expect(try await world.found("tara")?.phone?.e164 == Self.oldPhone)

    own = try await world.signIn(Self.phone())
    #expect(try await shown(world, own).isEmpty)
    own = try await world.signIn(Self.phone("+15550101888"))
    #expect(try await shown(world, own).map(\.value) == ["+15550101888"])
    // The provider agrees with the account, so an earlier answer is of no interest any more.
    own = try await world.signIn(Self.phone(Self.oldPhone))
    #expect(try await world.storedProposals().isEmpty)
    own = try await world.signIn(Self.phone())
    #expect(try await shown(world, own).map(\.value) == [Self.newPhone])
  }

  // MARK: Which sessions

  @Test("Only a session that began at the provider since then sees a proposal and can answer it")
  func sessions() async throws {
    let world = try await Self.world()
    let earlier = try await world.signIn(key: "earlier")
    let own = try await world.signIn(Self.phone())
    let second = try await world.signIn(at: "second", key: "second")
    let again = try await world.signIn(Self.phone(), key: "again")
    let id = try #require(try await shown(world, own).first?.id)
    #expect(try await shown(world, again).map(\.id) == [id])

    var password = own.session
    password.provider = nil
    let scopeless = try #require(try await world.sessions(of: "tara").first).scope
    #expect(scopeless.contains("account"))
    let withoutProvider = Access(
      account: own.account, session: password, client: own.client)
    for other in [earlier, second, withoutProvider] {
      #expect(try await shown(world, other).isEmpty)
      #expect(await refusal(try await accept(id, other, world))?.code == .proposalNotFound)
      #expect(await refusal(try await decline(id, other, world))?.code == .proposalNotFound)
    }
    #expect(try await world.found("tara")?.phone?.e164 == Self.oldPhone)
  }

  @Test("A session without the scope account sees no proposal")
  func scope() async throws {
    let world = try await Self.world()
    let own = try await world.signIn(Self.phone())
    let session = own.session
    let less = Session(
      id: session.id, account: session.account, client: session.client,
      proofKeyThumbprint: session.proofKeyThumbprint, scope: "openid offline_access",
      organization: nil, authenticationMethods: session.authenticationMethods,
      startedAt: session.startedAt, expiresAt: session.expiresAt, lastUsedAt: session.lastUsedAt,
      refreshGeneration: 0, end: nil)
    var limited = less
    limited.provider = session.provider
    let access = Access(account: own.account, session: limited, client: own.client)
    #expect(try await shown(world, access).isEmpty)
    #expect(try await shown(world, own).count == 1)
  }

  @Test("A proposal can be answered for seven days, and is then removed")
  func expiry() async throws {
    let world = try await Self.world()
    let own = try await world.signIn(Self.phone().merging(Self.email()) { $1 })
    let proposals = try await shown(world, own)
    #expect(proposals.map(\.channel) == [.phone, .email] || proposals.count == 2)
    let phone = try #require(proposals.first { $0.channel == .phone })
    let email = try #require(proposals.first { $0.channel == .email })
    #expect(await success(try await decline(email.id, own, world)) != nil)
    let end = try #require(try await world.storedProposals().first).proposedAt
      .adding(seconds: ContactProposal.lifeSeconds)

    world.clock.advance(seconds: world.clock.now().wholeSeconds(until: end) - 1)
    #expect(try await shown(world, own).map(\.id) == [phone.id])
    world.clock.advance(seconds: 1)
    #expect(try await shown(world, own).isEmpty)
    #expect(await refusal(try await accept(phone.id, own, world))?.code == .proposalNotFound)
    world.clock.advance(seconds: 1)
    await removeExpiredRecords(in: world.world)
    // The declined one stays, so that it is not proposed again.
    #expect(try await world.storedProposals().map(\.id) == [email.id])
    let again = try await world.signIn(Self.phone().merging(Self.email()) { $1 })
    #expect(try await shown(world, again).map(\.channel) == [.phone])
  }

  // MARK: What is not proposed

  @Test("A value that another account has proved is not proposed, and cannot be accepted later")
  func taken() async throws {
    let world = try await Self.world()
    let own = try await world.signIn(Self.phone())
    let id = try #require(try await shown(world, own).first?.id)
    let other = Account(
      id: AccountID("olga"), email: try EmailAddress(parsing: Self.newEmail),
      phone: try PhoneNumber(parsing: Self.newPhone), name: "Olga", role: .technician,
      status: .active, passwordHash: nil, organizations: [], createdAt: TestWorld.start,
      emailProof: .code, phoneProof: .code)
    try await world.store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(other)
    }

    #expect(await refusal(try await accept(id, own, world))?.code == .accountExists)
    #expect(try await world.found("tara")?.phone?.e164 == Self.oldPhone)
    let claims = Self.phone().merging(Self.email()) { $1 }
    let again = try await world.signIn(claims)
    #expect(try await shown(world, again).isEmpty)
    #expect(try await world.storedProposals().isEmpty)
  }

  @Test("A value that is not verified, or that the provider cannot know, is not proposed")
  func unverified() async throws {
    let world = try await Self.world { $0.emailDomains = ["example.org"] }
    for claims in [Self.phone(isVerified: false), Self.email(), Self.phone(Self.oldPhone)] {
      _ = try await world.signIn(claims)
      #expect(try await world.storedProposals().isEmpty)
    }
    let own = try await world.signIn(Self.email("tara@example.org"))
    #expect(try await shown(world, own).count == 1)
  }

  @Test("Administrators get no proposal, because they cannot change their own number")
  func administrator() async throws {
    let world = try await Self.world()
    let own = try await world.signIn(Self.phone())
    let id = try #require(try await shown(world, own).first?.id)
    try await world.change("tara") { $0.role = .administrator }
    #expect(try await shown(world, own).isEmpty)
    #expect(await refusal(try await accept(id, own, world))?.code == .proposalNotFound)

    var claims = ProviderClaims(subject: "s")
    claims.phone = try PhoneNumber(parsing: "+15550101888")
    let (said, now) = (claims, world.clock.now())
    let provider = try #require(world.world.providers?.provider("login"))
    let ids = ProposalIdentifiers(in: world.world)
    for role in [AccountRole.administrator, .technician] {
      try await world.change("tara") { $0.role = role }
      try await world.store.transact { (transaction) throws(StoreFault) in
        guard let account = try transaction.account(Self.tara) else { throw .conflict }
        try transaction.propose(said, of: provider, to: account, ids, at: now)
      }
      let isProposed = try await world.storedProposals().contains {
        $0.value.text == "+15550101888"
      }
      #expect(isProposed == (role == .technician))
    }
  }

  @Test("A newer value replaces the open proposal, also if another provider gives it")
  func replaced() async throws {
    let world = try await Self.world()
    let first = try await world.signIn(Self.phone(), key: "first")
    let old = try #require(try await shown(world, first).first)
    let claims = Self.phone("+15550101888").merging(["sub": .string("s")]) { $1 }
    let second = try await world.signIn(claims, at: "second", key: "second")
    #expect(try await world.storedProposals().map(\.value.text) == ["+15550101888"])
    #expect(try await shown(world, first).isEmpty)
    #expect(await refusal(try await accept(old.id, first, world))?.code == .proposalNotFound)
    #expect(try await shown(world, second).map(\.value) == ["+15550101888"])
  }

  // MARK: The end of the identity and of the account

  @Test("S-04 the proposals of an unlinked identity are removed and cannot be accepted")
  func unlinked() async throws {
    let world = try await Self.world()
    let own = try await world.signIn(Self.phone())
    let id = try #require(try await shown(world, own).first?.id)
    let identities = await result(
      try await listIdentities(of: Self.tara, rules: .operatorCommand, in: world.world))
    let handle = try #require(identities.value?.first { $0.provider == "login" }?.id)
    let removed = await result(
      try await unlinkIdentity(
        handle, of: Self.tara, rules: .operatorCommand, in: world.world))
    #expect(removed.value == true)
    #expect(try await world.storedProposals().isEmpty)
    #expect(await refusal(try await accept(id, own, world))?.code == .proposalNotFound)
  }

  @Test("An export has the proposals, and the erasure of the account removes them")
  func exportAndErasure() async throws {
    let world = try await Self.world()
    _ = try await world.signIn(Self.phone())
    let export = try #require(
      await success(try await exportAccount(Self.tara, rules: .operatorCommand, in: world.world)))
    let proposals = export["contact_proposals"]?.elements
    #expect(proposals?.map { $0["value"]?.text } == [Self.newPhone])
    #expect(proposals?.first?["channel"]?.text == "phone")
    let erased = await result(
      try await eraseAccount(Self.tara, rules: .operatorCommand, in: world.world))
    #expect(erased.value != nil)
    #expect(try await world.storedProposals().isEmpty)
  }

  @Test("The user info is read for the number if the scopes request it and no account is created")
  func userInfo() async throws {
    for scope in ["phone", "phoneNumber", "email"] {
      let world = try await Self.world { $0.scopes = ["openid", scope] }
      let journey = try await world.open()
      let code = await world.finish(journey) {
        world.provider.answer(
          "/userinfo",
          #"{"sub":"s","phone_number":"\#(Self.newPhone)","phone_number_verified":true}"#)
      }["code"]
      #expect(code != nil)
      #expect(try await world.storedProposals().count == (scope == "email" ? 0 : 1))
    }
  }
}

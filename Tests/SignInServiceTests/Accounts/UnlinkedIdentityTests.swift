import SignInModel
import SignInRules
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

/// What remains of an identity after it was unlinked, and of a provider's answer after an attack.
@Suite("Unlinked identities")
struct UnlinkedIdentityTests {
  private static let tara = AccountID("tara")
  private static let north = OrganizationID("north")

  private func identity(_ world: ProviderWorld) async throws -> String {
    let found = await result(
      try await listIdentities(of: Self.tara, rules: .operatorCommand, in: world.world))
    return try #require(found.value?.first?.id)
  }

  @Test("S-04 a code of an earlier sign-in begins no session after the identity was unlinked")
  func code() async throws {
    let world = try await ProviderWorld()
    let code = try #require(await world.finish(try await world.open())["code"])
    let removed = await result(
      try await unlinkIdentity(
        try await identity(world), of: Self.tara, rules: .operatorCommand, in: world.world))
    #expect(removed.value == true)
    #expect(await world.redeem(code).refused == .invalidGrant)
  }

  @Test(
    "L-08 wrong passwords of another person do not keep a person from signing in at the provider")
  func lockout() async throws {
    let world = try await ProviderWorld()
    let code = try #require(await world.finish(try await world.open())["code"])
    let now = world.clock.now()
    try await world.store.transact { (transaction) throws(StoreFault) in
      var counter = try transaction.failures(
        in: try transaction.failureBucket(of: Self.tara, device: "key", at: now))
      for _ in 0..<5 {
        _ = counter.reserve(at: now, under: TestWorld.technicians.policy.lockout)
        _ = counter.settleWrong(at: now, under: TestWorld.technicians.policy.lockout)
      }
      try transaction.save(
        counter, in: try transaction.failureBucket(of: Self.tara, device: "key", at: now))
    }
    #expect(await world.redeem(code).value != nil)
  }

  private func notices(_ world: ProviderWorld) async throws -> [OutboxMessage] {
    try await world.store.read { (transaction) throws(StoreFault) in
      try transaction.messages(after: nil, limit: 100)
    }.filter { $0.kind == .notice }
  }

  @Test(
    "T-16 the person gets a notice of a link and its removal, and the log names the provider",
    arguments: [false, true])
  func notified(_ byText: Bool) async throws {
    let world = try await ProviderWorld(sendsNoticesBySMS: byText) { $0.label = "Acme login" }
    let address = try EmailAddress(parsing: "tara@example.com")
    try await world.change("tara") { $0.email = address }
    let link = try #require(IdentityLink(provider: "second", subject: "other"))
    for _ in 0..<2 {
      let linked = await result(
        try await linkIdentity(
          link, to: Self.tara, rules: .operatorCommand, in: world.world))
      #expect(linked.value?.provider == "second")
    }
    #expect(try await notices(world).count == (byText ? 2 : 1))
    let removed = await result(
      try await unlinkIdentity(
        try await identity(world), of: Self.tara, rules: .operatorCommand, in: world.world))
    #expect(removed.value == true)
    let sent = try await notices(world)
    #expect(sent.count { $0.to == .email(address) } == 2)
    #expect(sent.count { $0.channel == .sms } == (byText ? 2 : 0))
    let events = try await world.events(of: "tara").map { "\($0.code.rawValue) \($0.detail ?? "")" }
    #expect(
      events == ["account.identity_unlinked shell login", "account.identity_linked shell second"])
  }

  @Test(
    "An identity of a provider for all organizations is linked with a permission in all of them",
    arguments: [
      (Permission.everything, true), (Permission([.init(.administrator, in: north)]), false),
    ]
  )
  func sharedProvider(_ permission: Permission, isLinked: Bool) async throws {
    let world = try await ProviderWorld()
    try await world.change("tara") { $0.organizations = [Self.north] }
    let administrator = Account(
      id: AccountID("ada"), email: try EmailAddress(parsing: "ada@example.com"), phone: nil,
      name: "Ada", role: .administrator, status: .active, passwordHash: nil,
      organizations: [Self.north], permission: permission, createdAt: world.clock.now())
    try await world.store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(administrator)
    }
    let link = try #require(IdentityLink(provider: "second", subject: "elsewhere"))

    let linked = await result(
      try await linkIdentity(link, to: Self.tara, rules: TestWorld.rules, in: world.world))

    #expect((linked.value != nil) == isLinked)
    #expect(linked.refusal?.code == (isLinked ? nil : .invalidRequest))
  }

  @Test("T-16 a notice of a link names the provider", arguments: MessageLanguage.allCases)
  func text(_ language: MessageLanguage) {
    let now = Instant(seconds: 1_800_000_000)
    for notice in [
      SecurityNotice.identityLinked(provider: "Acme login"),
      .identityUnlinked(provider: "Acme login"),
    ] {
      let text = NoticeText(notice, in: language, at: now)
      #expect(text.body.contains("Acme login") && text.body.contains("2027-01-15 08:00 UTC"))
      #expect(!text.subject.contains("\n"))
    }
  }
}

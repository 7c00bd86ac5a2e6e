import JSONText
import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

@Suite("Providers of one organization")
struct ProviderOwnerTests {
  private static let north = OrganizationID("north")
  private static let south = OrganizationID("south")

  private static func provider(
    _ members: String, name: String = "login", issuer: String = "https://login.example.net"
  ) -> String {
    """
    { "name": "\(name)", "kind": "openid", "issuer": "\(issuer)", "client_id": "c",
      "client_secret_file": "/s", "scopes": ["openid"]\(members) }
    """
  }

  private static func mistakes(_ providers: String...) throws -> [ConfigurationMistake] {
    try ConfigurationSample.mistakes(
      ("providers", "[\(providers.joined(separator: ","))]"),
      ("clients.0.providers", "[\"login\"]"))
  }

  private static let owned = #", "administered_by": "north""#
  private static let creating = #", "create_accounts": true, "role": "mentor""#

  @Test(
    "L-57 an organization's own provider is not offered to people of others",
    arguments: [
      (owned, nil), (owned + #", "organization": "north""#, nil),
      (owned + creating + #", "organization": "north""#, nil),
      (#", "administered_by": "east""#, "providers[0].administered_by"),
      (owned + creating, "providers[0].organization"),
      (owned + #", "organization": "south""#, "providers[0].organization"),
      (
        owned + creating + #", "organization": "north", "account_rules": [{"claim": "hd","#
          + #" "values": ["a"], "organization": "south"}]"#,
        "providers[0].account_rules[0].organization"
      ),
    ] as [(String, String?)])
  func offered(_ members: String, _ path: String?) throws {
    let mistakes = try Self.mistakes(Self.provider(members))

    #expect(mistakes.map(\.path) == [path].compactMap { $0 })
    #expect(mistakes.allSatisfy { !$0.remedy.isEmpty })
  }

  @Test("L-57 two providers with one issuer have the same people, so they belong to the same")
  func sharedIssuer() throws {
    let (first, second) = (Self.provider(Self.owned), Self.provider("", name: "second"))
    let other = Self.provider("", name: "second", issuer: "https://other.example.net")

    #expect(try Self.mistakes(first, second).map(\.path) == ["providers[1].administered_by"])
    #expect(try Self.mistakes(second, first).map(\.path) == ["providers[1].administered_by"])
    #expect(try Self.mistakes(first, Self.provider(Self.owned, name: "second")) == [])
    #expect(try Self.mistakes(first, other) == [])
  }

  /// The result of a link by an administrator of the organization `north`.
  private func link(
    _ permission: Permission, _ edit: @escaping (inout IdentityProvider.Settings) -> Void
  ) async throws -> ErrorCode? {
    let world = try await ProviderWorld(edit: edit)
    try await world.change("tara") { $0.organizations = [Self.north] }
    let administrator = Account(
      id: AccountID("ada"), email: try EmailAddress(parsing: "ada@example.com"), phone: nil,
      name: "Ada", role: .administrator, status: .active, passwordHash: nil,
      organizations: [Self.north], permission: permission, createdAt: world.clock.now())
    try await world.store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(administrator)
    }
    let link = try #require(IdentityLink(provider: "second", subject: "elsewhere"))
    return await result(
      try await linkIdentity(link, to: AccountID("tara"), rules: TestWorld.rules, in: world.world)
    ).refusal?.code
  }

  @Test("L-57 the organization of new accounts gives its administrators no identities to link")
  func defaultIsNoOwner() async throws {
    let local = Permission([.init(.administrator, in: Self.north)])
    let creating: @Sendable (inout IdentityProvider.Settings) -> Void = {
      $0.newAccounts = .init(role: .technician, organization: Self.north)
    }

    #expect(try await link(local, creating) == .invalidRequest)
    #expect(try await link(.everything, creating) == nil)
    #expect(try await link(local) { $0.administeredBy = Self.north } == nil)
    #expect(try await link(local) { $0.administeredBy = Self.south } == .invalidRequest)
  }

  @Test("L-57 an organization's own provider signs in to this organization only")
  func organization() async throws {
    let world = try await ProviderWorld { $0.administeredBy = Self.north }
    let outside = await world.finish(try await world.open())
    try await world.change("tara") { $0.organizations = [Self.south, Self.north] }

    let inside = await world.finish(try await world.open())
    let tokens = try await world.redeem(try #require(inside["code"])).get()
    let changed = await world.refresh(tokens, organization: "south")

    #expect(outside["reason"] == "account_not_registered")
    #expect(tokens.session.organization == Self.north)
    #expect(changed.refusal?.code == .notAMember)
    try await world.change("tara") { $0.organizations = [Self.south] }
    #expect(await world.refresh(tokens).refusal?.reason == "revoked")
  }

  @Test("P-10 an ID token may name an audience that the configuration trusts")
  func trustedAudience() async throws {
    let bytes = try ConfigurationSample.edited([
      ("issuer", "\"http://127.0.0.1:8443\""),
      ("providers", "[\(Self.provider(#", "trusted_audiences": ["project-7"]"#))]"),
    ])
    let read = try Configuration.parse(bytes, development: true).get().providers[0].settings
    let claims: [String: JSON?] = [
      "aud": .array([.string("client-1"), .string("project-7")]), "azp": .string("client-1"),
    ]
    let (trusting, other) = (
      try await ProviderWorld { $0.trustedAudiences = read.trustedAudiences },
      try await ProviderWorld()
    )

    #expect(read.trustedAudiences == ["project-7"])
    #expect(await trusting.finish(try await trusting.open(), claims: claims)["code"] != nil)
    let refused = await other.finish(try await other.open(), claims: claims)
    #expect(refused["reason"] == "untrusted_answer")
    for (count, isValid) in [(16, true), (17, false)] {
      let list = (0..<count).map { "\"a\($0)\"" }.joined(separator: ",")
      let found = try Self.mistakes(Self.provider(#", "trusted_audiences": [\#(list)]"#))
      #expect(found.isEmpty == isValid)
    }
  }

  @Test(
    "L-54 a provided name keeps its letters and loses marks that a typed name must not have",
    arguments: [
      ("\u{200E}Nora Eide", "Nora Eide"), ("\u{202B}نورا\u{202C}", "نورا"), ("  Åse\u{AD} ", "Åse"),
      ("\u{FEFF}Ola\nNordmann", "OlaNordmann"), ("\u{200F}\u{2066}", nil), ("", nil),
    ] as [(String, String?)])
  func providedName(_ raw: String, _ name: String?) async throws {
    #expect(PersonName(provided: raw)?.text == name)
    let world = try await ProviderWorld(createsAccounts: .technician)
    let result = await world.finish(
      try await world.open(), claims: ["sub": .string("new"), "name": .string(raw)])
    let tokens = try await world.redeem(try #require(result["code"])).get()
    let account = try await world.found(try #require(world.account(of: tokens)))
    #expect(account?.name == name ?? "login")
  }

  @Test("L-54 a provided name is cut after a hundred characters")
  func longName() {
    let limit = PersonName.lengthLimit
    for count in [limit - 1, limit, limit + 1] {
      let name = PersonName(provided: "\u{200E}" + String(repeating: "é", count: count))
      #expect(name?.text.unicodeScalars.count == min(count, limit))
    }
    let marks = String(repeating: "\u{200E}", count: 10 * limit)
    #expect(PersonName(provided: marks.dropLast() + "a")?.text == "a")
    #expect(PersonName(provided: marks + "a") == nil)
  }

  @Test(
    "L-54 names in the configuration pass the reader of typed names",
    arguments: ["organizations.0.name", "clients.0.name", "providers.0.label"])
  func configuredName(_ path: String) throws {
    for (name, isValid) in [
      ("Åse AS", true), ("\u{200E}North", false), ("No\u{202E}rth", false), ("   ", false),
      ("N\u{200B}orth", false),
    ] {
      let mistakes = try ConfigurationSample.mistakes(
        ("providers", "[\(Self.provider(""))]"), ("clients.0.providers", "[\"login\"]"),
        (path, "\"\(name)\""))
      #expect(mistakes.isEmpty == isValid, "\(mistakes)")
    }
  }

  @Test("L-57 the order of an app's roles decides no role of a new account")
  func registrationRole() throws {
    func mistakes(_ roles: String) throws -> [String] {
      try ConfigurationSample.mistakes(
        ("clients.1.allow_registration", "true"), ("clients.1.roles", roles)
      ).map(\.path)
    }
    #expect(try mistakes(#"["rider"]"#) == [])
    #expect(try mistakes(#"["rider", "owner"]"#) == ["clients[1].roles"])
    #expect(try mistakes(#"["administrator"]"#).contains("clients[1].roles"))
  }
}

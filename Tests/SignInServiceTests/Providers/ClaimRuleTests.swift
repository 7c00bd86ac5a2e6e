import JSONText
import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

@Suite("Roles and organizations by the claims of a provider")
struct ClaimRuleTests {
  private static let rules = [
    ClaimRule(
      claim: "groups", values: ["g-1", "g-2"], role: .mentor,
      organization: OrganizationID("north")),
    ClaimRule(
      claim: "hd", values: ["acme.example"], role: nil, organization: OrganizationID("south")),
    ClaimRule(claim: "is_staff", values: ["true"], role: .mentor, organization: nil),
    ClaimRule(claim: "cognito:groups", values: ["techs"], role: .technician, organization: nil),
  ]

  private static func accounts(
    role: AccountRole? = .technician, updates: Bool = false
  ) -> IdentityProvider.NewAccounts {
    IdentityProvider.NewAccounts(
      role: role, organization: OrganizationID("home"), rules: rules, updatesAccounts: updates)
  }

  private static let assignments: [(String, Assignment)] = [
    (#"{"groups":["g-2"]}"#, .assigned(.mentor, OrganizationID("north"))),
    (#"{"groups":"g-1"}"#, .assigned(.mentor, OrganizationID("north"))),
    // The first rule that applies counts.
    (
      #"{"groups":["x","g-1"],"hd":"acme.example"}"#,
      .assigned(.mentor, OrganizationID("north"))
    ),
    // What a rule does not say is the default.
    (#"{"groups":[],"hd":"acme.example"}"#, .assigned(.technician, OrganizationID("south"))),
    (#"{"is_staff":true}"#, .assigned(.mentor, OrganizationID("home"))),
    (#"{"is_staff":false}"#, .assigned(.technician, OrganizationID("home"))),
    (#"{"cognito:groups":["techs"]}"#, .assigned(.technician, OrganizationID("home"))),
    // Other values equal nothing.
    (#"{"groups":{"g-1":1},"is_staff":1}"#, .assigned(.technician, OrganizationID("home"))),
    (
      #"{"groups":["G-1","g-1 "],"hd":"Acme.example"}"#,
      .assigned(.technician, OrganizationID("home"))
    ),
    (#"{"groups":[["g-1"],1,null]}"#, .assigned(.technician, OrganizationID("home"))),
    ("{}", .assigned(.technician, OrganizationID("home"))),
  ]

  @Test("P-10 the first rule that applies gives role and organization", arguments: assignments)
  func assignment(_ claims: String, _ expected: Assignment) throws {
    let new = Self.accounts()
    var values = ClaimValues()
    values.read(try JSONReader.read(Array(claims.utf8)), for: new.claims)
    #expect(new.assignment(for: values) == expected)
  }

  @Test("P-10 without a rule that applies and without a default there is no role")
  func noRole() throws {
    let new = Self.accounts(role: nil)
    var values = ClaimValues()
    values.read(try JSONReader.read(Array(#"{"hd":"acme.example"}"#.utf8)), for: new.claims)
    #expect(new.assignment(for: values) == .noRole)
  }

  private static let withheld = [
    #"{"_claim_names":{"groups":"src1"},"_claim_sources":{"src1":{"endpoint":"https://x"}}}"#,
    #"{"hasgroups":true}"#, #"{"hasgroups":"true"}"#,
    #"{"_claim_names":{"groups":"src1"},"hd":"acme.example"}"#,
  ]

  @Test("P-10 a claim that the provider has and did not send ends the search", arguments: withheld)
  func unknown(_ claims: String) throws {
    let new = Self.accounts()
    var values = ClaimValues()
    values.read(try JSONReader.read(Array(claims.utf8)), for: new.claims)
    #expect(new.assignment(for: values) == .unknown(claim: "groups"))
    values.set("groups", to: ["g-1"])
    #expect(new.assignment(for: values) == .assigned(.mentor, OrganizationID("north")))
  }

  private static let person: [String: JSON?] = [
    "sub": .string("new"), "phone_number": .string("+15550101111"),
    "phone_number_verified": .bool(true),
  ]

  /// Signs in with these claims, and returns the account or the reason of the refusal.
  private static func signIn(
    _ world: ProviderWorld, _ claims: [String: JSON?], subject: String = "new",
    before change: () -> Void = {}
  ) async throws -> String {
    let all = person.merging(claims) { $1 }.merging(["sub": .string(subject)]) { $1 }
    let result = await world.finish(try await world.open(), claims: all, before: change)
    guard let code = result["code"] else { return result["reason"] ?? "" }
    return world.account(of: try await world.redeem(code).get()) ?? ""
  }

  @Test("P-10 a new account gets the role and the organization of the rules")
  func creation() async throws {
    let world = try await ProviderWorld { $0.newAccounts = Self.accounts(role: nil) }
    #expect(try await Self.signIn(world, ["groups": .array([])]) == "account_not_registered")
    let id = try await Self.signIn(world, ["groups": .array([.string("g-1")])])
    let account = try #require(try await world.found(id))
    #expect(account.role == .mentor)
    #expect(account.organizations == [OrganizationID("north")])
    // Without `update_accounts` a later sign-in changes nothing.
    #expect(try await Self.signIn(world, ["groups": .array([])]) == id)
    #expect(try await world.found(id)?.role == .mentor)
  }

  @Test("P-10 a claim of the user info is compared if the ID token does not have it")
  func userInfo() async throws {
    let world = try await ProviderWorld { $0.newAccounts = Self.accounts(role: nil) }
    let id = try await Self.signIn(world, [:]) {
      world.provider.answer("/userinfo", #"{"sub":"new","groups":["g-2"]}"#)
    }
    #expect(try await world.found(id)?.role == .mentor)
  }

  @Test("P-10 a sign-in does not change an account that another provider entry created")
  func otherEntry() async throws {
    let world = try await ProviderWorld { $0.newAccounts = Self.accounts(updates: true) }
    let id = AccountID("made-elsewhere")
    var account = try #require(try await world.found("tara"))
    account = Account(
      id: id, email: nil, phone: try PhoneNumber(parsing: "+15550101999"), name: "Elsewhere",
      role: .technician, status: .active, passwordHash: nil, organizations: [],
      createdAt: account.createdAt)
    let made = account
    let identity = Identity(
      issuer: ScriptedProvider.issuer, subject: "made", account: id, provider: "other entry",
      linkedAt: TestWorld.start, lastUsedAt: nil, hasCreatedAccount: true)
    try await world.store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(made)
      try transaction.insert(identity)
    }

    #expect(
      try await Self.signIn(world, ["groups": .array([.string("g-1")])], subject: "made")
        == id.text)
    #expect(try await world.found(id.text)?.role == .technician)
  }

  @Test(
    "P-10 a provider whose issuer may be shared creates accounts only for its e-mail domains",
    arguments: [("a@acme.example", true), ("a@gmail.example", false), (nil, false)])
  func emailDomains(_ email: String?, _ isCreated: Bool) async throws {
    let world = try await ProviderWorld {
      $0.newAccounts = Self.accounts()
      $0.emailDomains = ["acme.example"]
      $0.requiresEmailOfDomains = true
    }
    let claims: [String: JSON?] = [
      "email": email.map { .string($0) }, "email_verified": .bool(true),
    ]
    let result = try await Self.signIn(world, claims)
    #expect((result != "account_not_registered") == isCreated)
  }

  @Test("P-10 L-17 a sign-in updates an account that the provider created, and ends its sessions")
  func update() async throws {
    let world = try await ProviderWorld { $0.newAccounts = Self.accounts(updates: true) }
    let id = try await Self.signIn(world, ["groups": .array([.string("g-1")])])
    try await world.change(id) { $0.organizations.append(OrganizationID("other")) }
    world.clock.advance(seconds: 1)
    #expect(try await Self.signIn(world, ["hd": .string("acme.example")]) == id)
    let account = try #require(try await world.found(id))
    #expect(account.role == .technician)
    // An organization that the rules do not name was given by an administrator.
    #expect(account.organizations == [OrganizationID("other"), OrganizationID("south")])
    #expect(try await world.sessions(of: id).map(\.end).filter { $0 == .revoked }.count == 1)
    let changed = try await world.events(of: id).first { $0.code == .accountChanged }
    #expect(changed?.detail == "login role organizations")
  }

  @Test("L-17 leaving an organization ends the sessions in it, and the role stays")
  func leaving() async throws {
    let world = try await ProviderWorld { $0.newAccounts = Self.accounts(updates: true) }
    let id = try await Self.signIn(world, [:])
    #expect(try await world.sessions(of: id).first?.organization == OrganizationID("home"))
    world.clock.advance(seconds: 1)
    #expect(try await Self.signIn(world, ["hd": .string("acme.example")]) == id)
    let ends = try await world.sessions(of: id).map(\.end)
    #expect(ends.contains(.revoked) && ends.contains(nil))
    // The same claims change nothing.
    let count = try await world.events(of: id).count { $0.code == .accountChanged }
    // A sign-in of the moment of the sign-out would end with it.
    world.clock.advance(seconds: 1)
    #expect(try await Self.signIn(world, ["hd": .string("acme.example")]) == id)
    #expect(try await world.events(of: id).count { $0.code == .accountChanged } == count)
  }

  @Test("L-17 a person who lost every role is refused, and the sessions end")
  func lostRole() async throws {
    let world = try await ProviderWorld {
      $0.newAccounts = Self.accounts(role: nil, updates: true)
    }
    let id = try await Self.signIn(world, ["groups": .array([.string("g-1")])])
    #expect(try await Self.signIn(world, [:]) == "wrong_role")
    #expect(try await world.sessions(of: id).map(\.end) == [.revoked])
    #expect(try await world.found(id)?.role == .mentor)
  }

  @Test("P-10 accounts of administrators and linked accounts are not updated")
  func notUpdated() async throws {
    let world = try await ProviderWorld { $0.newAccounts = Self.accounts(updates: true) }
    let groups: [String: JSON?] = ["groups": .array([.string("g-1")])]
    #expect(try await Self.signIn(world, groups, subject: "s") == "tara")
    #expect(try await world.found("tara")?.role == .technician)
    let id = try await Self.signIn(world, [:])
    try await world.change(id) { $0.role = .administrator }
    #expect(try await Self.signIn(world, groups) == "wrong_role")
    #expect(try await world.found(id)?.role == .administrator)
  }

  // MARK: Groups of Microsoft Entra

  private static let graph = "/graph/v1.0/me/getMemberObjects"
  private static let tooMany: [String: JSON?] = [
    "_claim_names": .members([JSONMember("groups", "src1")])
  ]

  private static func entra(updates: Bool = false) async throws -> ProviderWorld {
    try await ProviderWorld {
      $0.newAccounts = accounts(updates: updates)
      $0.groupEndpoint = ScriptedProvider.issuer + "/graph"
    }
  }

  @Test("P-10 groups that are not in the ID token are read from Microsoft Graph")
  func graphGroups() async throws {
    let world = try await Self.entra()
    world.provider.answer(
      Self.graph,
      #"{"value":["a"],"@odata.nextLink":"\#(ScriptedProvider.issuer)/graph/next?x=1"}"#)
    world.provider.answer("/graph/next?x=1", #"{"value":["g-2"]}"#)
    let id = try await Self.signIn(world, Self.tooMany)
    #expect(try await world.found(id)?.role == .mentor)
    let request = try #require(world.provider.requests.first { $0.url.hasSuffix(Self.graph) })
    #expect(request.json == #"{"securityEnabledOnly":false}"#)
    #expect(request.authorization?.revealed == "Bearer a")
    // A known account needs no groups if it is not updated.
    let calls = world.provider.asked.count { $0 == Self.graph }
    world.provider.fail(Self.graph)
    #expect(try await Self.signIn(world, Self.tooMany) == id)
    #expect(world.provider.asked.count { $0 == Self.graph } == calls)
  }

  private static let groupAnswers: [(String, Int, String)] = [
    ("{}", 200, "untrusted_answer"), (#"{"value":"g-1"}"#, 200, "untrusted_answer"),
    (#"{"value":["g-1",1]}"#, 200, "untrusted_answer"), ("<html>", 200, "untrusted_answer"),
    (#"{"value":["g-1"],"@odata.nextLink":7}"#, 200, "untrusted_answer"),
    (
      #"{"value":["g-1"],"@odata.nextLink":"https://login.example.net.evil.example/graph/"}"#, 200,
      "untrusted_answer"
    ),
    (
      #"{"value":["g-1"],"@odata.nextLink":"https://login.example.net/graphs"}"#, 200,
      "untrusted_answer"
    ),
    (#"{"error":{}}"#, 403, "provider_misconfigured"),
    (#"{"error":{}}"#, 400, "provider_misconfigured"),
    (#"{"value":["g-1"]}"#, 302, "provider_unavailable"), ("", 503, "provider_unavailable"),
    (
      #"{"value":["g-1""# + String(repeating: #","x""#, count: 70_000) + "]}", 200,
      "untrusted_answer"
    ),
  ]

  @Test(
    "P-10 without its groups a person is refused, with a new account and with a known one",
    arguments: groupAnswers)
  func wrongGroups(_ body: String, _ status: Int, _ reason: String) async throws {
    let world = try await Self.entra(updates: true)
    world.provider.answer(Self.graph, body, status: status)
    #expect(try await Self.signIn(world, Self.tooMany) == reason)
    world.provider.answer(Self.graph, #"{"value":["g-1"]}"#)
    let id = try await Self.signIn(world, Self.tooMany)
    world.provider.answer(Self.graph, body, status: status)
    #expect(try await Self.signIn(world, Self.tooMany) == reason)
    // Neither the role nor the session changed.
    #expect(try await world.found(id)?.role == .mentor)
    #expect(try await world.sessions(of: id).map(\.end) == [nil])
  }

  @Test("P-10 without an answer about the groups the provider is unavailable")
  func noGroups() async throws {
    let world = try await Self.entra()
    world.provider.fail(Self.graph)
    #expect(try await Self.signIn(world, Self.tooMany) == "provider_unavailable")
  }

  @Test("P-10 a server that may not read groups says that its configuration is wrong")
  func groupsNotRead() async throws {
    let world = try await ProviderWorld { $0.newAccounts = Self.accounts() }
    #expect(try await Self.signIn(world, Self.tooMany) == "provider_misconfigured")
    // A rule before that one needs no groups.
    let early = try await ProviderWorld {
      $0.newAccounts = IdentityProvider.NewAccounts(
        role: nil, organization: nil, rules: Array(Self.rules.dropFirst(2) + Self.rules.prefix(1)))
    }
    let id = try await Self.signIn(
      early, Self.tooMany.merging(["is_staff": .bool(true)]) { $1 })
    #expect(try await early.found(id)?.role == .mentor)
  }

  @Test("P-10 groups have at most ten pages", arguments: [(10, true), (11, false)])
  func pages(_ count: Int, _ isRead: Bool) async throws {
    let world = try await Self.entra()
    for page in 1...count {
      let next = #","@odata.nextLink":"\#(ScriptedProvider.issuer)/graph/\#(page + 1)""#
      world.provider.answer(
        page == 1 ? Self.graph : "/graph/\(page)",
        #"{"value":["\#(page == count ? "g-1" : "x")"]\#(page == count ? "" : next)}"#)
    }
    let result = try await Self.signIn(world, Self.tooMany)
    if isRead {
      #expect(try await world.found(result)?.role == .mentor)
    } else {
      #expect(result == "untrusted_answer")
    }
  }
}

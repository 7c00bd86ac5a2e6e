import JSONText
import SignInModel
import Testing

@testable import SignInService

@Suite("Configuration of identity providers")
struct ProviderConfigurationTests {
  private static let openID = """
    { "name": "login", "kind": "openid", "issuer": "https://login.example.net/v2/",
      "client_id": "c", "client_secret_file": "/s", "scopes": ["openid"] }
    """

  @Test("P-09 the keys of an OpenID provider are read")
  func openID() throws {
    let bytes = try ConfigurationSample.edited([
      ("issuer", "\"http://127.0.0.1:8443\""), ("providers", "[\(Self.openID)]"),
      ("clients.0.providers", "[\"login\"]"),
      ("providers.0.signing_algorithms", "[\"ES256\"]"),
      ("providers.0.create_accounts", "true"), ("providers.0.role", "\"mentor\""),
      ("providers.0.organization", "\"north\""),
      ("providers.0.client_authentication", "\"post\""),
      ("providers.0.end_provider_session", "true"),
      ("providers.0.second_factor", "\"unless_mfa\""), ("providers.0.mfa_values", "[\"hwk\"]"),
      ("providers.0.authorization_parameters", #"[{"name":"prompt","value":"login"}]"#),
    ])
    let configuration = try Configuration.parse(bytes, development: true).get()
    let provider = try #require(configuration.providers.first)
    #expect(
      provider.settings.kind
        == .openID(
          issuer: "https://login.example.net/v2/",
          discovery: "https://login.example.net/v2/.well-known/openid-configuration"))
    #expect(provider.settings.algorithms == [.es256])
    #expect(
      provider.settings.newAccounts
        == IdentityProvider.NewAccounts(role: .mentor, organization: OrganizationID("north")))
    #expect(provider.settings.endsSession)
    #expect(provider.settings.secondFactor == .unlessSeveral)
    #expect(provider.settings.factorProofs == ["hwk"])
    #expect(provider.settings.parameters == [.init(name: "prompt", value: "login")])
    #expect(provider.credential == .secret(.file("/s"), .post))
    #expect(configuration.clients.first?.providers == ["login"])
  }

  @Test("P-09 the keys of an OAuth 2.0 provider are read")
  func oauth2() throws {
    let bytes = try ConfigurationSample.edited([
      ("issuer", "\"http://127.0.0.1:8443\""),
      (
        "providers",
        """
        [{ "name": "old", "kind": "oauth2", "client_id": "c", "scopes": ["user"],
           "authorization_endpoint": "https://old.example/a", "token_endpoint":
           "https://old.example/t", "userinfo_endpoint": "https://old.example/u",
           "subject_claim": "id" }]
        """
      ),
    ])
    let provider = try Configuration.parse(bytes, development: true).get().providers.first
    #expect(
      provider?.settings.kind
        == .oauth2(
          IdentityProvider.Endpoints(
            authorization: "https://old.example/a", token: "https://old.example/t",
            userInfo: "https://old.example/u", subjectClaim: "id")))
    #expect(provider?.settings.identityIssuer == "https://old.example/t")
    #expect(provider?.credential == Configuration.Provider.CredentialLocation.none)
  }

  private static let presets: [(String, String, String, String?, SignatureAlgorithm)] = [
    (
      "bankid", "", "https://auth.bankid.no/auth/realms/prod", nil, .es256
    ),
    (
      "bankid", #", "environment": "test""#, "https://auth.current.bankid.no/auth/realms/current",
      nil, .es256
    ),
    (
      "vipps", "", "https://api.vipps.no/access-management-1.0/access/",
      "https://api.vipps.no/access-management-1.0/access/.well-known/openid-configuration", .rs256
    ),
    (
      "entra", #", "tenant": "11111111-2222-3333-4444-555555555555""#,
      "https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0", nil, .rs256
    ),
    (
      "entra-external-id",
      #", "tenant": "11111111-2222-3333-4444-555555555555", "subdomain": "acme""#,
      """
      https://11111111-2222-3333-4444-555555555555.ciamlogin.com/\
      11111111-2222-3333-4444-555555555555/v2.0
      """,
      """
      https://acme.ciamlogin.com/11111111-2222-3333-4444-555555555555/v2.0/\
      .well-known/openid-configuration
      """,
      .rs256
    ),
    (
      "azure-ad-b2c",
      #"""
      , "tenant": "11111111-2222-3333-4444-555555555555", "subdomain": "acme", \#
      "policy": "B2C_1_in"
      """#,
      "https://acme.b2clogin.com/11111111-2222-3333-4444-555555555555/v2.0/",
      "https://acme.b2clogin.com/acme.onmicrosoft.com/B2C_1_in/v2.0/"
        + ".well-known/openid-configuration", .rs256
    ),
    (
      "cognito", #", "region": "eu-north-1", "user_pool": "eu-north-1_Ab""#,
      "https://cognito-idp.eu-north-1.amazonaws.com/eu-north-1_Ab", nil, .rs256
    ),
  ]

  @Test(
    "P-02 S-09 T-17 R-12 a preset knows the addresses that its vendor documents",
    arguments: presets)
  func preset(
    _ kind: String, _ keys: String, _ issuer: String, _ discovery: String?,
    _ algorithm: SignatureAlgorithm
  ) throws {
    let bytes = try ConfigurationSample.edited([
      ("issuer", "\"http://127.0.0.1:8443\""),
      ("providers", "[{ \"name\": \"p\", \"kind\": \"\(kind)\", \"client_id\": \"c\"\(keys) }]"),
    ])
    let configuration = try Configuration.parse(bytes, development: true).get()
    let settings = try #require(configuration.providers.first?.settings)
    let address = discovery ?? issuer + "/.well-known/openid-configuration"
    #expect(settings.kind == .openID(issuer: issuer, discovery: address))
    #expect(settings.algorithms == [algorithm])
    #expect(settings.scopes.first == "openid")
  }

  @Test(
    "T-17 R-12 a token of another policy, tenant or use is refused",
    arguments: [
      (["tfp", "acr"], "B2C_1_in", true, #"{"tfp":"b2c_1_IN"}"#, true),
      (["tfp", "acr"], "B2C_1_in", true, #"{"acr":"B2C_1_in"}"#, true),
      (["tfp", "acr"], "B2C_1_in", true, #"{"tfp":"B2C_1_edit","acr":"B2C_1_in"}"#, false),
      (["tfp", "acr"], "B2C_1_in", true, "{}", false),
      (["token_use"], "id", false, #"{"token_use":"id"}"#, true),
      (["token_use"], "id", false, #"{"token_use":"access"}"#, false),
      (["token_use"], "id", false, #"{"token_use":["id"]}"#, false),
      (["tid"], "t-1", false, #"{"tid":"T-1"}"#, false),
    ])
  func requiredClaim(
    _ names: [String], _ value: String, _ ignoresCase: Bool, _ claims: String, _ isMet: Bool
  ) throws {
    let claim = RequiredClaim(names, value, ignoresCase: ignoresCase)
    #expect(claim.isMet(by: try JSONReader.read(Array(claims.utf8))) == isMet)
  }

  @Test("P-09 rules by claims are read, and Microsoft Graph of a national cloud")
  func rules() throws {
    let bytes = try ConfigurationSample.edited([
      ("issuer", "\"http://127.0.0.1:8443\""),
      (
        "providers",
        """
        [{ "name": "p", "kind": "entra", "tenant": "11111111-2222-3333-4444-555555555555",
           "client_id": "c", "create_accounts": true, "update_accounts": true, "read_groups": true,
           "graph_endpoint": "https://graph.microsoft.us/", "account_rules": [
             { "claim": "groups", "values": ["a", "b"], "role": "mentor" },
             { "claim": "roles", "values": ["T"], "role": "technician", "organization": "north" }]
        }]
        """
      ),
    ])
    let configuration = try Configuration.parse(bytes, development: true).get()
    let settings = try #require(configuration.providers.first?.settings)
    #expect(settings.groupEndpoint == "https://graph.microsoft.us")
    #expect(
      settings.newAccounts
        == IdentityProvider.NewAccounts(
          role: nil, organization: nil,
          rules: [
            ClaimRule(claim: "groups", values: ["a", "b"], role: .mentor, organization: nil),
            ClaimRule(
              claim: "roles", values: ["T"], role: .technician,
              organization: OrganizationID("north")),
          ], updatesAccounts: true))
  }

  @Test("a provider has at most 64 rules, and a rule at most 64 values")
  func ruleLimits() throws {
    func mistakes(rules: Int, values: Int) throws -> [String] {
      let value = Array(repeating: "\"v\"", count: values).joined(separator: ",")
      let rule = #"{"claim":"g","values":[\#(value)],"role":"mentor"}"#
      let list = Array(repeating: rule, count: rules).joined(separator: ",")
      return try ConfigurationSample.mistakes(
        ("providers", "[\(Self.openID)]"), ("clients.0.providers", "[\"login\"]"),
        ("providers.0.create_accounts", "true"), ("providers.0.account_rules", "[\(list)]")
      ).map(\.path)
    }
    #expect(try mistakes(rules: 64, values: 64) == [])
    #expect(try mistakes(rules: 65, values: 1) == ["providers[0].account_rules"])
    #expect(try mistakes(rules: 1, values: 65) == ["providers[0].account_rules[0].values"])
  }

  private static let ruleMistakes: [(String, String, String)] = [
    (#"{"values":["v"],"role":"mentor"}"#, "[0].claim", "is missing"),
    (#"{"claim":"g","values":[],"role":"mentor"}"#, "[0].values", ""),
    (#"{"claim":"g","values":["v"]}"#, "[0]", "gives nothing"),
    (#"{"claim":"g","values":["v"],"organization":"north"}"#, "[0].role", "is missing"),
    (#"{"claim":"g","values":["v"],"role":"administrator"}"#, "[0].role", "administrators"),
    (
      #"{"claim":"g","values":["v"],"role":"mentor","organization":"east"}"#, "[0].organization",
      "is not among the organizations"
    ),
  ]

  @Test("P-09 each mistake in a rule is named with its place", arguments: ruleMistakes)
  func ruleMistake(_ rule: String, _ place: String, _ problem: String) throws {
    let mistakes = try ConfigurationSample.mistakes(
      ("providers", "[\(Self.openID)]"), ("clients.0.providers", "[\"login\"]"),
      ("providers.0.create_accounts", "true"), ("providers.0.account_rules", "[\(rule)]"))
    let path = "providers[0].account_rules" + place
    #expect(
      mistakes.contains { $0.path == path && $0.problem.contains(problem) }, "\(mistakes)")
  }

  @Test(
    "P-09 this machine is permitted only if the configured address is literally on it",
    arguments: [
      ("https://login.example", false, .public), ("https://login.example", true, .private),
      ("https://127.0.0.1.example", true, .private), ("https://10.0.0.1", true, .private),
      ("http://127.0.0.1:9000", false, .public),
      ("http://127.0.0.1:9000", true, .privateAndLoopback),
      ("https://localhost", true, .privateAndLoopback),
      ("http://[::1]:1", true, .privateAndLoopback),
    ] as [(String, Bool, ProviderAddresses)])
  func addresses(_ base: String, _ isAllowed: Bool, _ expected: ProviderAddresses) {
    let kinds: [IdentityProvider.Kind] = [
      .openID(issuer: "https://issuer.example", discovery: IdentityProvider.discovery(of: base)),
      .oauth2(
        IdentityProvider.Endpoints(
          authorization: "http://127.0.0.1/authorize", token: base + "/token",
          userInfo: "https://login.example/me")),
    ]
    for kind in kinds {
      var settings = IdentityProvider.Settings(name: "a", kind: kind, clientID: "c", scopes: [])
      settings.allowsPrivateAddresses = isAllowed
      #expect(settings.addresses == expected)
    }
  }

  private static let mistakes: [(String, String?, String, String)] = [
    (
      "providers.0",
      #"{"name":"b","kind":"cognito","client_id":"c","region":"r","user_pool":"r_p","#
        + #""end_provider_session":true}"#,
      "providers[0].end_provider_session", "is an unknown key"
    ),
    ("providers.0.mfa_values", "[\"hwk\"]", "providers[0].mfa_values", "has no use without"),
    ("providers.0.second_factor", "\"mfa\"", "providers[0].second_factor", "is not an allowed"),
    ("providers.0.update_accounts", "true", "providers[0].update_accounts", "has no use without"),
    (
      "providers.0.account_rules", #"[{"claim":"g","values":["v"],"role":"mentor"}]"#,
      "providers[0].account_rules", "has no use without"
    ),
    (
      "providers.0",
      #"""
      {"name":"b","kind":"entra","client_id":"c",\#
      "tenant":"11111111-2222-3333-4444-555555555555","read_groups":true}
      """#,
      "providers[0].read_groups", "has no use without a rule"
    ),
    ("providers.0.issuer", "\"http://login.example.net\"", "providers[0].issuer", "uses http"),
    ("providers.0.issuer", "\"https://a.example?x\"", "providers[0].issuer", "has a query"),
    ("providers.0.client_id", nil, "providers[0].client_id", "is missing"),
    ("providers.0.scopes", "[\"email\"]", "providers[0].scopes", "does not contain \"openid\""),
    ("providers.0.client_key_file", "\"/k\"", "providers[0]", "has a secret and a key"),
    ("providers.0.create_accounts", "true", "providers[0].role", "is missing"),
    (
      "providers.0.authorization_parameters", #"[{"name":"acr_values","value":"high"}]"#,
      "providers[0].authorization_parameters[0]", "asks for assurances"
    ),
    (
      "providers.0.authorization_parameters", #"[{"name":"max_age","value":"31536001"}]"#,
      "providers[0].authorization_parameters[0].value", "is not an age"
    ),
    (
      "providers.0.role", "\"administrator\"", "providers[0].role",
      "lets the provider create administrators"
    ),
    (
      "providers.0.organization", "\"east\"", "providers[0].organization",
      "is not among the organizations"
    ),
    (
      "providers.0.signing_algorithms", "[\"HS256\"]", "providers[0].signing_algorithms[0]",
      "is not an allowed value of this key"
    ),
    ("clients.0.providers", "[\"other\"]", "clients[0].providers[0]", "is not among the providers"),
    ("providers.1", openID, "providers[1].name", "repeats providers[0].name"),
    (
      "providers.0",
      #"""
      {"name":"b","kind":"azure-ad-b2c","client_id":"c",\#
      "tenant":"11111111-2222-3333-4444-555555555555"}
      """#,
      "providers[0].policy", "is missing"
    ),
    ("providers.0.kind", "\"saml\"", "providers[0].kind", "cannot use yet"),
    ("providers.0.client_secret", "\"s\"", "providers[0].client_secret", "is a secret"),
  ]

  private static let notIssuers: [(String, String)] = [
    (#""kind":"entra","tenant":"common""#, "tenant"),
    (#""kind":"entra","tenant":"Organizations""#, "tenant"),
    (#""kind":"entra","tenant":"consumers""#, "tenant"),
    (#""kind":"entra","tenant":"acme.onmicrosoft.com""#, "tenant"),
    (#""kind":"entra-external-id","tenant":"common","subdomain":"acme""#, "tenant"),
    (#""kind":"azure-ad-b2c","tenant":"common","subdomain":"a","policy":"p""#, "tenant"),
    (#""kind":"cognito","region":"eu-north-1","user_pool":"eu-west-1_AbC""#, "user_pool"),
    (#""kind":"cognito","region":"eu-north-1","user_pool":"eu-north-1_""#, "user_pool"),
    (openIDMembers("https://login.microsoftonline.com/common/v2.0"), "issuer"),
    (openIDMembers("https://LOGIN.microsoftonline.us/Organizations/v2.0/"), "issuer"),
    (openIDMembers("https://sts.windows.net/consumers/"), "issuer"),
    (openIDMembers("https://acme.ciamlogin.com/common/v2.0"), "issuer"),
    (openIDMembers("https://login.microsoftonline.com/{tenantid}/v2.0"), "issuer"),
    (openIDMembers("https://cognito-idp.eu-north-1.amazonaws.com/eu-west-1_AbC"), "issuer"),
    (
      openIDMembers("https://login.example.com")
        + #","discovery":"https://login.microsoftonline.com/common/v2.0/.well-known/x""#,
      "discovery"
    ),
    (
      openIDMembers("https://cognito-idp.eu-north-1.amazonaws.com/eu-north-1_AbC")
        + #","discovery":"https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbC/x""#,
      "discovery"
    ),
  ]

  private static func openIDMembers(_ issuer: String) -> String {
    #""kind":"openid","scopes":["openid"],"issuer":"\#(issuer)""#
  }

  @Test("L-57 what cannot identify one issuer is refused", arguments: notIssuers)
  func notAnIssuer(_ members: String, _ key: String) throws {
    let entry = "[{\"name\":\"p\",\"client_id\":\"c\",\(members)}]"
    let found = try ConfigurationSample.mistakes(("providers", entry))

    #expect(found.map(\.path) == ["providers[0].\(key)"])
  }

  @Test("L-57 an issuer of one directory is accepted, also if its path has such a word elsewhere")
  func issuers() throws {
    for issuer in [
      "https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0",
      "https://login.example.com/common",
      "https://cognito-idp.eu-north-1.amazonaws.com/eu-north-1_AbC",
    ] {
      let entry = "[{\"name\":\"p\",\"client_id\":\"c\",\(Self.openIDMembers(issuer))}]"
      #expect(try ConfigurationSample.mistakes(("providers", entry)) == [])
    }
  }

  @Test("P-09 the key of this server at a provider is in a file or in a variable, not in both")
  func keyPlace() throws {
    func key(_ members: String) throws -> Configuration.Provider.CredentialLocation? {
      let bytes = try ConfigurationSample.edited([
        ("issuer", "\"http://127.0.0.1:8443\""),
        (
          "providers",
          "[{\"name\":\"p\",\"client_id\":\"c\",\(members),"
            + Self.openIDMembers("https://login.example.com") + "}]"
        ),
      ])
      return try Configuration.parse(bytes, development: true).get().providers.first?.credential
    }
    #expect(try key(#""client_key_env":"KEY""#) == .key(.environment("KEY"), id: nil))
    #expect(try key(#""client_key_file":"/k""#) == .key(.file("/k"), id: nil))
    #expect(throws: ConfigurationMistakes.self) {
      try key(#""client_key_file":"/k","client_key_env":"KEY""#)
    }
  }

  @Test("P-02 apps can name the practice providers only in development")
  func practice() throws {
    let named = [
      ("issuer", "\"http://127.0.0.1:8443\""), ("clients.0.providers", #"["vipps", "login"]"#),
      ("providers", "[\(Self.openID)]"),
    ]
    let bytes = try ConfigurationSample.edited(named)
    let configuration = try Configuration.parse(bytes, development: true).get()
    #expect(configuration.practiceProviders == [.vipps])
    let own = try ConfigurationSample.edited(
      named + [("providers.0.name", "\"vipps\""), ("clients.0.providers", #"["vipps"]"#)])
    #expect(try Configuration.parse(own, development: true).get().practiceProviders == [])
    #expect(Configuration.demo.practiceProviders == [.bankID, .vipps])

    let production = Configuration.parse(
      try ConfigurationSample.edited([("clients.0.providers", #"["vipps"]"#)]), development: false)
    #expect(production.mistakes.map(\.path).contains("clients[0].providers[0]"))
  }

  @Test("P-09 each mistake in a provider is named with its place", arguments: Self.mistakes)
  func mistake(_ edit: String, _ json: String?, _ path: String, _ problem: String) throws {
    let mistakes = try ConfigurationSample.mistakes(
      ("providers", "[\(Self.openID)]"), ("clients.0.providers", "[\"login\"]"), (edit, json))
    #expect(
      mistakes.contains { $0.path == path && $0.problem.contains(problem) }, "\(mistakes)")
  }

  @Test(
    "P-10 OAuth 2.0 providers with the same token endpoint read the same claim as the identifier",
    arguments: [("id", "id", true), ("sub", "", true), ("id", "login", false), ("id", "", false)])
  func subjectClaims(_ first: String, _ second: String, _ isAccepted: Bool) throws {
    func provider(_ name: String, _ claim: String) -> String {
      let member = claim.isEmpty ? "" : #", "subject_claim": "\#(claim)""#
      return """
        { "name": "\(name)", "kind": "oauth2", "client_id": "c", "scopes": ["user"],
          "authorization_endpoint": "https://old.example/a", "token_endpoint":
          "https://old.example/t", "userinfo_endpoint": "https://old.example/u"\(member) }
        """
    }
    let mistakes = try ConfigurationSample.mistakes(
      ("providers", "[\(provider("a", first)), \(provider("b", second))]"),
      ("clients.0.providers", "[\"a\"]"))
    #expect(mistakes.map(\.path) == (isAccepted ? [] : ["providers[1].subject_claim"]))
  }

  @Test("P-09 an app without a home of ours needs redirect URIs to use a provider")
  func redirectNeeded() throws {
    let mistakes = try ConfigurationSample.mistakes(
      ("providers", "[\(Self.openID)]"), ("clients.0.providers", "[\"login\"]"),
      ("clients.0.home", nil))
    #expect(mistakes.map(\.path) == ["clients[0].redirect_uris"])
  }

  @Test(
    "P-09 a redirect URI is https, a loopback address or a private scheme in reverse domain form",
    arguments: [
      ("https://app.example.com/signed-in", nil), ("http://127.0.0.1/cb", nil),
      ("http://[::1]/cb", nil), ("com.example.app:/cb", nil),
      ("http://localhost/cb", "names localhost"), ("http://app.example.com/cb", "uses http"),
      ("https://app.example.com/#x", "has a fragment"), ("myapp:/cb", "is not the address"),
      ("com.example.app://cb", "is not the address"), ("javascript:alert(1)", "is not the address"),
      ("https://a b", "is not a URL"), ("https://user@app.example.com/", "is not the address"),
    ] as [(String, String?)])
  func redirectURI(_ text: String, _ problem: String?) {
    #expect(RedirectURI.problem(text)?.prefix(problem?.count ?? 0) == problem?[...])
  }

  @Test("a redirect URI may be as long as the limit and no longer")
  func redirectLimit() {
    let start = "https://app.example.com/"
    let longest = start + String(repeating: "a", count: RedirectURI.lengthLimit - start.utf8.count)
    #expect(RedirectURI.problem(longest) == nil)
    #expect(RedirectURI.problem(longest + "a") == "is not a URL")
  }

  @Test(
    "L-18 a redirect URI is compared byte by byte, apart from the port of a loopback address",
    arguments: [
      ("https://app.example.com/cb", true), ("https://app.example.com/cb/", false),
      ("https://app.example.com/cb?x=1", false), ("https://APP.example.com/cb", false),
      ("https://app.example.com/%63b", false), ("https://app.example.com:443/cb", false),
      ("http://127.0.0.1:49152/done", true), ("http://127.0.0.1/done", true),
      ("http://127.0.0.1:49152/other", false), ("http://localhost:49152/done", false),
      ("http://127.0.0.1:80@evil.example/done", false), ("http://127.0.0.1:/done", false),
      ("http://127.0.0.1:99999/done", false), ("https://127.0.0.1:49152/done", false),
      ("http://[::1]:49152/done", false),
    ])
  func permitted(_ text: String, _ isPermitted: Bool) {
    let registered = ["https://app.example.com/cb", "http://127.0.0.1/done"]
    #expect(RedirectURI.permits(text, registered: registered) == isPermitted)
  }
}

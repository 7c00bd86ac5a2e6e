import Cryptography
import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

/// A development server whose mentors can sign in at the practice providers, and a browser.
struct PracticeWorld {
  /// Sends the calls of the server to the practice providers.
  struct Calls: ProviderCalls {
    let practice: PracticeServer

    func send(_ request: ProviderRequest) async throws(ProviderCallFault) -> ProviderResponse {
      let answer = practice.answer(
        HTTPRequest(
          method: request.form == nil ? .get : .post,
          path: String(request.url.dropFirst(TestServer.issuer.utf8.count)),
          fields: request.fields.map { HTTPField($0.0, $0.1) }
            + [request.authorization].compactMap {
              $0.map { HTTPField("Authorization", $0.revealed) }
            },
          body: Array((request.form?.revealed ?? "").utf8)))
      return ProviderResponse(status: answer.status, body: answer.body)
    }
  }

  let server: TestServer
  let practice: PracticeServer
  let device: Device

  init() async throws {
    let base = try await TestServer()
    practice = PracticeServer(
      PracticeProvider.allCases, issuer: TestServer.issuer, organization: OrganizationID("north"),
      clock: base.clock, randomness: SeededRandomness(seed: 5))
    server = base.restarted(
      with: Configuration.demo.clients,
      providers: ProviderDirectory(
        practice.providers, calls: Calls(practice: practice), store: base.world.store,
        clock: base.clock),
      practice: practice)
    device = Device(server: server)
    _ = try await prepareDemo(in: server.world)
  }

  /// The address of the practice page for a new sign-in, and the browser's cookie.
  func open(_ provider: PracticeProvider = .bankID) async -> (page: String, cookie: HTTPField) {
    let first = await device.post(
      Endpoint.challenge.path,
      [
        ("client_id", "mentor-app"), ("response_type", "code"),
        ("scope", "openid activities"), ("state", "s"), ("provider", provider.rawValue),
        ("code_challenge", Base64URL.encode(SHA256Digest.of(device.verifier))),
        ("code_challenge_method", "S256"),
      ])
    let query = Form([
      .init("client_id", "mentor-app"),
      .init("request_uri", first.json["request_uri"]?.text ?? ""),
    ])
    let answer = await server.get(Endpoint.authorize.path, query: query.encoded)
    let cookie = answer.value(of: "set-cookie")?.prefix { $0 != ";" } ?? ""
    return (answer.value(of: "location") ?? "", HTTPField("Cookie", String(cookie)))
  }

  /// A `GET` of an address of the server.
  func get(_ address: String, _ fields: [HTTPField] = []) async -> HTTPResponse {
    let rest = address.dropFirst(TestServer.issuer.utf8.count)
    let path = rest.prefix { $0 != "?" }
    return await server.handler.answer(
      HTTPRequest(
        method: .get, path: String(path), query: String(rest.dropFirst(path.utf8.count + 1)),
        fields: fields))
  }

  /// The parameters that the app gets after a person was chosen.
  func result(of person: String, at provider: PracticeProvider) async -> Form {
    let (page, cookie) = await open(provider)
    let chosen = await get(page + "&person=" + person)
    let back = await get(chosen.value(of: "location") ?? "", [cookie])
    return queryParameters(of: back.value(of: "location") ?? "")
  }

  /// The account of the person after a whole sign-in.
  func account(of person: String, at provider: PracticeProvider) async throws -> Account? {
    let result = await result(of: person, at: provider)
    let tokens = await device.post(
      Endpoint.token.path,
      [
        ("client_id", "mentor-app"), ("grant_type", "authorization_code"),
        ("code", result["code"] ?? ""), ("code_verifier", device.verifier),
      ])
    let claims = CompactJWS(parsing: tokens.json["access_token"]?.text ?? "")?.claims
    let id = AccountID(claims?["sub"]?.text ?? "")
    return try await server.world.store.read { (transaction) throws(StoreFault) in
      try transaction.account(id)
    }
  }
}

@Suite("Practice providers")
struct PracticeTests {
  @Test("P-02 in development people sign in through practice providers with no account anywhere")
  func whole() async throws {
    let world = try await PracticeWorld()
    for provider in PracticeProvider.allCases {
      let maja = try await world.account(of: "maja", at: provider)
      #expect(maja?.id == AccountID("mentor"))
    }
    let erik = try #require(try await world.account(of: "erik", at: .bankID))
    #expect(erik.name == "Erik Dahl")
    #expect(erik.role == .mentor)
    #expect(erik.organizations == [OrganizationID("north")])
    #expect(erik.email == nil)
    #expect(try await world.account(of: "erik", at: .bankID)?.id == erik.id)
    // One person at two providers is two people to this server.
    let other = try #require(try await world.account(of: "erik", at: .vipps))
    #expect(other.id != erik.id)
    #expect(other.email?.text == "erik.practice@example.com")
    #expect(try await world.account(of: "sunita", at: .vipps)?.id != other.id)
  }

  @Test("L-42 accounts from practice providers are removed with the demo")
  func removal() async throws {
    let world = try await PracticeWorld()
    let erik = try await world.account(of: "erik", at: .vipps)
    #expect(erik?.isDemo == true)
    _ = try await removeDemo(rules: .operatorCommand, in: world.server.world)
    let left = try await world.server.world.store.read { (transaction) throws(StoreFault) in
      (
        try transaction.hasAccounts(),
        try transaction.identity(
          issuer: PracticeProvider.vipps.issuer(at: TestServer.issuer), subject: "erik")
      )
    }
    #expect(!left.0)
    #expect(left.1 == nil)
  }

  @Test("after a start at another port the demo mentor has the identities of the new address")
  func otherPort() async throws {
    let world = try await PracticeWorld()
    let store = world.server.world.store
    let old = Identity(
      issuer: PracticeProvider.vipps.issuer(at: "http://127.0.0.1:1"), subject: "maja",
      account: AccountID("mentor"), provider: "vipps", linkedAt: world.server.clock.now(),
      lastUsedAt: nil)
    let vipps = PracticeProvider.vipps.issuer(at: TestServer.issuer)
    try await store.transact { (transaction) throws(StoreFault) in
      try transaction.removeIdentity(issuer: vipps, subject: "maja")
      try transaction.insert(old)
    }
    _ = try await prepareDemo(in: world.server.world)
    let issuers = try await store.read { (transaction) throws(StoreFault) in
      try transaction.identities(of: AccountID("mentor")).map(\.issuer)
    }
    #expect(
      Set(issuers) == [vipps, PracticeProvider.bankID.issuer(at: TestServer.issuer)])
  }

  @Test(
    "the page says in the person's language that it checks no identity",
    arguments: [
      ("en", "Practice provider", "No real identity is checked", "Cancel"),
      ("nb", "Øvingsleverandør", "Ingen ekte identitet blir kontrollert", "Avbryt"),
      ("hi", "अभ्यास प्रदाता", "किसी असली पहचान की जाँच नहीं होती", "रद्द करें"),
    ])
  func page(_ language: String, _ title: String, _ warning: String, _ cancel: String) async throws {
    let world = try await PracticeWorld()
    let (address, _) = await world.open(.vipps)
    let page = await world.get(address, [HTTPField("Accept-Language", language)])
    let text = String(decoding: page.body, as: UTF8.self)
    #expect(page.status == 200)
    #expect(text.contains("<html lang=\"\(language)\">"))
    #expect(text.contains("<h1>\(title)</h1>"))
    #expect(text.contains(warning))
    #expect(text.contains("Vipps"))
    #expect(text.contains(">\(cancel)</a>"))
    #expect(text.ranges(of: "class=\"choice\"").count == 3)
    #expect(page.value(of: "cache-control") == "no-store")
    #expect(
      page.value(of: "content-security-policy")?.contains(BrowserPage.styleSource) == true)
  }

  @Test("a text in the request cannot become HTML of the page")
  func escaping() async throws {
    let world = try await PracticeWorld()
    let (address, _) = await world.open()
    let page = await world.get(address + "&extra=%22%3E%3Cscript%3E")
    let text = String(decoding: page.body, as: UTF8.self)
    #expect(text.contains("extra=%22%3E%3Cscript%3E&amp;person=maja\""))
    #expect(!text.contains("<script"))
  }

  @Test("P-03 a person who cancels comes back to the app, which is told")
  func cancelled() async throws {
    let world = try await PracticeWorld()
    let (address, cookie) = await world.open()
    let text = String(decoding: (await world.get(address)).body, as: UTF8.self)
    let start = try #require(text.firstRange(of: "class=\"cancel\" href=\"")).upperBound
    let link = String(text[start...].prefix { $0 != "\"" })
    let back = await world.get(link.replacing("&amp;", with: "&"), [cookie])
    let result = queryParameters(of: back.value(of: "location") ?? "")
    #expect(result["error"] == "access_denied")
    #expect(result["reason"] == "cancelled")
  }

  @Test("the practice provider sends no answer to another client or another address")
  func otherClient() async throws {
    let world = try await PracticeWorld()
    let (address, _) = await world.open()
    for (old, new) in [
      ("client_id=fieldpass", "client_id=other"), ("bankid%2Fcallback", "bankid%2Fcallbacks"),
    ] {
      let answer = await world.get(address.replacing(old, with: new) + "&person=maja")
      #expect(answer.status == 400)
      #expect(answer.value(of: "location") == nil)
    }
  }

  @Test(
    "the practice provider needs code, PKCE with S256, state, nonce and openid",
    arguments: [
      ("response_type=code", "response_type=token", "unsupported_response_type"),
      ("code_challenge_method=S256", "code_challenge_method=plain", "invalid_request"),
      ("code_challenge=", "other=", "invalid_request"), ("nonce=", "other=", "invalid_request"),
      ("state=", "other=", "invalid_request"), ("scope=openid", "scope=x", "invalid_scope"),
    ])
  func request(_ old: String, _ new: String, _ error: String) async throws {
    let world = try await PracticeWorld()
    let (address, _) = await world.open()
    #expect(address.contains(old))
    let answer = await world.get(address.replacing(old, with: new) + "&person=maja")
    let result = queryParameters(of: answer.value(of: "location") ?? "")
    #expect(result["error"] == error)
    #expect(result["code"] == nil)
    #expect(result["iss"] == PracticeProvider.bankID.issuer(at: TestServer.issuer))
  }

  @Test("a server without development, or without such an app, has no practice provider")
  func absent() async throws {
    let production = try await TestServer(isDevelopment: false)
    let path = PracticeProvider.path + "bankid/.well-known/openid-configuration"
    #expect(await production.get(path).status == 404)
    #expect(await (try TestServer()).get(path).status == 404)
    let world = try await PracticeWorld()
    #expect(await world.get(TestServer.issuer + path).status == 200)
    for other in ["none/keys", "bankid", "bankid/none", "bankid/userinfo"] {
      let answer = await world.get(TestServer.issuer + PracticeProvider.path + other)
      #expect(answer.status == 404)
    }
    let foreign = await world.get(TestServer.issuer + path, [HTTPField("Host", "evil.example")])
    #expect(foreign.status == 403)
  }
}

@Suite("The token endpoint of practice providers")
struct PracticeTokenTests {
  private static let verifier = String(repeating: "w", count: 43)

  private let clock = SimulatedClock(Instant(seconds: 1_800_000_000))
  private let practice: PracticeServer
  private let secret: String

  init() {
    practice = PracticeServer(
      PracticeProvider.allCases, issuer: TestServer.issuer, organization: nil, clock: clock,
      randomness: SeededRandomness(seed: 6))
    guard case .secret(let secret, _) = practice.providers[0].credential else {
      preconditionFailure("the practice providers give this server a secret")
    }
    self.secret = secret.revealed
  }

  private func callback(_ provider: String = "bankid") -> String {
    TestServer.issuer + Endpoint.providerCallback(.init(provider)).path
  }

  /// The parameters with which the browser comes back.
  private func chosen(at provider: String = "bankid") -> Form {
    let query = Form([
      .init("client_id", "fieldpass"), .init("redirect_uri", callback(provider)),
      .init("response_type", "code"), .init("scope", "openid"), .init("state", "s"),
      .init("nonce", "n"), .init("code_challenge_method", "S256"),
      .init("code_challenge", Base64URL.encode(SHA256Digest.of(Self.verifier))),
      .init("person", "erik"),
    ])
    let answer = practice.answer(
      HTTPRequest(
        method: .get, path: "/practice/\(provider)/authorize", query: query.encoded))
    return queryParameters(of: answer.value(of: "location") ?? "")
  }

  private func redeem(
    _ code: String?, at provider: String = "bankid", changed: [String: String] = [:],
    credentials: String? = nil
  ) -> HTTPResponse {
    let fields = [
      "grant_type": "authorization_code", "code": code ?? "", "redirect_uri": callback(provider),
      "code_verifier": Self.verifier,
    ].merging(changed) { $1 }
    let basic = Base64.encode(Array((credentials ?? "fieldpass:\(secret)").utf8))
    return practice.answer(
      HTTPRequest(
        method: .post, path: "/practice/\(provider)/token",
        fields: [HTTPField("Authorization", "Basic " + basic)],
        body: Array(Form(fields.map { Form.Field($0.key, $0.value) }).encoded.utf8)))
  }

  private func error(_ answer: HTTPResponse) -> String? {
    #expect(answer.status == 400)
    return answer.json["error"]?.text
  }

  @Test("a code works once, for the client with the secret and the verifier")
  func once() throws {
    let code = chosen()["code"]
    for wrong in ["fieldpass:other", "other:\(secret)", "fieldpass:"] {
      let refused = redeem(code, credentials: wrong)
      #expect(refused.status == 401)
      #expect(refused.json["error"]?.text == "invalid_client")
    }
    #expect(redeem(code).json["id_token"] != nil)
    #expect(error(redeem(code)) == "invalid_grant")
  }

  @Test(
    "a code is useless after one wrong attempt",
    arguments: [
      ("code_verifier", String(repeating: "x", count: 43)), ("redirect_uri", "http://127.0.0.1/"),
    ])
  func wrong(_ name: String, _ value: String) {
    let code = chosen()["code"]
    #expect(error(redeem(code, changed: [name: value])) == "invalid_grant")
    #expect(error(redeem(code)) == "invalid_grant")
  }

  @Test("a code of one practice provider does not work at the other")
  func otherProvider() {
    #expect(error(redeem(chosen()["code"], at: "vipps")) == "invalid_grant")
    #expect(error(redeem("none")) == "invalid_grant")
    #expect(error(redeem(nil)) == "invalid_request")
    #expect(error(redeem("x", changed: ["grant_type": "password"])) == "unsupported_grant_type")
  }

  @Test("a code expires after a minute")
  func expiry() {
    let (early, late) = (chosen()["code"], chosen()["code"])
    clock.advance(seconds: PracticeServer.Limits.codeSeconds - 1)
    #expect(redeem(early).status == 200)
    clock.advance(seconds: 1)
    #expect(error(redeem(late)) == "invalid_grant")
  }

  @Test("the number of open codes has a limit, and expired codes make room")
  func limit() {
    for _ in 1..<PracticeServer.Limits.grants { #expect(chosen()["code"] != nil) }
    #expect(chosen()["code"] != nil)
    #expect(chosen()["error"] == "temporarily_unavailable")
    clock.advance(seconds: PracticeServer.Limits.codeSeconds)
    #expect(chosen()["code"] != nil)
  }

  @Test("the user info needs an access token of its provider that has not expired")
  func userInfo() {
    func read(_ token: String) -> HTTPResponse {
      practice.answer(
        HTTPRequest(
          method: .get, path: "/practice/vipps/userinfo",
          fields: [HTTPField("Authorization", "Bearer " + token)]))
    }
    func token(at provider: String) -> String {
      redeem(chosen(at: provider)["code"], at: provider).json["access_token"]?.text ?? ""
    }
    let own = token(at: "vipps")
    #expect(read(own).json["sub"]?.text == "erik")
    #expect(read(own).json["phone_number_verified"]?.flag == true)
    #expect(read(token(at: "bankid")).status == 401)
    #expect(read("none").status == 401)
    clock.advance(seconds: PracticeServer.Limits.tokenSeconds)
    #expect(read(own).status == 401)
  }
}

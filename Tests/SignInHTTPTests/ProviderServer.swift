import Cryptography
import HTTPServer
import JSONText
import SignInHTTP
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Synchronization
import Testing

/// A server whose technicians can also sign in at an OAuth 2.0 provider, and a browser.
struct ProviderServer {
  /// Answers the calls of the server.
  final class Provider: ProviderCalls {
    private let subject = Mutex("subject-1")
    /// Further members of the user info, with a comma before each.
    let claims = Mutex("")

    func send(
      _ request: ProviderRequest
    ) async throws(ProviderCallFault) -> ProviderResponse {
      let body =
        request.url.hasSuffix("/token")
        ? #"{"access_token":"a"}"#
        : #"{"sub":"\#(subject.withLock { $0 })"\#(claims.withLock { $0 })}"#
      return ProviderResponse(status: 200, body: Array(body.utf8))
    }
  }

  let server: TestServer
  let device: Device
  /// A web page of another site that the app names.
  static let page = "https://app.example.com"
  let provider = Provider()

  private static let settings = IdentityProvider.Settings(
    name: "login",
    kind: .oauth2(
      IdentityProvider.Endpoints(
        authorization: "https://login.example/authorize?tenant=1",
        token: "https://login.example/token", userInfo: "https://login.example/me")),
    clientID: "client-1", scopes: ["user"])

  static func directory(
    store: any Store, clock: any Clock, provider: Provider = Provider(),
    secondFactor: IdentityProvider.SecondFactor = .never, organizations: [String] = []
  ) -> ProviderDirectory {
    var all = [settings]
    all[0].secondFactor = secondFactor
    for name in organizations {
      var own = IdentityProvider.Settings(
        name: "\(name)-login", kind: settings.kind, clientID: "client-2", scopes: ["user"])
      own.administeredBy = OrganizationID(name)
      all.append(own)
    }
    return ProviderDirectory(
      all.map { IdentityProvider(settings: $0, credential: .none) }, calls: provider,
      store: store, clock: clock)
  }

  init(secondFactor: IdentityProvider.SecondFactor = .never) async throws {
    let base = try await TestServer(isDevelopment: false)
    let directory = Self.directory(
      store: base.world.store, clock: base.clock, provider: provider,
      secondFactor: secondFactor)
    let clients = Configuration.demo.clients.map { client in
      var client = client
      if client.id == ClientID("technician-app") {
        client.providers = ["login"]
        client.origins = [Self.page]
      }
      return client
    }
    server = base.restarted(with: clients, providers: directory)
    device = Device(server: server)
    let email = try EmailAddress(parsing: "tech@example.com")
    let now = base.clock.now()
    try await base.world.store.transact { (transaction) throws(StoreFault) in
      guard let account = try transaction.account(email: email) else { throw .conflict }
      try transaction.insert(
        Identity(
          issuer: Self.settings.identityIssuer, subject: "subject-1", account: account.id,
          provider: "login", linkedAt: now, lastUsedAt: nil))
    }
  }

  /// The parameters of a first call.
  var terms: [(String, String)] {
    [
      ("client_id", "technician-app"), ("response_type", "code"), ("scope", "openid account jobs"),
      ("code_challenge", Base64URL.encode(SHA256Digest.of(device.verifier))),
      ("code_challenge_method", "S256"), ("state", "s 1"), ("provider", "login"),
    ]
  }

  func push() async -> String {
    await device.post(Endpoint.pushedRequest.path, terms).json["request_uri"]?.text ?? ""
  }

  /// Opens a request in a browser.
  ///
  /// The result has the address at the provider and the browser's cookie.
  func open(_ request: String) async -> (address: String, cookie: HTTPField) {
    let answer = await authorize(request)
    let cookie = answer.value(of: "set-cookie")?.prefix { $0 != ";" } ?? ""
    return (answer.value(of: "location") ?? "", HTTPField("Cookie", String(cookie)))
  }

  func authorize(_ request: String, _ fields: [HTTPField] = []) async -> HTTPResponse {
    let query = Form([.init("client_id", "technician-app"), .init("request_uri", request)])
    return await server.get(Endpoint.authorize.path, query: query.encoded, fields)
  }

  func callback(_ state: String, _ cookie: HTTPField?) async -> HTTPResponse {
    let query = Form([.init("state", state), .init("code", "c")])
    return await server.get(
      Endpoint.providerCallback(.init("login")).path, query: query.encoded,
      cookie.map { [$0] } ?? [])
  }

  /// Signs in at the provider, and redeems the code of the browser.
  func redeem() async -> HTTPResponse {
    let (address, cookie) = await open(await push())
    let back = await callback(queryParameters(of: address)["state"] ?? "", cookie)
    let code = queryParameters(of: back.value(of: "location") ?? "")["code"] ?? ""
    let form = Form([
      .init("grant_type", "authorization_code"), .init("code", code),
      .init("client_id", "technician-app"), .init("code_verifier", device.verifier),
    ])
    return await server.answer(
      HTTPRequest(
        method: .post, path: Endpoint.token.path,
        fields: [
          HTTPField("Content-Type", "application/x-www-form-urlencoded"),
          device.proof("POST", Endpoint.token.path),
        ], body: Array(form.encoded.utf8)))
  }

  /// Signs in at the provider, which says the number and the address.
  func person(phone: String, email: String) async throws -> Person {
    let claims =
      #","phone_number":"\#(phone)","phone_number_verified":true"#
      + #","email":"\#(email)","email_verified":true"#
    provider.claims.withLock { $0 = claims }
    server.clock.advance(seconds: 1)
    let token = try #require(await redeem().json["access_token"]?.text)
    return Person(device: device, token: token)
  }

  func post(_ fields: [(String, String)], path: String? = nil) async -> HTTPResponse {
    let form = Form(fields.map { Form.Field($0.0, $0.1) })
    return await server.answer(
      HTTPRequest(
        method: .post, path: path ?? Endpoint.providerCallback(.init("login")).path,
        fields: [HTTPField("Content-Type", "application/x-www-form-urlencoded")],
        body: Array(form.encoded.utf8)))
  }
}

extension HTTPResponse {
  func value(of name: StaticString) -> String? { fields.first { $0.isNamed(name) }?.value }
}

/// The parameters of an address.
func queryParameters(of address: String) -> Form {
  let query = address.drop { $0 != "?" }.dropFirst()
  do { return try Form(parsing: Array(query.utf8)) } catch { return Form() }
}

extension EveryAnswer {
  /// Calls the routes of sign-ins at identity providers.
  func takeProviders() async throws {
    let world = try await ProviderServer()
    func post(_ path: String, _ fields: [(String, String)]) async {
      let form = Form(fields.map { Form.Field($0.0, $0.1) })
      let request = HTTPRequest(
        method: .post, path: path,
        fields: [
          HTTPField("Content-Type", "application/x-www-form-urlencoded"),
          world.device.proof("POST", path),
        ], body: Array(form.encoded.utf8))
      note(await world.server.answer(request), .post, path)
    }
    for fields in [[], Array(world.terms.dropLast()), world.terms, world.terms.dropFirst() + []] {
      await post(Endpoint.pushedRequest.path, fields)
      await post(Endpoint.challenge.path, fields)
    }
    note(
      await world.server.get(Endpoint.app(.init("technician-app")).path), .get,
      Endpoint.app(.id).path)
    note(
      await world.server.get(Endpoint.openIDConfiguration.path), .get,
      Endpoint.openIDConfiguration.path)
    note(await world.authorize("urn:none"), .get, Endpoint.authorize.path)
    note(await world.server.get(Endpoint.signedOut.path), .get, Endpoint.signedOut.path)
    let request = await world.push()
    note(await world.authorize(request), .get, Endpoint.authorize.path)
    let (address, cookie) = await world.open(await world.push())
    let state = queryParameters(of: address)["state"] ?? ""
    for _ in 0..<2 {
      note(await world.callback(state, cookie), .get, Endpoint.providerCallback(.name).path)
      note(await world.post([("state", state)]), .post, Endpoint.providerCallback(.name).path)
      note(await world.post([]), .post, Endpoint.providerCallback(.name).path)
    }
  }

  /// Redeems the code of a sign-in that needs a code of this server too.
  func takeSecondFactor() async throws {
    let world = try await ProviderServer(secondFactor: .always)
    for _ in 0..<2 { note(await world.redeem(), .post, Endpoint.token.path) }
  }

  /// Accepts and declines what a provider says about a person.
  func takeContactProposals() async throws {
    let world = try await ProviderServer()
    let person = try await world.person(phone: "+4790000077", email: "new@example.com")
    await call(person, .get, Endpoint.me.path, of: Endpoint.me.path)
    await call(person, .get, Endpoint.sessionEvents.path, of: Endpoint.sessionEvents.path)
    let proposals =
      await person.call(.get, Endpoint.me.path).json["contact_proposals"]?.elements ?? []
    for id in proposals.map({ $0["id"]?.text ?? "" }) + ["none"] {
      let path = Endpoint.contactProposal(.init(id)).path
      let isPhone = id == proposals.first?["id"]?.text
      await call(person, isPhone ? .post : .delete, path, of: Endpoint.contactProposal(.id).path)
      for method in [HTTPMethod.post, .delete] {
        await call(person, method, path, of: Endpoint.contactProposal(.id).path)
      }
    }
  }

  /// Calls the routes of linked identities.
  func takeIdentities() async throws {
    let world = try await ProviderServer()
    let admin = try await Person.administrator(at: world.server)
    let technician = try await Person.technician(at: world.server, scope: "openid account jobs")
    await call(technician, .get, Endpoint.identities.path, of: Endpoint.identities.path)
    let own =
      await technician.call(.get, Endpoint.identities.path).json["identities"]?.elements ?? []
    let handle = own.first?["id"]?.text ?? ""
    for id in ["none", handle] {
      await call(technician, .delete, "/api/identities/" + id, of: Endpoint.identity(.id).path)
    }
    await call(admin, .get, Endpoint.adminProviders.path, of: Endpoint.adminProviders.path)
    for name in ["login", "none"] {
      await call(
        admin, .post, "/admin/providers/\(name)/check", of: Endpoint.adminProviderCheck(.name).path)
    }
    let accounts = await admin.call(
      .get, Endpoint.adminAccounts.path, query: "query=tech@example.com")
    let id = accounts.json["accounts"]?.elements?.first?["id"]?.text ?? ""
    for account in ["none", id] {
      let path = "/admin/accounts/\(account)/identities"
      for body in [
        "{}", #"{"provider":"login","subject":""}"#, #"{"provider":"none","subject":"x"}"#,
        #"{"provider":"login","subject":"subject-2"}"#,
        #"{"provider":"login","subject":"subject-2"}"#,
      ] {
        await call(admin, .post, path, of: Endpoint.adminIdentities(.id).path, body)
      }
      await call(admin, .get, path, of: Endpoint.adminIdentities(.id).path)
      let linked = await admin.call(.get, path).json["identities"]?.elements?.last
      for identity in ["none", linked?["id"]?.text ?? "none"] {
        await call(
          admin, .delete, path + "/" + identity, of: Endpoint.adminIdentity(.id, .identity).path)
      }
    }
  }
}

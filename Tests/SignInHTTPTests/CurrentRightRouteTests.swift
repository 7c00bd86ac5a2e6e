import Cryptography
import HTTPServer
import JSONText
import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP
@testable import SignInService

/// What changes after a mentor has signed in, and what each further use of the sign-in answers.
struct RightChange: Sendable, CustomTestStringConvertible {
  let name: String
  var organizations = Configuration.demo.organizations
  var app: @Sendable (inout AppRegistration) -> Void = { _ in }
  var removesApp = false
  var role: AccountRole?
  /// The status of each request.
  var activities = 401
  var userInfo = 401
  /// The reason of an ended session at the events; nil if it continues.
  var reason: String? = "revoked"
  /// The reason or the error of a refresh; nil if it gives tokens.
  var refresh: String? = "revoked"
  /// The error or the reason of a switch to the other organization.
  var change: String? = "revoked"
  /// The scopes of the introspected token; nil if it is not active.
  var described: String?
  /// The error of a redeemed code; nil if it gives tokens.
  var redeem: String? = "invalid_grant"
  /// The error of an entered code; nil if it is accepted.
  var verify: String? = "invalid_session"

  var testDescription: String { name }

  static let all: [RightChange] = [
    RightChange(
      name: "nothing", activities: 200, userInfo: 200, reason: nil, refresh: nil, change: nil,
      described: "openid offline_access account activities", redeem: nil, verify: nil),
    RightChange(
      name: "a scope of the app",
      app: {
        $0.home = .none
        $0.scopes = ["openid", "offline_access"]
      }, activities: 403, userInfo: 200, reason: nil, refresh: nil, change: nil,
      described: "openid offline_access account", redeem: nil, verify: nil),
    RightChange(
      name: "the scope of user info", app: { $0.scopes = ["offline_access"] }, activities: 200,
      userInfo: 403, reason: nil, refresh: nil, change: nil,
      described: "offline_access account activities", redeem: nil, verify: nil),
    RightChange(
      name: "the app's refresh tokens", app: { $0.scopes = ["openid"] }, activities: 200,
      userInfo: 200, reason: nil, described: "openid account activities", redeem: nil, verify: nil),
    RightChange(name: "the role in the app", app: { $0.roles = [.technician] }),
    RightChange(name: "the role of the account", role: .technician),
    RightChange(
      name: "the app", removesApp: true, refresh: "invalid_client", change: "invalid_client",
      redeem: "invalid_client", verify: "invalid_client"),
    RightChange(
      name: "the organization",
      organizations: Configuration.demo.organizations.filter { $0.id.text != "north" },
      redeem: "not_a_member", verify: "not_a_member"),
  ]
}

@Suite("Rights at each use")
struct CurrentRightRouteTests {
  private static let api = "https://api.example.com"

  private static var clients: [AppRegistration] {
    Configuration.demo.clients.map { client in
      var client = client
      if client.id == ClientID("mentor-app") {
        client.audiences = [api]
      }
      return client
    }
  }

  private static let claims = [
    TokenClaim(name: "role", attribute: .role),
    TokenClaim(name: "everywhere", attribute: .organizations),
  ]

  private static func server(claims: [TokenClaim] = []) async throws -> TestServer {
    try await TestServer(
      clients: clients.map { client in
        var client = client
        client.claims = claims
        return client
      },
      serviceAccounts: [try ServiceProgram.account("gateway", scopes: [.introspect])])
  }

  /// The server after a restart with the changed configuration.
  private static func changed(
    _ server: TestServer, by change: RightChange
  ) async throws -> TestServer {
    if let role = change.role {
      let email = try EmailAddress(parsing: "mentor@example.com")
      try await server.world.store.transact { (transaction) throws(StoreFault) in
        guard var account = try transaction.account(email: email) else { throw .conflict }
        account.role = role
        try transaction.update(account)
      }
    }
    var clients = clients
    for place in clients.indices where clients[place].id == ClientID("mentor-app") {
      change.app(&clients[place])
    }
    if change.removesApp { clients.removeAll { $0.id == ClientID("mentor-app") } }
    return server.restarted(
      with: clients,
      serviceAccounts: [try ServiceProgram.account("gateway", scopes: [.introspect])],
      organizations: change.organizations)
  }

  /// A sign-in that waits for its code, in the organization `north`.
  private static func begin(_ device: Device) async throws -> (session: String, code: String) {
    device.server.clock.advance(seconds: 61)
    let begun = await device.post(
      Endpoint.challenge.path,
      [
        ("response_type", "code"), ("client_id", "mentor-app"),
        ("scope", "openid offline_access account activities"),
        ("code_challenge", Base64URL.encode(SHA256Digest.of(device.verifier))),
        ("code_challenge_method", "S256"), ("username", "mentor@example.com"),
        ("password", "demo-Mentor-1"), ("organization", "north"),
      ])
    await deliverMessages(through: [device.server.messenger], in: device.server.world)
    let text = try #require(device.server.messenger.messages.last?.text.revealed)
    return (try #require(begun.json["auth_session"]?.text), String(text.prefix(6)))
  }

  private static func enter(
    _ device: Device, _ attempt: (session: String, code: String)
  ) async -> JSON {
    await device.post(
      Endpoint.challenge.path,
      [("client_id", "mentor-app"), ("auth_session", attempt.session), ("otp", attempt.code)]
    ).json
  }

  private static func redeem(_ device: Device, _ code: String) async -> JSON {
    await device.post(
      Endpoint.token.path,
      [
        ("grant_type", "authorization_code"), ("client_id", "mentor-app"), ("code", code),
        ("code_verifier", device.verifier),
      ]
    ).json
  }

  private static func refresh(_ person: Person, organization: String? = nil) async -> JSON {
    await person.device.post(
      Endpoint.token.path,
      [
        ("grant_type", "refresh_token"), ("client_id", "mentor-app"),
        ("refresh_token", person.refreshToken),
      ] + (organization.map { [("organization", $0)] } ?? [])
    ).json
  }

  private static func describe(_ token: String, at server: TestServer) async -> JSON {
    let form = Form([
      .init("token", token), .init("client_id", "gateway"),
      .init("client_secret", ServiceProgram.secret),
    ])
    // The description has no configured claims, so the handler is called directly.
    return await server.handler.answer(
      HTTPRequest(
        method: .post, path: Endpoint.introspect.path,
        fields: [HTTPField("Content-Type", "application/x-www-form-urlencoded")],
        body: Array(form.encoded.utf8))
    ).json
  }

  @Test("L-50 what changes after a sign-in applies to its next use", arguments: RightChange.all)
  func uses(change: RightChange) async throws {
    let before = try await Self.server()
    var person = try await Person.mentor(at: before, in: "north")
    var other = try await Person.mentor(at: before, in: "north")
    // Each known device has a code of its own.
    let attempt = try await Self.begin(other.device)
    let entered = await Self.enter(person.device, try await Self.begin(person.device))
    let code = try #require(entered["authorization_code"]?.text)
    let after = try await Self.changed(before, by: change)
    person.device.server = after
    other.device.server = after

    let activities = await person.call(.get, Endpoint.activities.path)
    let userInfo = await person.call(.get, Endpoint.userInfo.path)
    let events = await person.call(.get, Endpoint.sessionEvents.path)
    let described = await Self.describe(person.token, at: after)
    let refreshed = await Self.refresh(person)
    let switched = await Self.refresh(other, organization: "south")
    let redeemed = await Self.redeem(person.device, code)
    let verified = await Self.enter(other.device, attempt)

    #expect(activities.status == change.activities)
    #expect(userInfo.status == change.userInfo)
    #expect(events.json["reason"]?.text == change.reason)
    #expect(described["active"] == .bool(change.described != nil))
    #expect(described["scope"]?.text == change.described)
    #expect(redeemed["error"]?.text == change.redeem)
    #expect(verified["error"]?.text == change.verify)
    #expect((refreshed["reason"] ?? refreshed["error"])?.text == change.refresh)
    #expect((switched["reason"] ?? switched["error"])?.text == change.change)
    if change.refresh == nil { #expect(refreshed["scope"]?.text == change.described) }
    if change.redeem == nil { #expect(redeemed["scope"]?.text == change.described) }
  }

  @Test("L-50 a scope that the app gets back applies again")
  func returned() async throws {
    let before = try await Self.server()
    var person = try await Person.mentor(at: before, in: "north")
    person.device.server = try await Self.changed(before, by: RightChange.all[1])
    let narrowed = await Self.refresh(person)
    person.refreshToken = try #require(narrowed["refresh_token"]?.text)
    person.device.server = try await Self.changed(before, by: RightChange.all[0])

    let scope = await Self.refresh(person)["scope"]?.text

    #expect(narrowed["scope"]?.text == "openid offline_access account")
    #expect(scope == "openid offline_access account activities")
  }

  @Test("L-50 a removed audience, claim and organization are removed from described tokens too")
  func describedToken() async throws {
    let before = try await Self.server(claims: Self.claims)
    let person = try await Person.mentor(at: before, in: "north")
    let first = await Self.describe(person.token, at: before)
    let after = try await Self.changed(
      before,
      by: RightChange(
        name: "audience, claim and organization",
        organizations: Configuration.demo.organizations.filter { $0.id.text != "south" },
        app: {
          $0.audiences = []
          $0.claims = [Self.claims[1]]
        }))

    let second = await Self.describe(person.token, at: after)

    #expect(first["aud"]?.elements?.compactMap(\.text) == [TestServer.issuer, Self.api])
    #expect(first["role"]?.text == "mentor")
    #expect(first["everywhere"]?.elements?.compactMap(\.text) == ["north", "south"])
    #expect(second["aud"]?.text == TestServer.issuer)
    #expect(second["role"] == nil)
    #expect(second["everywhere"]?.elements?.compactMap(\.text) == ["north"])
    #expect(second["active"] == .bool(true))
  }

  @Test("L-50 a service account's token has only the scopes that the account has now")
  func serviceAccount() async throws {
    let before = try await TestServer(serviceAccounts: [
      try ServiceProgram.account(scopes: [.writeJobs, .introspect], organization: "north")
    ])
    let token = try await ServiceProgram(server: before).token()
    for (account, status) in [
      (try ServiceProgram.account(scopes: [.introspect], organization: "north"), 403),
      (try ServiceProgram.account(scopes: [.writeJobs, .introspect], organization: "south"), 401),
      (try ServiceProgram.account("other", scopes: [.writeJobs]), 401),
    ] {
      let after = before.restarted(
        with: Configuration.demo.clients, serviceAccounts: [account])
      let answer = await after.answer(
        HTTPRequest(
          method: .put, path: "/admin/jobs/j-1",
          fields: [
            HTTPField("Authorization", "Bearer \(token)"),
            HTTPField("Content-Type", "application/json"),
          ], body: Array("{}".utf8)))
      #expect(answer.status == status)
    }
  }
}

@Suite("Rights after a sign-in at a provider")
struct ProviderRightTests {
  @Test("L-50 a session and a code of a provider that the app no longer has give nothing")
  func removedProvider() async throws {
    let world = try await ProviderServer()
    var person = try await world.person(phone: "+4790000077", email: "new@example.com")
    #expect(await person.call(.get, Endpoint.me.path).status == 200)
    let request = await world.push()
    let (address, cookie) = await world.open(await world.push())
    for directory in [
      world.server.world.providers,
      ProviderServer.directory(store: world.server.world.store, clock: world.server.clock),
    ] {
      let clients = world.server.world.clients.values.map { client in
        var client = client
        client.providers = []
        return client
      }
      let after = world.server.restarted(with: clients, providers: directory)
      person.device.server = after

      let events = await person.call(.get, Endpoint.sessionEvents.path)
      let query = Form([.init("client_id", "technician-app"), .init("request_uri", request)])
      let opened = await after.get(Endpoint.authorize.path, query: query.encoded)
      let back = Form([
        .init("state", queryParameters(of: address)["state"] ?? ""), .init("code", "c"),
      ])
      let finished = await after.get(
        Endpoint.providerCallback(.init("login")).path, query: back.encoded, [cookie])

      #expect(await person.call(.get, Endpoint.me.path).status == 401)
      #expect(events.json["reason"]?.text == "revoked")
      #expect(opened.status == 400 && finished.status == 400)
    }
  }

  @Test("L-50 no result goes to an address that the app has given up")
  func removedAddress() async throws {
    let world = try await ProviderServer()
    let (address, cookie) = await world.open(await world.push())
    let clients = world.server.world.clients.values.map { client in
      var client = client
      client.redirectURIs = ["https://app.example.com/new"]
      return client
    }
    let after = world.server.restarted(with: clients, providers: world.server.world.providers)

    let query = Form([
      .init("state", queryParameters(of: address)["state"] ?? ""), .init("error", "access_denied"),
    ])
    let answer = await after.get(
      Endpoint.providerCallback(.init("login")).path, query: query.encoded, [cookie])

    #expect(answer.status == 400 && answer.value(of: "location") == nil)
  }
}

import Cryptography
import Foundation
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Synchronization
import Testing

@testable import SignInClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An adopter's own app: its client id, scopes and servers are not built in, and it has no built-in
/// home.
@Suite("An adopter's own app")
struct OwnAppTests {
  private static let client = AppRegistration(
    id: ClientID("orders-app"), name: "Orders", home: .none, signIn: .passwordAndCode,
    roles: [.technician], scopes: ["openid", "offline_access", "orders"])

  private func makeFixture() async throws -> ClientFixture {
    try await ClientFixture(clients: Configuration.demo.clients + [Self.client])
  }

  private func json(_ part: Substring) throws -> JSON {
    try JSONReader.read(try Base64URL.decode(part))
  }

  private func request(_ address: String, _ method: String = "GET") throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: address)))
    request.httpMethod = method
    return request
  }

  @Test("An unknown app signs in, opens again, renews, locks and signs out")
  func life() async throws {
    let stage = try await makeFixture()
    let lock = TestLock()
    let client = try stage.makeClient(.orders, lock: lock)
    #expect(isSignedIn(try await stage.signIn(client)))
    #expect(stage.wire.paths.allSatisfy { !$0.hasPrefix(Endpoint.jobs.path) })

    let again = try stage.makeClient(.orders, lock: lock)
    #expect(isSignedIn(await again.open()))
    stage.clock.advance(seconds: 3600)
    #expect(try await again.account().email == ClientFixture.email)

    #expect(try await again.setAppLock(true))
    try await stage.expectRenewed(2, by: again)
    let locked = try stage.makeClient(.orders, lock: lock)
    #expect(await locked.open() == .appLocked)
    #expect(isSignedIn(try await locked.unlock()))
    await locked.signOut()
    #expect(await locked.state == .signedOut(nil))
    #expect(stage.storage.session == nil)
  }

  @Test("A request to the adopter's server gets the token and a proof for its method and address")
  func authorize() async throws {
    let stage = try await makeFixture()
    let client = try stage.makeClient(.orders)
    try await stage.signIn(client)
    var request = try request("https://api.example.com:8443/orders?page=2#top", "PUT")

    try await client.authorize(&request, nonce: "n-1")

    let token = try await client.accessToken()
    #expect(request.value(forHTTPHeaderField: "Authorization") == "DPoP " + token)
    let proof = try #require(request.value(forHTTPHeaderField: "DPoP"))
    let parts = proof.split(separator: ".")
    let (header, claims) = (try json(parts[0]), try json(parts[1]))
    #expect(header["typ"]?.text == "dpop+jwt" && header["alg"]?.text == "ES256")
    #expect(claims["htm"]?.text == "PUT")
    #expect(claims["htu"]?.text == "https://api.example.com:8443/orders")
    #expect(claims["nonce"]?.text == "n-1")
    #expect(claims["iat"]?.number == stage.clock.now().seconds)
    #expect(claims["ath"]?.text == Base64URL.encode(SHA256Digest.of(Array(token.utf8))))
    let bound = try json(token.split(separator: ".")[1])
    #expect(bound["scope"]?.text?.contains("orders") == true)

    try await client.authorize(&request)
    #expect(request.value(forHTTPHeaderField: "DPoP") != proof)
  }

  @Test("P-04 a token goes to https or to this device, and to no other address")
  func addresses() async throws {
    let stage = try await makeFixture()
    let client = try stage.makeClient(.orders)
    var early = try request("https://api.example.com/")
    await #expect(throws: SignInError.notPossibleNow) { try await client.authorize(&early) }
    try await stage.signIn(client)
    for address in ["http://api.example.com/", "ftp://api.example.com/", "orders"] {
      var request = try request(address)
      do throws(SignInError) {
        try await client.authorize(&request)
        Issue.record("authorized \(address)")
      } catch { #expect(error == .addressNotAllowed) }
      #expect(request.value(forHTTPHeaderField: "Authorization") == nil)
    }
    #expect(try SignInClient.target(of: URL(string: "http://[::1]:80")) == "http://[::1]:80/")
    #expect(try SignInClient.target(of: URL(string: "https://a.example?b")) == "https://a.example/")
  }

  @Test("P-06 a token that is about to expire is renewed before it is handed to the app")
  func accessToken() async throws {
    let stage = try await makeFixture()
    let client = try stage.makeClient(.orders)
    try await stage.signIn(client)
    let first = try await client.accessToken()
    #expect(try await client.accessToken() == first)
    stage.clock.advance(seconds: 3600)

    stage.wire.turn(.noNetwork)
    await #expect(throws: SignInError.noConnection) { try await client.accessToken() }
    stage.wire.turn(.normal)

    #expect(try await client.accessToken() != first)
  }

  @Test("A call whose task is cancelled ends at once, and the next call is answered")
  func cancelled() async throws {
    let stage = try await makeFixture()
    let client = try stage.makeClient(.orders)
    stage.wire.turn(.silent)
    let signingIn = Task {
      try await client.signIn(email: ClientFixture.email, password: ClientFixture.password)
    }
    await stage.wire.waitForRequest()
    signingIn.cancel()
    await #expect(throws: SignInError.cancelled) { try await signingIn.value }
    stage.wire.turn(.normal)
    #expect(isSignedIn(try await stage.signIn(client)))

    stage.wire.turn(.silent)
    let asking = Task { try await client.account() }
    await stage.wire.waitForRequest()
    asking.cancel()
    await #expect(throws: SignInError.cancelled) { _ = try await asking.value }
    #expect(isSignedIn(await client.state))
    stage.wire.turn(.normal)
    #expect(try await client.account().name.isEmpty == false)
    #expect(await client.replies.isEmpty)
  }

  @Test("A path, a method or a body that the server refuses is refused before it is sent")
  func malformedRequests() async throws {
    let stage = try await makeFixture()
    let client = try stage.makeClient(.orders)
    try await stage.signIn(client)

    for (method, body) in [("PUT", "{}"), ("GET", "{}"), ("PATCH", nil), ("POST", "{")] {
      await #expect(throws: SignInError.requestMalformed) {
        try await client.request(
          Endpoint.me.path, method: method, body: body.map { Data($0.utf8) })
      }
    }
    await #expect(throws: SignInError.requestMalformed) { try await client.request("api/me") }
    let response = try await client.request("/api/none")
    #expect(response.status == 404)
  }

  @Test("The answer to a request has its header fields and its body as it was received")
  func response() async throws {
    struct KeySet: Decodable { let keys: [[String: String]] }
    let stage = try await makeFixture()
    let client = try stage.makeClient(.orders)
    try await stage.signIn(client)

    let response = try await client.request("/jwks.json")

    #expect(response.value(forHTTPHeaderField: "etag")?.hasSuffix("\"") == true)
    #expect(response.value(forHTTPHeaderField: "Content-Type")?.contains("json") == true)
    #expect(response.value(forHTTPHeaderField: "X-None") == nil)
    #expect(try response.decode(KeySet.self).keys.first?["crv"] == "P-256")
    #expect(await client.responses.isEmpty)
    let refusal = try await client.request("/api/none")
    #expect(throws: (any Error).self) { try refusal.decode(KeySet.self) }
  }

  @Test("L-26 the account of the session is known without a network")
  func accountID() async throws {
    let stage = try await makeFixture()
    let client = try stage.makeClient(.orders)
    guard case .signedIn(let session) = try await stage.signIn(client) else {
      return #expect(Bool(false))
    }
    #expect(session.accountID == "technician")
    #expect(try await client.account().id == session.accountID)

    stage.wire.turn(.noNetwork)
    guard case .signedIn(let again) = try await stage.makeClient(.orders).open() else {
      return #expect(Bool(false))
    }
    #expect(again.accountID == session.accountID)
  }

  @Test("The log contains no secret")
  func log() async throws {
    let stage = try await makeFixture()
    let lines = Mutex<[String]>([])
    let client = try stage.makeClient(.orders) { line in lines.withLock { $0.append(line) } }
    await #expect(throws: SignInError.invalidCredentials) {
      try await client.signIn(email: ClientFixture.email, password: "a wrong guess")
    }
    try await stage.signIn(client)
    var secrets = [
      ClientFixture.email, ClientFixture.password, "a wrong guess", await stage.code(),
    ]
    secrets.append(try await client.accessToken())
    _ = try await client.request(Endpoint.me.path + "?hidden=value")
    await client.signOut()

    let log = lines.withLock { $0 }
    #expect(log.contains("POST /oauth/challenge: 400 invalid_credentials"))
    #expect(log.contains("POST /oauth/token: 200") && log.contains("state: signed out"))
    #expect(log.contains { $0.hasPrefix("GET /api/me: ") })
    for secret in secrets + ["hidden", "1234", "Bearer", "eyJ"] {
      #expect(!log.contains { $0.contains(secret) }, "\(secret)")
    }
  }

  @Test("T-11 a forgotten password is reset through the client")
  func reset() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()

    await #expect(throws: SignInError.emailMalformed) {
      try await client.requestPasswordReset(email: "tech")
    }
    let challenge = try await client.requestPasswordReset(email: ClientFixture.email)
    #expect(challenge.digits == 6)
    let code = await stage.code()
    await #expect(throws: SignInError.refused(code: "password_too_common")) {
      try await client.resetPassword(to: "password", code: code)
    }
    try await client.resetPassword(to: "seven grey umbrellas", code: code)
    #expect(await client.state == .signedOut(nil))
    await #expect(throws: SignInError.notPossibleNow) {
      try await client.resetPassword(to: "seven grey umbrellas", code: code)
    }
  }

  @Test("R-11 where a code proves the number, the client enters it and says what follows")
  func registrationWithCode() async throws {
    var clients = Configuration.demo.clients
    for index in clients.indices where clients[index].allowsRegistration {
      clients[index].policy.registrationApproval = .number
    }
    let stage = try await ClientFixture(clients: clients)
    let client = try stage.makeClient(.rider)
    await #expect(throws: SignInError.notPossibleNow) {
      try await client.confirmRegistration(code: "123456")
    }

    let asked = try await client.register(name: "Grace Hopper", phone: "+919812345699")
    #expect(asked == .codeSent)
    _ = await stage.code()
    stage.clock.advance(seconds: 60)
    try await client.resendCode()
    let code = await stage.code()
    await #expect(throws: SignInError.wrongCode(attemptsLeft: 4)) {
      try await client.confirmRegistration(code: code == "000000" ? "111111" : "000000")
    }
    #expect(try await client.confirmRegistration(code: code) == .approved)

    try await client.signIn(phone: "+919812345699")
    #expect(isSignedIn(try await client.submitCode(await stage.code())))
  }

  @Test("R-11 a person registers through the client")
  func registration() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient(.rider)

    let asked = try await client.register(name: "Grace Hopper", phone: "+919812345699")
    #expect(asked == .waitingForApproval)
    await #expect(throws: SignInError.refused(code: "country_not_supported")) {
      try await client.register(name: "Grace Hopper", phone: "+4790000055")
    }
    await #expect(throws: SignInError.notPossibleNow) {
      try await client.requestPasswordReset(email: ClientFixture.email)
    }
    #expect(await client.state == .signedOut(nil))
  }
}

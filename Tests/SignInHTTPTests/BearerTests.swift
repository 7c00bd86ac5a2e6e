import Cryptography
import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

/// An app with `dpop_required: false`.
///
/// Its programs may work without proofs.
@Suite("Bearer tokens")
struct BearerTests {
  private static let verifier = String(repeating: "v", count: 43)

  private static func clients(requiresDPoP: Bool) -> [AppRegistration] {
    Configuration.demo.clients.map { client in
      var client = client
      if client.id == ClientID("technician-app") { client.requiresDPoP = requiresDPoP }
      return client
    }
  }

  private func form(
    _ server: TestServer, _ path: String, _ fields: [(String, String)], proof: [HTTPField] = []
  ) async -> HTTPResponse {
    let form = Form([.init("client_id", "technician-app")] + fields.map { .init($0.0, $0.1) })
    return await server.answer(
      HTTPRequest(
        method: .post, path: path,
        fields: [HTTPField("Content-Type", "application/x-www-form-urlencoded")] + proof,
        body: Array(form.encoded.utf8)))
  }

  private func begin(_ server: TestServer, proof: [HTTPField] = []) async -> HTTPResponse {
    await form(
      server, Endpoint.challenge.path,
      [
        ("response_type", "code"), ("scope", "openid offline_access account jobs"),
        ("code_challenge", Base64URL.encode(SHA256Digest.of(Self.verifier))),
        ("code_challenge_method", "S256"), ("username", "tech@example.com"),
        ("password", "demo-Technician-1"),
      ], proof: proof)
  }

  private func signIn(_ server: TestServer) async throws -> JSON {
    let session = try #require(await begin(server).json["auth_session"]?.text)
    let answer = [("auth_session", session), ("otp", await server.sentCode())]
    let proved = await form(server, Endpoint.challenge.path, answer)
    return await form(
      server, Endpoint.token.path,
      [
        ("grant_type", "authorization_code"), ("code_verifier", Self.verifier),
        ("code", try #require(proved.json["authorization_code"]?.text)),
      ]
    ).json
  }

  private func refresh(_ server: TestServer, _ token: String) async -> HTTPResponse {
    await form(
      server, Endpoint.token.path, [("grant_type", "refresh_token"), ("refresh_token", token)])
  }

  private func me(_ server: TestServer, _ scheme: String, _ token: String) async -> HTTPResponse {
    await server.get(Endpoint.me.path, [HTTPField("Authorization", "\(scheme) \(token)")])
  }

  @Test("An app that requires no proof gets Bearer tokens, which work without one")
  func wholeWay() async throws {
    let server = try await TestServer(clients: Self.clients(requiresDPoP: false))

    let tokens = try await signIn(server)

    #expect(tokens["token_type"]?.text == "Bearer")
    let terms = try #require(TokenAnswer.SessionTerms(json: tokens["session"]))
    let left = server.clock.now().wholeSeconds(until: terms.expiresAt)
    #expect(tokens["authorization_expires_in"] == .int(left))
    #expect(tokens["refresh_token_timeout"] == .int(terms.idleTimeout))
    let token = try #require(tokens["access_token"]?.text)
    #expect(CompactJWS(parsing: token)?.claims["cnf"] == nil)
    #expect(await me(server, "Bearer", token).json["email"]?.text == "tech@example.com")
    #expect(await me(server, "DPoP", token).status == 401)
    let list = await server.get(
      Endpoint.sessions.path, [HTTPField("Authorization", "Bearer \(token)")]
    ).json
    #expect(list["sessions"]?.elements?.first?["bound"] == .bool(false))
  }

  @Test("The same app still binds the tokens of a program that sends proofs")
  func bound() async throws {
    let server = try await TestServer(clients: Self.clients(requiresDPoP: false))

    let person = try await Person.technician(at: server)

    #expect(await me(server, "Bearer", person.token).status == 401)
    let answer = await person.call(.get, Endpoint.sessions.path)
    #expect(answer.json["sessions"]?.elements?.first?["bound"] == .bool(true))
    // The refresh token does not work without the key.
    #expect(await refresh(server, person.refreshToken).json["error"]?.text == "invalid_grant")
    #expect(await person.call(.get, Endpoint.me.path).status == 200)
  }

  @Test("An app that requires proofs refuses a request without one, as before")
  func required() async throws {
    let server = try await TestServer(clients: Self.clients(requiresDPoP: true))

    #expect(await begin(server).json["error"]?.text == "invalid_dpop_proof")
  }

  @Test("A refresh token without a key works once; the second use ends the session")
  func rotation() async throws {
    let server = try await TestServer(clients: Self.clients(requiresDPoP: false))
    let first = try #require(try await signIn(server)["refresh_token"]?.text)

    let renewed = await refresh(server, first).json
    let second = try #require(renewed["refresh_token"]?.text)
    #expect(second != first)
    let again = await refresh(server, first).json

    #expect(again["error"]?.text == "invalid_grant")
    #expect(again["reason"]?.text == "reuse_detected")
    #expect(await refresh(server, second).json["error"]?.text == "invalid_grant")
    let token = try #require(renewed["access_token"]?.text)
    #expect(await me(server, "Bearer", token).status == 401)
  }

  @Test("A sign-in continues with its first key, or without a key if it began without one")
  func mixed() async throws {
    let server = try await TestServer(clients: Self.clients(requiresDPoP: false))
    let device = Device(server: server)
    let proof = { [device.proof("POST", Endpoint.challenge.path)] }

    let keyed = try #require(await begin(server, proof: proof()).json["auth_session"]?.text)
    let sent = await server.sentCode()
    let bare = await form(
      server, Endpoint.challenge.path, [("auth_session", keyed), ("otp", sent)])
    #expect(bare.json["error"]?.text == "invalid_session")

    server.clock.advance(seconds: 61)
    let open = try #require(await begin(server).json["auth_session"]?.text)
    let answer = [("auth_session", open), ("otp", await server.sentCode())]
    let proved = await form(server, Endpoint.challenge.path, answer, proof: proof())
    #expect(proved.json["error"]?.text == "invalid_session")
    #expect(await form(server, Endpoint.challenge.path, answer).status == 200)
  }

  @Test("A code sent to one sign-in without a key does not work in another")
  func ownCode() async throws {
    let server = try await TestServer(clients: Self.clients(requiresDPoP: false))
    let first = try #require(await begin(server).json["auth_session"]?.text)
    let sent = await server.sentCode()

    let second = await begin(server)

    #expect(second.json["error"]?.text == "resend_too_soon")
    #expect(second.json["auth_session"] == nil)
    let answer = [("auth_session", first), ("otp", sent)]
    #expect(await form(server, Endpoint.challenge.path, answer).status == 200)
  }

  @Test("Each sign-in without a key counts as a new device and is never remembered")
  func newDevice() async throws {
    let server = try await TestServer(clients: Self.clients(requiresDPoP: false))
    _ = try await signIn(server)
    server.clock.advance(seconds: 61)
    _ = try await signIn(server)

    let known = try await server.world.store.read { transaction throws(StoreFault) in
      (
        try transaction.notices(of: AccountID("technician")).count,
        try transaction.knownDevices(of: AccountID("technician")).count
      )
    }
    #expect(known == (1, 0))
  }

  @Test("An app that starts to require proofs accepts no more Bearer tokens")
  func tightened() async throws {
    let server = try await TestServer(clients: Self.clients(requiresDPoP: false))
    let tokens = try await signIn(server)
    let token = try #require(tokens["access_token"]?.text)
    let strict = server.restarted(with: Self.clients(requiresDPoP: true))

    #expect(await me(strict, "Bearer", token).status == 401)
    let refused = await refresh(strict, try #require(tokens["refresh_token"]?.text))
    #expect(refused.json["error"]?.text == "invalid_dpop_proof")
  }
}

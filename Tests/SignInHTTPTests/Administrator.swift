import Cryptography
import HTTPServer
import JSONText
import SignInHTTP
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

/// A person signed in through one of the apps, with short ways to send requests with the token.
struct Person {
  var device: Device
  let token: String
  var refreshToken = ""

  /// Signs the demo administrator in through the console.
  static func administrator(
    at server: TestServer, scope: String = "openid offline_access account admin"
  ) async throws -> Person {
    try await signIn(
      at: server, client: "console", scope: scope,
      [("username", "admin@example.com"), ("password", "demo-Admin-1")]
    )
  }

  static func technician(
    at server: TestServer, scope: String = "openid offline_access account jobs admin"
  ) async throws -> Person {
    try await signIn(
      at: server, client: "technician-app", scope: scope,
      [("username", "tech@example.com"), ("password", "demo-Technician-1")]
    )
  }

  /// The demo's apps.
  ///
  /// The technicians' app may also request another scope.
  static func clients(technicianScope scope: Scope) -> [AppRegistration] {
    var clients = Configuration.demo.clients
    clients[0].scopes.append(scope.rawValue)
    return clients
  }

  /// Signs the demo mentor in, in one of the two organizations.
  static func mentor(at server: TestServer, in organization: String) async throws -> Person {
    try await signIn(
      at: server, client: "mentor-app", scope: "openid offline_access account activities",
      [
        ("username", "mentor@example.com"), ("password", "demo-Mentor-1"),
        ("organization", organization),
      ]
    )
  }

  static func signIn(
    at server: TestServer, client: String, scope: String, _ credentials: [(String, String)]
  ) async throws -> Person {
    let device = Device(server: server)
    let begun = await device.post(
      Endpoint.challenge.path,
      [
        ("response_type", "code"), ("client_id", client), ("scope", scope),
        ("code_challenge", Base64URL.encode(SHA256Digest.of(device.verifier))),
        ("code_challenge_method", "S256"),
      ] + credentials
    )
    let session = try #require(begun.json["auth_session"]?.text)
    let code = await server.sentCode()
    let proved = await device.post(
      Endpoint.challenge.path,
      [("client_id", client), ("auth_session", session), ("otp", code)]
    )
    let tokens = await device.post(
      Endpoint.token.path,
      [
        ("grant_type", "authorization_code"), ("client_id", client),
        ("code", try #require(proved.json["authorization_code"]?.text)),
        ("code_verifier", device.verifier),
      ]
    )
    return Person(
      device: device, token: try #require(tokens.json["access_token"]?.text),
      refreshToken: tokens.json["refresh_token"]?.text ?? ""
    )
  }

  /// Sends a request with the token and a proof.
  ///
  /// `body` is sent as JSON.
  func call(
    _ method: HTTPMethod, _ path: String, query: String? = nil, _ body: String? = nil,
    key: String? = nil, more: [HTTPField] = []
  ) async -> HTTPResponse {
    var fields = [
      HTTPField("Authorization", "DPoP \(token)"),
      device.proof(method.rawValue, path, token: token),
    ]
    if body != nil { fields.append(HTTPField("Content-Type", "application/json")) }
    if let key { fields.append(HTTPField("Idempotency-Key", key)) }
    fields += more
    return await device.server.answer(
      HTTPRequest(
        method: method, path: path, query: query, fields: fields, body: Array((body ?? "").utf8)
      )
    )
  }
}

extension HTTPResponse {
  /// The body as JSON, or null if it is not JSON.
  var json: JSON {
    do throws(JSONMalformed) { return try JSONReader.read(body) } catch { return .null }
  }

  var code: String? { json["code"]?.text }
}

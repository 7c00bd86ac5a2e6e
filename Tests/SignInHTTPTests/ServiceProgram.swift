import Cryptography
import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

/// An adopter's program that authenticates as a service account.
struct ServiceProgram {
  static let secret = String(repeating: "s", count: 32)
  static let key = SigningKey.generate()

  let server: TestServer
  var id = "planning"

  static func account(
    _ id: String = "planning", scopes: [ServiceScope] = [.writeJobs, .readChanges],
    organization: String? = nil, secret: String? = secret
  ) throws -> ServiceAccount {
    ServiceAccount(
      id: ClientID(id), name: "Planning", scopes: scopes,
      organization: organization.map { OrganizationID($0) },
      credential: try secret.map { text throws(ServiceCredentialMistake) in
        try ServiceAccount.Credential(secret: Secret(text))
      } ?? ServiceAccount.Credential(keySet: keySet)
    )
  }

  static var keySet: [UInt8] {
    JSON.members([JSONMember("keys", .array([key.publicKey.jwk(keyID: "k-1")]))]).utf8
  }

  static func basic(_ id: String, _ secret: String) -> HTTPField {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let text = Base64URL.encode(Array("\(id):\(secret)".utf8)).utf8.map { byte -> UInt8 in
      byte == UInt8(ascii: "-") ? letters[62] : byte == UInt8(ascii: "_") ? letters[63] : byte
    }
    let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
    return HTTPField("Authorization", "Basic " + String(decoding: text, as: UTF8.self) + padding)
  }

  /// Requests a token.
  ///
  /// `nil` removes a parameter.
  func ask(
    _ parameters: [String: String], _ fields: [HTTPField] = []
  ) async -> HTTPResponse {
    let all = ["grant_type": "client_credentials"].merging(parameters) { $1 }
    let form = Form(all.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) })
    return await server.answer(
      HTTPRequest(
        method: .post, path: Endpoint.token.path,
        fields: [HTTPField("Content-Type", "application/x-www-form-urlencoded")] + fields,
        body: Array(form.encoded.utf8)))
  }

  func askWithSecret(_ secret: String = secret, scope: String? = nil) async -> HTTPResponse {
    var parameters = ["client_id": id, "client_secret": secret]
    parameters["scope"] = scope
    return await ask(parameters)
  }

  /// A Bearer token with every scope of the account.
  func token(scope: String? = nil) async throws -> String {
    try #require(await askWithSecret(scope: scope).json["access_token"]?.text)
  }

  /// An assertion in which `claims` replace the right ones.
  ///
  /// Null removes a claim.
  func assertion(
    _ claims: [String: JSON] = [:], header: [String: JSON] = [:], key: SigningKey = key
  ) -> String {
    let now = server.clock.now().seconds
    let right: [String: JSON] = [
      "iss": .string(id), "sub": .string(id), "aud": .string(TestServer.issuer),
      "iat": .int(now), "exp": .int(now + 60),
      "jti": .string(Base64URL.encode(SecureRandom.bytes(12))),
    ]
    func object(_ members: [String: JSON]) -> JSON {
      .object(
        members.filter { $0.value != .null }.sorted { $0.key < $1.key }
          .map { JSONMember($0.key, $0.value) })
    }
    return CompactJWS.sign(
      header: object(
        ["alg": .string("ES256"), "typ": .string("JWT"), "kid": .string("k-1")].merging(header) {
          $1
        }),
      claims: object(right.merging(claims) { $1 }), with: key)
  }

  func askWithAssertion(_ assertion: String) async -> HTTPResponse {
    await ask([
      "client_assertion_type": ServiceCredentials.assertionType, "client_assertion": assertion,
    ])
  }
}

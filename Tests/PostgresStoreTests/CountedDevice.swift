import Cryptography
import HTTPServer
import JSONText
import SignInHTTP
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SQLStore

/// A server of the demo data without background work, over a store.
struct CountedServer {
  static let issuer = "http://127.0.0.1:8080"

  let world: World
  let handler: FieldpassHandler
  let clock: SimulatedClock
  let messenger = RecordingMessenger()

  /// The master key; the store is opened with its derived keys, as in a server.
  static let master = [UInt8](repeating: 7, count: Keyring.masterByteCount)
  static var storeKeys: StoreKeys { Keyring.storeKeys(master: master) }

  init(
    _ store: PostgresStore, at start: Instant = Instant(seconds: 1_800_000_000)
  ) async throws {
    clock = SimulatedClock(start)
    let passwords = FastPasswordHashing()
    let proofs = store.sharedLedger(beside: MemoryProofLedger())
    world = World(
      issuer: Self.issuer, clients: Configuration.demo.clients,
      organizations: Configuration.demo.organizations,
      keyring: Keyring(
        signing: SigningKey.generate(), master: Self.master,
        decoyPasswordHash: try await passwords.hash(Secret("decoy"))),
      store: store, clock: clock, randomness: SeededRandomness(seed: 3), passwords: passwords,
      proofs: proofs, router: MessengerRouter([.init(messenger)]),
      messageRecorded: {}, reportFault: { _ in })
    handler = FieldpassHandler(
      world: world, assets: WebAssets(files: [:]), development: nil, log: { _ in })
    _ = try await prepareDemo(in: world)
    // The first proof connects the ledger and removes expired proofs. The second one waits for it.
    for number in 0..<2 {
      _ = await proofs.record("first-\(number)", from: nil, until: clock.now(), now: clock.now())
    }
  }

  func deliver() async { await deliverMessages(through: [messenger], in: world) }

  func lastCode() throws -> String {
    String(try #require(messenger.messages.last?.text.revealed.prefix(6)))
  }
}

/// A device that signs in at an app of the demo.
struct CountedDevice {
  let server: CountedServer
  let app: String
  private let key = SigningKey.generate()
  private let verifier = String(repeating: "v", count: 43)

  init(_ app: String, at server: CountedServer) {
    self.server = server
    self.app = app
  }

  func begin(_ scope: String, _ credentials: [(String, String)]) async throws -> String {
    let answer = try await post(
      .challenge,
      [
        ("response_type", "code"), ("scope", scope),
        ("code_challenge", Base64URL.encode(SHA256Digest.of(verifier))),
        ("code_challenge_method", "S256"),
      ] + credentials)
    return try #require(answer["auth_session"]?.text)
  }

  func verify(_ code: String, _ session: String) async throws -> JSON {
    try await post(.challenge, [("auth_session", session), ("otp", code)])
  }

  func redeem(_ code: String) async throws -> JSON {
    try await post(
      .token,
      [("grant_type", "authorization_code"), ("code", code), ("code_verifier", verifier)])
  }

  func refresh(_ token: String) async throws -> JSON {
    try await post(.token, [("grant_type", "refresh_token"), ("refresh_token", token)])
  }

  func get(_ endpoint: Endpoint, _ token: String) async throws {
    let answer = await server.handler.answer(
      HTTPRequest(
        method: .get, path: endpoint.path,
        fields: [
          HTTPField("Authorization", "DPoP \(token)"), proof("GET", endpoint.path, token: token),
        ]))
    try #require(answer.status == 200)
  }

  func post(_ endpoint: Endpoint, _ fields: [(String, String)]) async throws -> JSON {
    let form = Form(([("client_id", app)] + fields).map { Form.Field($0.0, $0.1) })
    let answer = await server.handler.answer(
      HTTPRequest(
        method: .post, path: endpoint.path,
        fields: [
          HTTPField("Content-Type", "application/x-www-form-urlencoded"),
          proof("POST", endpoint.path),
        ],
        body: Array(form.encoded.utf8)))
    return try JSONReader.read(answer.body)
  }

  private func proof(_ method: String, _ path: String, token: String? = nil) -> HTTPField {
    var jwk = key.publicKey.jwk(keyID: "").objectMembers ?? []
    jwk.removeAll { ["kid", "use", "alg"].contains($0.key) }
    var claims = [
      JSONMember("jti", Base64URL.encode(SecureRandom.bytes(12))), JSONMember("htm", method),
      JSONMember("htu", CountedServer.issuer + path),
      JSONMember("iat", server.clock.now().seconds),
    ]
    if let token { claims.append(JSONMember("ath", Base64URL.encode(SHA256Digest.of(token)))) }
    let header = [
      JSONMember("typ", "dpop+jwt"), JSONMember("alg", "ES256"), JSONMember("jwk", .object(jwk)),
    ]
    return HTTPField(
      "DPoP", CompactJWS.sign(header: .object(header), claims: .object(claims), with: key))
  }
}

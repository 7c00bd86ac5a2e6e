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

/// A server in memory that tests call without a network.
struct TestServer {
  static let issuer = "http://127.0.0.1:8080"

  private(set) var handler: FieldpassHandler
  private(set) var world: World
  let clock = SimulatedClock(Instant(seconds: 1_800_000_000))
  let messenger = RecordingMessenger()
  let logged = Lines()
  private let isDevelopment: Bool

  init(
    assets: [String: WebAssets.File] = [:], isDevelopment: Bool = true,
    clients: [AppRegistration] = Configuration.demo.clients, serviceAccounts: [ServiceAccount] = [],
    throttlesOrigins: Bool = true
  ) async throws {
    let passwords = FastPasswordHashing()
    let store = MemoryStore()
    let logged = logged
    self.isDevelopment = isDevelopment
    world = World(
      issuer: Self.issuer,
      clients: clients,
      serviceAccounts: serviceAccounts,
      organizations: Configuration.demo.organizations,
      keyring: Keyring(
        signing: SigningKey.generate(),
        master: SecureRandom.bytes(32),
        decoyPasswordHash: try await passwords.hash(Secret("decoy"))
      ),
      store: store,
      clock: clock,
      randomness: SeededRandomness(seed: 3),
      passwords: passwords,
      proofs: MemoryProofLedger(),
      throttlesOrigins: throttlesOrigins,
      providers: ProviderServer.directory(store: store, clock: clock, organizations: ["north"]),
      router: MessengerRouter([.init(messenger)]),
      messageRecorded: {},
      reportFault: { _ in }
    )
    handler = FieldpassHandler(
      world: world,
      assets: WebAssets(files: assets),
      development: isDevelopment ? Tools(clock: clock, messenger: messenger) : nil,
      log: { logged.append($0) }
    )
    _ = try await prepareDemo(in: world)
  }

  /// The current signing key.
  var signingKey: SigningKeys.Key { world.keyring.signing.current(at: clock.now()) }

  /// The same server after a restart with other apps and service accounts.
  func restarted(
    with clients: [AppRegistration], serviceAccounts: [ServiceAccount] = [],
    organizations: [Configuration.Organization]? = nil, providers: ProviderDirectory? = nil,
    practice: PracticeServer? = nil
  ) -> TestServer {
    var other = self
    other.world = World(
      issuer: world.issuer, clients: clients, serviceAccounts: serviceAccounts,
      organizations: organizations ?? world.organizations,
      keyring: world.keyring, store: world.store, clock: world.clock,
      randomness: world.randomness, passwords: world.passwords, proofs: world.proofs,
      providers: providers, router: world.router, messageRecorded: world.messageRecorded,
      reportFault: world.reportFault
    )
    other.handler = FieldpassHandler(
      world: other.world, assets: WebAssets(files: [:]),
      development: practice.map { Tools(clock: clock, messenger: messenger, practice: $0) },
      log: { _ in }
    )
    return other
  }

  /// The handler's answer, which must match the OpenAPI document.
  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    let response = await handler.answer(request)
    let mistakes = DescribedAnswers.mistakes(
      in: response, to: request, isDevelopment: isDevelopment)
    for mistake in mistakes { Issue.record("\(mistake)") }
    return response
  }

  func get(_ path: String, query: String? = nil, _ fields: [HTTPField] = []) async -> HTTPResponse {
    await answer(HTTPRequest(method: .get, path: path, query: query, fields: fields))
  }

  /// The metrics, as monitoring reads them on their own listener.
  func metrics() async -> String {
    let handler = MetricsHandler(handler)
    let request = HTTPRequest(method: .get, path: Endpoint.metrics.path)
    return String(decoding: await handler.answer(request).body, as: UTF8.self)
  }

  /// The code in the newest message; empty if there is no message.
  func sentCode() async -> String {
    await deliverMessages(through: [messenger], in: world)
    return String(messenger.messages.last?.text.revealed.prefix(6) ?? "")
  }

  struct Tools: DevelopmentTools {
    let clock: SimulatedClock
    let messenger: RecordingMessenger
    var practice: PracticeServer?

    func messages(to recipient: Recipient?, kind: OutboxMessage.Kind) async -> [InboxMessage] {
      messenger.messages.reversed().filter { $0.kind == kind }.map {
        InboxMessage(to: $0.to, text: $0.text.revealed, code: nil, sentAt: clock.now())
      }
    }

    func advanceClock(seconds: Int64) -> Instant {
      clock.advance(seconds: seconds)
      return clock.now()
    }

    func makeAccounts(count: Int) async -> Int { count }
  }

  /// The log lines.
  final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    func append(_ line: String) { lines.withLock { $0.append(line) } }

    var all: [String] { lines.withLock { $0 } }
  }
}

/// A device with its own key, and the faults that its proofs may have.
struct Device {
  var server: TestServer
  let key = SigningKey.generate()
  let verifier = String(repeating: "v", count: 43)

  /// The faults of a proof.
  ///
  /// By default it has none.
  struct Flaws {
    var header: [String: JSON] = [:]
    var claims: [String: JSON] = [:]
    var signer: SigningKey?
    var identifier: String?
  }

  func proof(
    _ method: String, _ path: String, token: String? = nil, _ flaws: Flaws = Flaws()
  ) -> HTTPField {
    var jwk = key.publicKey.jwk(keyID: "").objectMembers ?? []
    jwk.removeAll { ["kid", "use", "alg"].contains($0.key) }
    let header = merged(
      [
        JSONMember("typ", "dpop+jwt"), JSONMember("alg", "ES256"), JSONMember("jwk", .object(jwk)),
      ],
      flaws.header
    )
    var members = [
      JSONMember("jti", flaws.identifier ?? Base64URL.encode(SecureRandom.bytes(12))),
      JSONMember("htm", method), JSONMember("htu", TestServer.issuer + path),
      JSONMember("iat", server.clock.now().seconds),
    ]
    if let token {
      members.append(JSONMember("ath", Base64URL.encode(SHA256Digest.of(token))))
    }
    let claims = merged(members, flaws.claims)
    return HTTPField(
      "DPoP",
      CompactJWS.sign(header: header, claims: claims, with: flaws.signer ?? key)
    )
  }

  private func merged(_ members: [JSONMember], _ changes: [String: JSON]) -> JSON {
    let kept = members.filter { changes[$0.key] == nil }
    let changed = changes.sorted { $0.key < $1.key }.filter { $0.value != .null }
    return .object(kept + changed.map { JSONMember($0.key, $0.value) })
  }

  func post(
    _ path: String, _ fields: [(String, String)], proof: [HTTPField]? = nil
  ) async -> (status: Int, json: JSON) {
    let form = Form(fields.map { Form.Field($0.0, $0.1) })
    let type = HTTPField("Content-Type", "application/x-www-form-urlencoded")
    let response = await server.answer(
      HTTPRequest(
        method: .post,
        path: path,
        fields: [type] + (proof ?? [self.proof("POST", path)]),
        body: Array(form.encoded.utf8)
      )
    )
    return (response.status, (try? JSONReader.read(response.body)) ?? .null)
  }

  func begin() async -> (status: Int, json: JSON) {
    await post(
      Endpoint.challenge.path,
      [
        ("response_type", "code"), ("client_id", "technician-app"),
        ("scope", "openid offline_access account jobs"),
        ("code_challenge", Base64URL.encode(SHA256Digest.of(verifier))),
        ("code_challenge_method", "S256"), ("nonce", "n-1"), ("username", "tech@example.com"),
        ("password", "demo-Technician-1"),
      ]
    )
  }

  /// Signs the demo technician in and returns the access token.
  func signIn() async throws -> (access: String, json: JSON) {
    let session = try #require(await begin().json["auth_session"]?.text)
    let code = await server.sentCode()
    let proved = await post(
      Endpoint.challenge.path,
      [("client_id", "technician-app"), ("auth_session", session), ("otp", code)]
    )
    let authorization = try #require(proved.json["authorization_code"]?.text)
    let tokens = await post(
      Endpoint.token.path,
      [
        ("grant_type", "authorization_code"), ("client_id", "technician-app"),
        ("code", authorization), ("code_verifier", verifier),
      ]
    )
    return (try #require(tokens.json["access_token"]?.text), tokens.json)
  }

  func get(
    _ path: String, token: String, scheme: String = "DPoP", proof: [HTTPField]? = nil
  ) async -> HTTPResponse {
    let fields = [HTTPField("Authorization", "\(scheme) \(token)")]
    return await server.get(path, fields + (proof ?? [self.proof("GET", path, token: token)]))
  }
}

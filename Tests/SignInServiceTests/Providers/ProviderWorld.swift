import Cryptography
import JSONText
import SignInModel
import SignInRules
import SignInTesting
import Synchronization

@testable import SignInService
@testable import SignInWire

/// A world with one app and two providers, and short ways to sign in at one of them.
final class ProviderWorld: Sendable {
  struct Journey {
    let address: String
    let cookie: Secret

    var state: Secret { Secret(parameters["state"] ?? "") }

    /// The parameters that the browser brings to the provider.
    var parameters: Form {
      let query = address.split(separator: "?", maxSplits: 1).last ?? ""
      do { return try Form(parsing: Array(query.utf8)) } catch { return Form() }
    }
  }

  let provider: ScriptedProvider
  let clock: SimulatedClock
  let messenger = RecordingMessenger()
  let world: World
  let store = MemoryStore()
  private let providerKey = Mutex(SigningKey.generate())
  private let keyCount = Mutex(0)

  init(
    createsAccounts role: AccountRole? = nil, credential: IdentityProvider.Credential = .none,
    sendsNoticesBySMS: Bool = false,
    edit: (inout IdentityProvider.Settings) -> Void = { _ in }
  ) async throws {
    let clock = SimulatedClock(TestWorld.start)
    self.clock = clock
    provider = ScriptedProvider(clock)
    let passwords = FastPasswordHashing()
    var client = TestWorld.technicians
    client.providers = ["login", "second"]
    client.roles = [.technician, .mentor]
    client.sendsNoticesBySMS = sendsNoticesBySMS
    client.redirectURIs = ["https://app.example.com/done"]
    let providers = ["login", "second"].map { name in
      var settings = ScriptedProvider.openID(name).settings
      settings.algorithms = [.es256]
      if name == "second" {
        settings.kind = .openID(
          issuer: ScriptedProvider.issuer + "/second",
          discovery: ScriptedProvider.issuer + "/second/configuration")
      }
      if let role { settings.newAccounts = .init(role: role, organization: nil) }
      edit(&settings)
      return IdentityProvider(settings: settings, credential: credential)
    }
    world = World(
      issuer: "https://login.example.com", clients: [client],
      organizations: TestWorld.organizations,
      keyring: Keyring(
        signing: SigningKey.generate(), master: [UInt8](repeating: 7, count: 32),
        decoyPasswordHash: try await passwords.hash(Secret("decoy"))),
      store: store, clock: clock, randomness: SeededRandomness(seed: 3), passwords: passwords,
      proofs: MemoryLedger(),
      providers: ProviderDirectory(providers, calls: provider, store: store, clock: clock),
      messageRecorded: {}, reportFault: { _ in })
    let algorithms: [String: JSON?] = [
      "id_token_signing_alg_values_supported": .array([.string("ES256")])
    ]
    provider.answer("/.well-known/openid-configuration", ScriptedProvider.metadata(algorithms))
    provider.answer(
      "/second/configuration",
      ScriptedProvider.metadata(
        algorithms.merging(["issuer": .string(ScriptedProvider.issuer + "/second")]) { $1 }))
    publishKey()
    let account = Account(
      id: AccountID("tara"), email: nil, phone: try PhoneNumber(parsing: "+15550101234"),
      name: "Tara", role: .technician, status: .active, passwordHash: nil, organizations: [],
      createdAt: TestWorld.start, phoneProof: .administrator)
    let identity = Identity(
      issuer: ScriptedProvider.issuer, subject: "s", account: account.id, provider: "login",
      linkedAt: TestWorld.start, lastUsedAt: nil)
    try await store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(account)
      try transaction.insert(identity)
    }
  }

  /// Nothing in these tests sends a proof.
  private struct MemoryLedger: ProofLedger {
    func record(
      _ identifier: String, from source: ProofSource?, until expiry: Instant, now: Instant
    ) -> ProofVerdict { .recorded }
  }

  func randomCookie() -> Secret { Secret(Base64URL.encode(world.randomness.bytes(32))) }

  func begin(
    provider: String = "login", redirectURI: String? = nil, key: String = "key",
    peer: String = TestWorld.peer
  ) async -> Result<PushedRequestAnswer, Refusal> {
    let terms = SignInTerms(
      client: world.clients[ClientID("technician-app")] ?? TestWorld.technicians,
      scope: "openid offline_access account",
      pkceChallenge: Base64URL.encode(SHA256Digest.of(TestWorld.verifier)), nonce: "app-nonce",
      organization: nil, proofKeyThumbprint: key, peer: peer)
    return await result(
      try await beginProviderSignIn(
        ProviderSignInRequest(
          terms: terms, provider: provider, redirectURI: redirectURI, state: "app-state",
          loginHint: nil), in: world))
  }

  func push(provider: String = "login", key: String = "key") async throws -> String {
    try await begin(provider: provider, key: key).get().requestURI
  }

  func start(_ request: String, cookie: Secret? = nil) async -> BrowserStep {
    await startProviderJourney(
      requestURI: request, client: ClientID("technician-app"), cookie: cookie, in: world)
  }

  /// Pushes a request and opens it in a browser.
  func open(
    provider: String = "login", key: String = "key", cookie: Secret? = nil
  ) async throws -> Journey {
    guard
      case .toProvider(let address, let cookie) = await start(
        try await push(provider: provider, key: key), cookie: cookie)
    else { throw ProviderCallFault("the browser does not go to the provider") }
    return Journey(address: address, cookie: cookie)
  }

  func answer(
    _ journey: Journey, cookie: Secret?, provider: String? = nil
  ) async -> BrowserStep {
    await finishProviderJourney(
      ProviderAnswer(
        provider: provider ?? name(of: journey), state: journey.state, code: Secret("code"),
        error: nil, issuer: nil, cookie: cookie, peer: nil), in: world)
  }

  /// The answer to a browser that comes back without `state`.
  func answerWithoutState(
    cookie: Secret?, error: String? = "access_denied", code: String? = nil,
    provider: String = "login"
  ) async -> BrowserStep {
    await finishProviderJourney(
      ProviderAnswer(
        provider: provider, state: nil, code: code.map { Secret($0) }, error: error, issuer: nil,
        cookie: cookie, peer: nil), in: world)
  }

  func answer(_ journey: Journey, provider: String? = nil) async -> BrowserStep {
    await answer(journey, cookie: journey.cookie, provider: provider)
  }

  private func name(of journey: Journey) -> String {
    journey.parameters["redirect_uri"]?.contains("/second/") == true ? "second" : "login"
  }

  /// The provider sends the browser back, and the app gets these parameters.
  func finish(
    _ journey: Journey, code: String? = "code", error: String? = nil, issuer: String? = nil,
    claims edits: [String: JSON?] = [:], before change: () -> Void = {}
  ) async -> Form {
    provider.answer("/token", tokens(journey, edits))
    let subject = (edits["sub"] ?? nil)?.text ?? "s"
    provider.answer("/userinfo", #"{"sub":"\#(subject)"}"#)
    change()
    let step = await finishProviderJourney(
      ProviderAnswer(
        provider: name(of: journey), state: journey.state, code: code.map { Secret($0) },
        error: error, issuer: issuer, cookie: journey.cookie, peer: nil), in: world)
    guard case .redirect(let address) = step else { return Form() }
    return Journey(address: address, cookie: Secret("")).parameters
  }

  private func tokens(_ journey: Journey, _ edits: [String: JSON?]) -> String {
    let now = clock.now().seconds
    let isSecond = name(of: journey) == "second"
    var claims: [String: JSON] = [
      "iss": .string(ScriptedProvider.issuer + (isSecond ? "/second" : "")),
      "aud": .string("client-1"), "sub": .string("s"), "iat": .int(now), "exp": .int(now + 300),
      "nonce": .string(journey.parameters["nonce"] ?? ""),
      "amr": .array([.string("otp"), .string("pwd")]),
    ]
    for (key, value) in edits { claims[key] = value }
    let header = JSON.members([
      JSONMember("alg", "ES256"), JSONMember("kid", "k\(keyCount.withLock { $0 })"),
    ])
    let token = CompactJWS.sign(
      header: header, claims: .object(claims.map { JSONMember($0.key, $0.value) }),
      with: providerKey.withLock { $0 })
    let answer = JSON.members([
      JSONMember("access_token", "a"), JSONMember("token_type", "Bearer"),
      JSONMember("id_token", token),
    ])
    return String(decoding: answer.utf8, as: UTF8.self)
  }

  func rotateProviderKey(publish isPublished: Bool = true) {
    providerKey.withLock { $0 = SigningKey.generate() }
    keyCount.withLock { $0 += 1 }
    if isPublished { publishKey() }
  }

  private func publishKey() {
    let key = providerKey.withLock { $0 }.publicKey.jwk(keyID: "k\(keyCount.withLock { $0 })")
    let set = JSON.members([JSONMember("keys", .array([key]))])
    provider.answer("/keys", String(decoding: set.utf8, as: UTF8.self))
  }

  func redeem(
    _ code: String, key: String = "key", verifier: String = TestWorld.verifier
  ) async -> Result<TokenAnswer, Refusal> {
    guard let client = world.clients[ClientID("technician-app")] else {
      return .failure(Refusal(.invalidClient))
    }
    return await result(
      try await redeemCode(
        CodeRedemption(
          client: client, code: Secret(code), verifier: Secret(verifier),
          proofKeyThumbprint: key, peer: TestWorld.peer), in: world
      ).tokens())
  }

  /// The code of the newest text message.
  func sentCode() async -> String {
    await deliverMessages(through: [messenger], in: world)
    return String(messenger.messages.last?.text.revealed.prefix(6) ?? "")
  }

  func enter(_ code: String, _ session: Secret?, key: String = "key") async -> Result<
    Secret, Refusal
  > {
    guard let client = world.clients[ClientID("technician-app")] else {
      return .failure(Refusal(.invalidClient))
    }
    return await result(
      try await verifyCode(
        CodeAnswer(
          client: client, authSession: session ?? Secret(""), code: Secret(code),
          proofKeyThumbprint: key, peer: TestWorld.peer), in: world))
  }

  func refresh(_ tokens: TokenAnswer, organization: String? = nil) async -> Result<
    TokenAnswer, Refusal
  > {
    guard let client = world.clients[ClientID("technician-app")], let token = tokens.refreshToken
    else { return .failure(Refusal(.invalidClient)) }
    var request = RefreshRequest(
      client: client, refreshToken: token, proofKeyThumbprint: "key",
      organization: organization.map { OrganizationID($0) }, peer: TestWorld.peer)
    request.includesIDToken = true
    return await result(try await refreshSession(request, in: world))
  }

  func signOut(_ tokens: TokenAnswer) async -> Result<SignOutAnswer, Refusal> {
    guard let client = world.clients[ClientID("technician-app")] else {
      return .failure(Refusal(.invalidClient))
    }
    return await result(
      try await revokeToken(
        RevocationRequest(client: client, token: tokens.accessToken), in: world))
  }

  func sessions(of account: String) async throws -> [Session] {
    try await store.read { (transaction) throws(StoreFault) in
      try transaction.sessions(of: AccountID(account))
    }
  }

  func found(_ account: String) async throws -> Account? {
    try await store.read { (transaction) throws(StoreFault) in
      try transaction.account(AccountID(account))
    }
  }

  /// The newest first.
  func events(of account: String) async throws -> [SecurityEvent] {
    _ = try await linkEvents(in: store, at: Instant(seconds: 0))
    return try await store.read { (transaction) throws(StoreFault) in
      try transaction.events(of: AccountID(account), before: nil, limit: 100)
    }
  }

  /// The account of an access token.
  func account(of answer: TokenAnswer) -> String? {
    CompactJWS(parsing: answer.accessToken.revealed)?.claims["sub"]?.text
  }

  func change(_ account: String, _ edit: @escaping @Sendable (inout Account) -> Void) async throws {
    try await store.transact { (transaction) throws(StoreFault) in
      guard var found = try transaction.account(AccountID(account)) else { throw .conflict }
      edit(&found)
      try transaction.update(found)
    }
  }
}

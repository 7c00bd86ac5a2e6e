import Cryptography
import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Synchronization
import Testing

/// A world in memory with one technician, and short ways to perform its steps.
struct TestWorld {
  static let start = Instant(seconds: 1_800_000_000)

  let world: World
  let clock: SimulatedClock
  let store: MemoryStore
  let passwords: FastPasswordHashing
  let messenger = RecordingMessenger()
  let client: AppRegistration

  init(
    client: AppRegistration = TestWorld.technicians,
    organizations: [Configuration.Organization] = TestWorld.organizations,
    router: MessengerRouter? = nil,
    prices: [Configuration.Price] = [], answerDelayMilliseconds: ClosedRange<Int64> = 0...0
  ) async throws {
    let clock = SimulatedClock(Self.start)
    let store = MemoryStore()
    let passwords = FastPasswordHashing()
    self.clock = clock
    self.store = store
    self.passwords = passwords
    self.client = client
    world = World(
      issuer: "https://login.example.com", clients: [client],
      organizations: organizations, prices: prices,
      keyring: Keyring(
        signing: SigningKey.generate(), master: [UInt8](repeating: 7, count: 32),
        decoyPasswordHash: try await passwords.hash(Secret("decoy"))
      ),
      store: store, clock: clock, randomness: SeededRandomness(seed: 1), passwords: passwords,
      proofs: OnceLedger(), router: router, answerDelayMilliseconds: answerDelayMilliseconds,
      messageRecorded: {}, reportFault: { _ in }
    )
    let hash = try await passwords.hash(Secret("right"))
    let account = Account(
      id: AccountID("tara"), email: try EmailAddress(parsing: "tara@example.com"),
      phone: try PhoneNumber(parsing: "+15550101234"), name: "Tara", role: .technician,
      status: .active, passwordHash: hash, organizations: [], createdAt: Self.start,
      emailProof: .administrator, phoneProof: .administrator
    )
    try await store.transact { (transaction) throws(StoreFault) in try transaction.insert(account) }
  }

  /// A world without accounts, over the given store.
  static func empty(
    store: any Store, clock: SimulatedClock, proofs: any ProofLedger = OnceLedger()
  ) async throws -> World {
    let passwords = FastPasswordHashing()
    return World(
      issuer: "https://login.example.com", clients: [],
      keyring: Keyring(
        signing: SigningKey.generate(), master: [UInt8](repeating: 7, count: 32),
        decoyPasswordHash: try await passwords.hash(Secret("unknown"))
      ),
      store: store, clock: clock, randomness: SeededRandomness(seed: 1), passwords: passwords,
      proofs: proofs, messageRecorded: {}, reportFault: { _ in }
    )
  }

  /// In this app a code alone resets a password.
  ///
  /// Other tests cover the other ways.
  static let technicians: AppRegistration = {
    var client = AppRegistration(
      id: ClientID("technician-app"), name: "Technicians", home: .assignedJobs,
      signIn: .passwordAndCode, roles: [.technician], scopes: ["openid", "offline_access"]
    )
    client.policy.passwordReset = .code
    return client
  }()

  /// Another app of the technicians.
  static func technicians(named name: String) -> AppRegistration {
    AppRegistration(
      id: ClientID(name), name: name, home: .assignedJobs, signIn: .passwordAndCode,
      roles: [.technician], scopes: ["openid"])
  }

  /// The organizations of most tests, without a policy of their own.
  static let organizations = ["home", "north", "south"].map {
    Configuration.Organization(id: OrganizationID($0), name: $0)
  }

  static let peer = "192.0.2.7"
  static let verifier = String(repeating: "v", count: 43)

  func begin(
    _ password: String = "right", username: String = "tara@example.com", key: String = "key",
    organization: String? = nil, languages: [String] = []
  ) async -> Refusal {
    var terms = SignInTerms(
      client: client, scope: "openid offline_access",
      pkceChallenge: Base64URL.encode(SHA256Digest.of(Self.verifier)), nonce: "n",
      organization: organization.map { OrganizationID($0) }, proofKeyThumbprint: key,
      peer: Self.peer
    )
    terms.languages = languages
    let request = PasswordSignInRequest(
      terms: terms, username: username, password: Secret(password)
    )
    return await firstAnswer(try await beginPasswordSignIn(request, in: world))
  }

  func answer(_ code: String, _ session: Secret?, key: String = "key") async throws(Refusal)
    -> Secret
  {
    try await verifyCode(
      CodeAnswer(
        client: client, authSession: session ?? Secret(""), code: Secret(code),
        proofKeyThumbprint: key, peer: Self.peer
      ),
      in: world
    )
  }

  func resend(_ session: Secret?, key: String = "key") async -> Refusal {
    let request = ResendRequest(
      client: client, authSession: session ?? Secret(""), proofKeyThumbprint: key,
      peer: Self.peer
    )
    return await firstAnswer(try await resendCode(request, in: world))
  }

  /// The answer about the state of the open message.
  func status(_ session: Secret?, key: String = "key") async -> Refusal {
    let request = ResendRequest(
      client: client, authSession: session ?? Secret(""), proofKeyThumbprint: key,
      peer: Self.peer
    )
    return await firstAnswer(try await showDeliveryStatus(request, in: world))
  }

  func redeem(
    _ code: String, verifier: String = TestWorld.verifier, key: String = "key"
  ) async throws(Refusal) -> TokenAnswer {
    try await redeemCode(
      CodeRedemption(
        client: client, code: Secret(code), verifier: Secret(verifier), proofKeyThumbprint: key,
        peer: Self.peer
      ),
      in: world
    ).tokens()
  }

  /// The security log, oldest first.
  func events() async throws -> [SecurityEvent] {
    await world.linkEvents()
    return try await store.read { (transaction) throws(StoreFault) in
      try transaction.events(after: 0, limit: 10_000)
    }
  }

  func refresh(
    _ token: Secret?, key: String = "key", organization: String? = nil
  ) async throws(Refusal) -> TokenAnswer {
    var request = RefreshRequest(
      client: client, refreshToken: token ?? Secret(""), proofKeyThumbprint: key,
      organization: organization.map { OrganizationID($0) }, peer: Self.peer
    )
    request.includesIDToken = true
    return try await refreshSession(request, in: world)
  }

  /// Delivers the waiting messages and returns the newest code.
  func code() async -> String {
    await deliverMessages(through: [messenger], in: world)
    return String(messenger.messages.last?.text.revealed.prefix(6) ?? "")
  }

  /// A code that was not sent.
  func wrongCode() async -> String { await code() == "000000" ? "000001" : "000000" }

  func signIn(key: String = "key", organization: String? = nil) async throws -> TokenAnswer {
    let session = await begin(key: key, organization: organization).authSession
    let code = try #require(await success(try await answer(await code(), session, key: key)))
    return try #require(await success(try await redeem(code.revealed, key: key)))
  }

  /// Runs `work` and advances the clock whenever a task waits for it.
  func whileTimePasses<Answer: Sendable>(
    _ work: @escaping @Sendable () async -> Answer
  ) async -> Answer {
    let clock = clock
    let mover = Task {
      while !Task.isCancelled {
        if clock.sleeperCount > 0 { clock.advance(milliseconds: SignInLimits.waitMilliseconds) }
        await Task.yield()
      }
    }
    defer { mover.cancel() }
    return await work()
  }

  func setStatus(_ status: AccountStatus) async throws {
    try await store.transact { (transaction) throws(StoreFault) in
      guard var account = try transaction.account(AccountID("tara")) else { return }
      account.status = status
      try transaction.update(account)
    }
  }

  func setOrganizations(_ organizations: [String]) async throws {
    try await store.transact { (transaction) throws(StoreFault) in
      guard var account = try transaction.account(AccountID("tara")) else { return }
      account.organizations = organizations.map { OrganizationID($0) }
      try transaction.update(account)
    }
  }

  func session(_ id: SessionID) async throws -> Session? {
    try await store.read { (transaction) throws(StoreFault) in try transaction.session(id) }
  }
}

/// Returns `nil` if the use case refused.
func success<Value: Sendable>(
  _ work: @autoclosure () async throws -> Value
) async -> Value? {
  await result(try await work()).value
}

/// Returns `nil` if the use case did not refuse.
func refusal<Value: Sendable>(
  _ work: @autoclosure () async throws -> Value
) async -> Refusal? {
  await result(try await work()).refusal
}

extension Result where Failure == Refusal {
  var value: Success? { if case .success(let value) = self { value } else { nil } }
  /// The code of the refusal.
  var refused: ErrorCode? { refusal?.code }
  var refusal: Refusal? { if case .failure(let refusal) = self { refusal } else { nil } }
}

/// The error that the first step of a sign-in answers, which is `insufficient_authorization` if a
/// code was sent.
func firstAnswer(
  _ work: @autoclosure () async throws -> SentChallenge
) async -> Refusal {
  switch await result(try await work()) {
  case .success(let challenge): .insufficientAuthorization(challenge.authSession, challenge.prompt)
  case .failure(let refusal): refusal
  }
}

extension Redemption {
  /// The tokens.
  ///
  /// A code that follows is thrown as the error that the server answers.
  func tokens() throws(Refusal) -> TokenAnswer {
    switch self {
    case .tokens(let tokens): return tokens
    case .challenge(let challenge):
      throw .insufficientAuthorization(challenge.authSession, challenge.prompt)
    }
  }
}

/// Accepts each proof once and never forgets it.
final class OnceLedger: ProofLedger {
  private let seen = Mutex<Set<String>>([])
  private let isFull = Mutex(false)

  func setFull(_ isFull: Bool) { self.isFull.withLock { $0 = isFull } }

  func isReady() async -> Bool { !isFull.withLock { $0 } }

  func record(
    _ identifier: String, from source: ProofSource?, until expiry: Instant, now: Instant
  ) -> ProofVerdict {
    seen.withLock { $0.insert(identifier).inserted } ? .recorded : .repeated
  }
}

public import SignInModel
public import SignInRules
public import SignInWire

/// The state and the ports that the use cases share.
///
/// There is one for the whole server. It is a class, because each current request has several
/// references to it.
public final class World: Sendable {
  /// The public origin, such as `https://login.example.com`, without a slash at the end.
  public let issuer: String
  public let clients: [ClientID: AppRegistration]
  /// Programs that read or write data.
  public let serviceAccounts: [ClientID: ServiceAccount]
  /// The names of the web apps for which the server has files.
  ///
  /// If it is `nil`, they are not known, and every app with a home is taken to have a page.
  public let pages: Set<String>?
  public let organizations: [Configuration.Organization]
  /// The names of organizations and providers in the configuration.
  let names: ConfiguredNames
  public let prices: [Configuration.Price]
  public let keyring: Keyring
  public let store: any Store
  public let clock: any Clock
  public let randomness: any Randomness
  public let passwords: any PasswordHashing
  let pictures = PictureCleaning()
  /// The content of recent access tokens for this issuer.
  let parsedTokens = ParsedTokens()
  let proofKeys = ProofKeys()
  let computedPolicies = ComputedPolicies()
  public let proofs: any ProofLedger
  public let signatureScheme: any SignatureScheme
  /// `nil` if no list is configured.
  public let breachedPasswords: (any BreachedPasswords)?
  /// `nil` if no file of places is configured.
  public let places: (any PlaceDirectory)?
  /// Whether network addresses and device keys have rate limits.
  ///
  /// Not in development, where all requests of a test come from one address.
  public let throttlesOrigins: Bool
  /// How long events stay in the security log.
  public let eventsKeptSeconds: Int64
  /// `nil` if no identity provider is configured.
  public let providers: ProviderDirectory?
  /// `nil` if this process sends no messages, for example in a command.
  public let router: MessengerRouter?
  /// The range of the random delay of answers about accounts that may not exist.
  ///
  /// The work for a known and an unknown account differs a little, and so does other work of the
  /// machine at that time. The delay hides these differences (L-12).
  public let answerDelayMilliseconds: ClosedRange<Int64>
  /// Called after a message was recorded, so that it is sent at once.
  public let messageRecorded: @Sendable () -> Void
  /// Reports a fault for the log.
  ///
  /// The text has no secrets.
  public let reportFault: @Sendable (String) -> Void

  public init(
    issuer: String, clients: [AppRegistration], serviceAccounts: [ServiceAccount] = [],
    pages: Set<String>? = nil, organizations: [Configuration.Organization] = [],
    prices: [Configuration.Price] = [],
    keyring: Keyring, store: any Store, clock: any Clock,
    randomness: any Randomness, passwords: any PasswordHashing, proofs: any ProofLedger,
    signatureScheme: any SignatureScheme = ES256(),
    breachedPasswords: (any BreachedPasswords)? = nil,
    places: (any PlaceDirectory)? = nil,
    throttlesOrigins: Bool = true,
    eventsKeptSeconds: Int64 = Configuration.standardEventDays * Throttle.Limit.daySeconds,
    providers: ProviderDirectory? = nil,
    router: MessengerRouter? = nil, answerDelayMilliseconds: ClosedRange<Int64> = 0...0,
    messageRecorded: @escaping @Sendable () -> Void,
    reportFault: @escaping @Sendable (String) -> Void
  ) {
    self.issuer = issuer
    var known: [ClientID: AppRegistration] = [:]
    for client in clients { known[client.id] = client }
    self.clients = known
    self.serviceAccounts = Dictionary(
      serviceAccounts.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    self.pages = pages
    self.organizations = organizations
    names = ConfiguredNames(
      organizations: Set(organizations.map(\.id)),
      providers: Set((providers?.providers ?? []).map(\.name)),
      owners: Dictionary(
        (providers?.providers ?? []).compactMap { provider in
          provider.settings.administeredBy.map { (provider.name, $0) }
        }, uniquingKeysWith: { first, _ in first }))
    self.prices = prices
    self.keyring = keyring
    self.store = store
    self.clock = clock
    self.randomness = randomness
    self.passwords = passwords
    self.proofs = proofs
    self.signatureScheme = signatureScheme
    self.breachedPasswords = breachedPasswords
    self.places = places
    self.throttlesOrigins = throttlesOrigins
    self.eventsKeptSeconds = eventsKeptSeconds
    self.providers = providers
    self.router = router
    self.answerDelayMilliseconds = answerDelayMilliseconds
    self.messageRecorded = messageRecorded
    self.reportFault = reportFault
  }

  /// Returns the answer after a random delay, so that the time does not reveal the amount of work.
  public func withResponseDelay<Answer: Sendable>(
    _ answer: @Sendable () async throws(Refusal) -> Answer
  ) async throws(Refusal) -> Answer {
    let (first, last) = (answerDelayMilliseconds.lowerBound, answerDelayMilliseconds.upperBound)
    let drawn = randomness.bytes(1).reduce(0) { $0 + Int64($1) }
    async let moment: Void = clock.pause(milliseconds: first + drawn * (last - first + 1) / 256)
    let result: Result<Answer, Refusal>
    do throws(Refusal) { result = .success(try await answer()) } catch { result = .failure(error) }
    await moment
    return try result.get()
  }

  /// An organization and its name.
  ///
  /// If it is no longer configured, its identifier is the name.
  func organization(_ id: OrganizationID) -> OrganizationEntry {
    let name = organizations.first { $0.id == id }?.name ?? id.text
    return OrganizationEntry(id: id, name: name)
  }

  /// A random handle of `bytes` bytes as text.
  func handle(bytes: Int = 32) -> String { Base64URL.encode(randomness.bytes(bytes)) }

  /// A random handle that begins with the date of `now`.
  func timeOrderedHandle(bytes: Int = TimeOrderedHandle.randomBytes, at now: Instant) -> String {
    Base64URL.encode(TimeOrderedHandle.date(of: now) + randomness.bytes(bytes))
  }
}

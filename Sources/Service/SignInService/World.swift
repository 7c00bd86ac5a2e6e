public import SignInModel
public import SignInRules
import SignInWire

/// Everything a use case may touch besides its request.
///
/// One for a whole server, and so a reference: every request under way holds it several times.
public final class World: Sendable {
  /// The public origin, such as `https://login.example.com`, without a slash at the end.
  public let issuer: String
  public let clients: [ClientID: AppClient]
  /// Programs that write or read data for a company.
  public let serviceAccounts: [ClientID: ServiceAccount]
  public let organizations: [Configuration.Organization]
  public let prices: [Configuration.Price]
  public let keyring: Keyring
  public let store: any Store
  public let clock: any Clock
  public let randomness: any Randomness
  public let passwords: any PasswordHashing
  public let proofs: any ProofLedger
  /// Nil without a list.
  public let breachedPasswords: (any BreachedPasswords)?
  /// Whether requests are also held against the network address and the device key they come
  /// from; not in development, where every check runs from one address.
  public let throttlesOrigins: Bool
  /// How long the security log is kept.
  public let eventsKeptSeconds: Int64
  /// Nil where nobody sends, as in a command.
  public let switchboard: Switchboard?
  /// Whoever asks for an account that may not exist is answered so many milliseconds after the
  /// question, drawn by chance: what there is to do for one differs a little, and so does what a
  /// machine does beside the answer (L-12).
  public let evenMilliseconds: ClosedRange<Int64>
  /// Rung after a message was recorded, so that it leaves at once.
  public let outboxRung: @Sendable () -> Void
  /// Told of faults in words without secrets, for the log.
  public let faultSeen: @Sendable (String) -> Void

  public init(
    issuer: String, clients: [AppClient], serviceAccounts: [ServiceAccount] = [],
    organizations: [Configuration.Organization] = [],
    prices: [Configuration.Price] = [],
    keyring: Keyring, store: any Store, clock: any Clock,
    randomness: any Randomness, passwords: any PasswordHashing, proofs: any ProofLedger,
    breachedPasswords: (any BreachedPasswords)? = nil,
    throttlesOrigins: Bool = true,
    eventsKeptSeconds: Int64 = Configuration.standardEventDays * Throttle.Limit.daySeconds,
    switchboard: Switchboard? = nil, evenMilliseconds: ClosedRange<Int64> = 0...0,
    outboxRung: @escaping @Sendable () -> Void, faultSeen: @escaping @Sendable (String) -> Void
  ) {
    self.issuer = issuer
    var known: [ClientID: AppClient] = [:]
    for client in clients { known[client.id] = client }
    self.clients = known
    self.serviceAccounts = Dictionary(
      serviceAccounts.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    self.organizations = organizations
    self.prices = prices
    self.keyring = keyring
    self.store = store
    self.clock = clock
    self.randomness = randomness
    self.passwords = passwords
    self.proofs = proofs
    self.breachedPasswords = breachedPasswords
    self.throttlesOrigins = throttlesOrigins
    self.eventsKeptSeconds = eventsKeptSeconds
    self.switchboard = switchboard
    self.evenMilliseconds = evenMilliseconds
    self.outboxRung = outboxRung
    self.faultSeen = faultSeen
  }

  /// What `answer` is, at a moment that tells nothing of what it took.
  public func evenly<Answer: Sendable>(_ answer: @Sendable () async -> Answer) async -> Answer {
    let (first, last) = (evenMilliseconds.lowerBound, evenMilliseconds.upperBound)
    let drawn = randomness.bytes(1).reduce(0) { $0 + Int64($1) }
    async let moment: Void = clock.pause(milliseconds: first + drawn * (last - first + 1) / 256)
    let answer = await answer()
    await moment
    return answer
  }

  /// An organization by the name people know; one that is not configured any more has only its
  /// identifier.
  func organization(_ id: OrganizationID) -> OrganizationEntry {
    let name = organizations.first { $0.id == id }?.name ?? id.text
    return OrganizationEntry(id: id, name: name)
  }

  /// A random handle of `bytes` bytes as text.
  func handle(bytes: Int = 32) -> String { Base64URL.encode(randomness.bytes(bytes)) }

  /// The same behind its date.
  func datedHandle(bytes: Int = DatedHandle.randomBytes, at now: Instant) -> String {
    Base64URL.encode(DatedHandle.date(of: now) + randomness.bytes(bytes))
  }
}

import Cryptography
import JSONText
public import SignInModel
import SignInRules
public import SignInWire

/// The parts of a request that prove that a service account sends it.
public struct ServiceCredentialClaim: Sendable {
  public enum Proof: Sendable {
    /// The texts that can be the secret.
    ///
    /// HTTP Basic encodes a secret in one of two ways, so there can be two.
    case secret([Secret])
    /// A JWT signed by a key of the service account (RFC 7523, section 2.2).
    case assertion(Secret)
  }

  public let id: ClientID
  public let proof: Proof
  /// The path of the endpoint.
  ///
  /// An assertion may name it as its audience.
  public let path: String
  /// The network address of the sender.
  public let peer: String?

  public init(id: ClientID, proof: Proof, path: String, peer: String?) {
    self.id = id
    self.proof = proof
    self.path = path
    self.peer = peer
  }
}

/// Authenticates a service account: at the token endpoint, and at every other endpoint that
/// requires it.
///
/// A wrong credential is refused with `invalid_client`, is reported in the security log and counts
/// against the network address. An address with too many of them is refused with `rate_limited`,
/// even if the credential is right, so that the answer does not reveal whether it is. The
/// transaction that accepts an assertion also marks it as used.
public func authenticateServiceAccount(
  _ claim: ServiceCredentialClaim, in world: World
) async throws(Refusal) -> ServiceAccount {
  let now = world.clock.now()
  let known = world.serviceAccounts[claim.id]
  let caller = Caller(client: known?.id, peer: claim.peer, proofKeyThumbprint: nil)
  let failures = ServiceFailures(of: caller, in: world)
  // This check comes first, because it costs less than verifying a signature.
  let early = try await world.read { (transaction: any ThrottleRecords) throws in
    try failures.refusal(at: now, transaction)
  }
  if let early {
    return try await world.decide(about: []) {
      (transaction: any EventRecords & RefusalRecords) throws in
      try transaction.recordServiceRefusal("too_often", by: caller, at: now)
      throw early
    }
  }
  let verdict = claim.verdict(about: known, at: now, issuer: world.issuer)
  // A right secret changes nothing in the store, so it needs no transaction.
  if case .right(let account, nil) = verdict { return account }
  return try await world.decide(about: verdict.subjects) {
    (transaction: any AssertionRecords & EventRecords & RefusalRecords & ThrottleRecords) throws in
    if let refusal = try failures.refusal(at: now, transaction) {
      try transaction.recordServiceRefusal("too_often", by: caller, at: now)
      throw refusal
    }
    let wrong: (detail: String, why: String)
    switch verdict {
    case .right(let account, let used):
      guard let used else { return account }
      let isUsed = try transaction.isAssertionUsed(used.digest)
      if !isUsed {
        try transaction.useAssertion(used.digest, until: used.expiresAt)
        return account
      }
      wrong = ("assertion_repeated", "this assertion was used before")
    case .wrong(let detail, let why): wrong = (detail, why)
    }
    try failures.count(at: now, transaction)
    try transaction.recordServiceRefusal(wrong.detail, by: caller, at: now)
    throw Refusal.invalidClient(wrong.why)
  }
}

/// The result of checking a credential without the store.
private enum ServiceCredentialVerdict: Sendable {
  case right(ServiceAccount, UsedAssertion?)
  /// A stable word for the log, and a sentence for the caller that reveals no secret.
  case wrong(detail: String, why: String)

  var subjects: [Subject] {
    switch self {
    case .right(_, let used?): [.assertion(used.digest)]
    case .right(_, nil), .wrong: []
    }
  }
}

extension ServiceCredentialClaim {
  fileprivate func verdict(
    about account: ServiceAccount?, at now: Instant, issuer: String
  ) -> ServiceCredentialVerdict {
    switch proof {
    case .secret(let texts):
      // For an unknown account the comparison takes the same time.
      var expected = [UInt8](repeating: 0, count: SHA256Digest.byteCount)
      var hasSecret = false
      if case .secret(let digest)? = account?.credential { (expected, hasSecret) = (digest, true) }
      var isRight = false
      for text in texts {
        let isEqual = ConstantTime.equal(SHA256Digest.of(text.revealed), expected)
        isRight = isRight || isEqual
      }
      guard let account, isRight, hasSecret else {
        return .wrong(detail: "secret", why: "unknown client, or another secret")
      }
      return .right(account, nil)
    case .assertion(let text):
      guard let account, case .keys(let keys) = account.credential else {
        return .wrong(detail: "assertion", why: "unknown client, or one without keys")
      }
      let assertion = ServiceAssertion(
        audiences: [issuer, issuer + path], client: id, keys: keys)
      do throws(Refusal) {
        return .right(account, try assertion.read(text, at: now))
      } catch {
        return .wrong(detail: "assertion", why: error.description ?? "")
      }
    }
  }
}

/// An accepted assertion, as the store remembers it.
struct UsedAssertion: Sendable {
  let digest: [UInt8]
  /// The time after which the assertion is no longer accepted.
  let expiresAt: Instant
}

/// The requirements for an assertion of one service account (RFC 7523, section 3).
struct ServiceAssertion {
  /// The accepted difference between the sender's clock and ours, in seconds.
  static let clockToleranceSeconds: Int64 = 60
  /// The length of `jti` in bytes.
  static let identifierLimits = 1...128

  /// The values that `aud` may contain.
  ///
  /// No other value is accepted.
  let audiences: [String]
  let client: ClientID
  let keys: [ServiceKey]

  func read(_ text: Secret, at now: Instant) throws(Refusal) -> UsedAssertion {
    func refused(_ why: String) -> Refusal { Refusal.invalidClient(why) }

    guard let jws = CompactJWS(parsing: text.revealed) else {
      throw refused("the assertion is no JWT")
    }
    guard let algorithm = jws.header[.alg]?.text.flatMap(ServiceKey.Algorithm.init(rawValue:)),
      keys.contains(where: { $0.verifier.algorithm == algorithm }), jws.header[.crit] == nil
    else { throw refused("the assertion's alg must be that of a key of this client") }
    let claims = jws.claims
    guard claims[.iss]?.text?.hasSameBytes(as: client.text) == true,
      claims[.sub]?.text?.hasSameBytes(as: client.text) == true
    else { throw refused("iss and sub must be the client_id") }
    let named = claims[.aud]?.elements?.map(\.text) ?? [claims[.aud]?.text]
    let isForUs = named.allSatisfy { name in
      audiences.contains { name?.hasSameBytes(as: $0) == true }
    }
    guard !named.isEmpty, isForUs else { throw refused("aud must be the issuer") }
    guard let identifier = claims[.jti]?.text,
      Self.identifierLimits.contains(identifier.utf8.count)
    else { throw refused("jti is needed") }
    guard let expiry = claims[.exp]?.numericDate else {
      throw refused("exp must be a number of seconds")
    }
    let tolerance = Self.clockToleranceSeconds
    guard now.seconds < expiry + tolerance else { throw refused("the assertion has expired") }
    guard expiry <= now.seconds + ServiceAccount.assertionSeconds + tolerance else {
      throw refused("exp is more than \(ServiceAccount.assertionSeconds) seconds from now")
    }
    for name in ["iat", "nbf"] where claims[name] != nil {
      guard let moment = claims[name]?.numericDate else {
        throw refused("\(name) must be a number of seconds")
      }
      guard moment <= now.seconds + tolerance else { throw refused("\(name) is later than now") }
    }
    let keyID = jws.header[.kid]?.text
    let chosen = keys.filter { key in
      key.verifier.algorithm == algorithm && (keyID == nil || key.id == nil || key.id == keyID)
    }
    guard chosen.contains(where: { jws.isSigned(by: $0.verifier) }) else {
      throw refused("the assertion's signature does not match any key of this client")
    }
    return UsedAssertion(
      digest: SHA256Digest.of(client.text + "\n" + identifier),
      expiresAt: Instant(seconds: expiry).adding(seconds: tolerance)
    )
  }
}

/// Counts wrong credentials of each service account, for each network address.
///
/// The programs of a company call from one address, and a program with an old secret must not stop
/// the others. All unknown accounts have one count.
struct ServiceFailures: Sendable {
  /// In any hour, for one network address.
  ///
  /// An IPv6 site has `Throttle.siteShare` times as many.
  static let addressLimitPerHour: Int64 = 30

  private let places: [(key: ThrottleKey, limits: [Throttle.Limit])]

  /// Counts nothing in development, where all test requests come from one address.
  init(of caller: Caller, in world: World) {
    var places: [(key: ThrottleKey, limits: [Throttle.Limit])] = []
    let account = caller.client?.text ?? ""
    if world.throttlesOrigins, let network = caller.network {
      let limit = Self.addressLimitPerHour
      places.append(
        (
          world.keyring.throttleKey(.failures, "service failures", "\(account) \(network)"),
          [.hourly(limit)]
        ))
      if let site = caller.site {
        places.append(
          (
            world.keyring.throttleKey(.failures, "site service failures", "\(account) \(site)"),
            [.hourly(limit * Throttle.siteShare)]
          ))
      }
    }
    self.places = places
  }

  /// The reason why a credential from this network is not compared now, or nil if it is compared.
  func refusal(
    at now: Instant, _ transaction: any ThrottleRecords
  ) throws(StoreFault) -> Refusal? {
    var until: Instant?
    try transaction.prepareThrottles(places.map(\.key))
    for (key, limits) in places {
      let end = try transaction.throttle(key).refusal(at: now, under: limits)
      if let end, end > until ?? now { until = end }
    }
    return until.map { .rateLimited(until: $0, at: now) }
  }

  func count(at now: Instant, _ transaction: any ThrottleRecords) throws(StoreFault) {
    try transaction.prepareThrottles(places.map(\.key))
    for (key, limits) in places {
      var throttle = try transaction.throttle(key)
      throttle.count(at: now, under: limits)
      try transaction.save(throttle, for: key, quietFrom: throttle.quietFrom(now, under: limits))
    }
  }
}

extension RefusalRecords where Self: EventRecords {
  /// Reports a refused credential.
  ///
  /// Equal refusals within an hour become one event.
  fileprivate func recordServiceRefusal(
    _ detail: String, by caller: Caller, at now: Instant
  ) throws(StoreFault) {
    let source = RefusalSource(
      code: .serviceRefused, subject: "", client: caller.client, network: caller.origin,
      detail: detail
    )
    try recordRefusal(of: source, meeting: nil, by: caller, at: now)
  }
}

import Cryptography
import JSONText
public import SignInModel
import SignInRules
public import SignInWire

/// An authorization code, and the values that prove that the sender is the one it was made for.
public struct CodeRedemption: Sendable {
  public let client: AppRegistration
  public let code: Secret
  public let verifier: Secret
  public let proofKeyThumbprint: String
  /// The network address of the sender; nil for a call that did not use a network.
  public let peer: String?
  /// The languages for messages to the person, the preferred one first.
  public var languages: [String] = []
  /// The API that the access token is for (RFC 8707); nil for this server and every API of the app.
  public var resource: String?
  /// What the device says it is.
  public var device: DeviceName?

  public init(
    client: AppRegistration, code: Secret, verifier: Secret, proofKeyThumbprint: String,
    peer: String? = nil
  ) {
    self.client = client
    self.code = code
    self.verifier = verifier
    self.proofKeyThumbprint = proofKeyThumbprint
    self.peer = peer
  }

  var caller: Caller {
    Caller(client: client.id, peer: peer, proofKeyThumbprint: proofKeyThumbprint)
  }
}

/// Exchanges an authorization code for a session and its first tokens, once (RFC 6749, section
/// 4.1.3).
///
/// A second use with the right key and verifier ends the session. If anything is wrong, the code is
/// only refused, so that a person who has seen a code cannot end a session with it (L-18).
///
/// After a sign-in at a provider that needs a code of this server too, a challenge is sent instead.
public func redeemCode(
  _ request: CodeRedemption, in world: World
) async throws(Refusal) -> Redemption {
  guard let audiences = request.client.audiences(for: request.resource, issuer: world.issuer)
  else { throw Refusal.invalidTarget }
  let now = world.clock.now()
  let step = RedeemStep(request, at: now, in: world)
  let subject = Subject.authorizationCode(TimeOrderedHandle.digest(of: request.code))
  let outcome: RedeemingResult = try await world.decide(about: [subject]) {
    (transaction: any RedeemStep.Records) throws in
    try step.redeem(transaction)
  }
  switch outcome {
  case .session(let made):
    if made.isNewDevice { world.messageRecorded() }
    let grant = TokenGrant(
      session: made.session, client: made.client, claims: made.claims, audiences: audiences,
      nonce: made.nonce
    )
    return .tokens(tokenAnswer(for: grant, at: now, in: world))
  case .challenge(let challenge):
    world.messageRecorded()
    return .challenge(challenge)
  }
}

/// What an authorization code is exchanged for.
public enum Redemption: Sendable {
  case tokens(TokenAnswer)
  /// The sign-in at a provider was not enough. A code of this server follows.
  case challenge(SentChallenge)
}

enum RedeemingResult: Sendable {
  case session(Redeemed)
  case challenge(SentChallenge)
}

struct Redeemed: Sendable {
  let session: Session
  let nonce: String?
  /// The app, with the policy that applies to the session.
  let client: AppRegistration
  let claims: [JSONMember]
  /// Whether the person gets a notice about a new device.
  let isNewDevice: Bool
}

/// One redemption of a code, decided in one transaction.
struct RedeemStep: Sendable {
  typealias Records =
    NoticeRecords & PolicyRecords & SecondFactor.Records & SignOut.Records

  let request: CodeRedemption
  private let sessionID: SessionID
  private let notice: OnDemand<NoticeSending>
  /// The number is known only after the code of the provider's sign-in was found.
  let code: OnDemand<CodeSending>
  let now: Instant
  let world: World

  init(_ request: CodeRedemption, at now: Instant, in world: World) {
    self.request = request
    self.now = now
    self.world = world
    sessionID = SessionID(world.timeOrderedHandle(bytes: 16, at: now))
    notice = OnDemand { NoticeSending(languages: request.languages, at: now, in: world) }
    code = OnDemand {
      CodeSending(
        to: world.keyring.decoyPhone(request.code.revealed), languages: request.languages,
        at: now, in: world)
    }
  }

  func redeem(_ transaction: any Records) throws -> RedeemingResult {
    guard
      let attempt = try transaction.signInAttempt(
        codeDigest: TimeOrderedHandle.digest(of: request.code))
    else { throw Refusal.unknownGrant }
    func refuse(_ code: SecurityEvent.Code) throws(StoreFault) {
      try transaction.recordRefusal(code, about: attempt.account, by: request.caller, at: now)
    }
    guard attempt.client == request.client.id,
      UnboundDevice.isOwner(request.proofKeyThumbprint, of: attempt.proofKeyThumbprint),
      isVerifier(request.verifier, of: attempt.pkceChallenge)
    else {
      try refuse(.foreignDevice)
      throw Refusal.unknownGrant
    }
    switch attempt.progress {
    case .awaitingCode: throw Refusal.invalidGrant("nothing is proved yet")
    case .redeemed(_, let session):
      try refuse(.codeReplayed)
      let stolen = try transaction.session(session).map { [$0] } ?? []
      let limit = try transaction.account(attempt.account).flatMap {
        world.limit(ofSignInAt: attempt.federation?.provider, $0)
      }
      try transaction.signOut(
        attempt.account, from: world.ending(stolen, within: limit), because: .revoked,
        by: request.caller, at: now)
      throw Refusal.invalidGrant("this code was used before; its session was ended")
    case .proved(let codeDigest, let expiresAt):
      guard now < expiresAt else {
        try refuse(.codeExpired)
        throw Refusal.invalidGrant("this code has expired")
      }
      guard let account = try transaction.account(attempt.account), account.status == .active else {
        try refuse(.refusedDeactivated)
        throw Refusal.invalidGrant("the account is deactivated", .accountDeactivated)
      }
      let client = try world.registration(
        of: request.client, asked: attempt.organization, account: account, isProved: true,
        transaction)
      let scope: String
      do throws(MissingRight) {
        scope = try currentScope(of: attempt.granted, in: client, for: account, world.names)
      } catch {
        try refuse(error.event)
        throw error.redemptionRefusal
      }
      if let refusal = try lockRefusal(of: attempt, under: client.policy.lockout, transaction) {
        throw refusal
      }
      if attempt.federation?.needsCode == true {
        return .challenge(try requireCode(after: attempt, of: account, under: client, transaction))
      }
      try transaction.markRedeemed(attempt, codeDigest: codeDigest, session: sessionID)
      return .session(try start(from: attempt, of: account, in: client, scope, transaction))
    }
  }

  /// The refusal for a lockout that began after the code was proved; nil if there is none (L-02).
  private func lockRefusal(
    of attempt: SignInAttempt, under policy: Lockout.Policy,
    _ transaction: any EventRecords & KnownDeviceRecords & LockoutRecords & RefusalRecords
  ) throws(StoreFault) -> Refusal? {
    // A provider authenticated the person, so wrong answers of others have no influence.
    guard attempt.federation == nil else { return nil }
    let bucket = try transaction.failureBucket(
      of: attempt.account, device: attempt.proofKeyThumbprint, at: now)
    let counter = try transaction.failures(in: bucket)
    switch counter.verdict(at: now, under: policy) {
    case .locked, .stopped:
      try transaction.recordRefusal(
        .refusedLocked, about: attempt.account, by: request.caller, at: now)
      return .lockedOut(counter, at: now, under: policy)
    case .compare, .wait: return nil
    }
  }

  /// Starts the session of a redeemed attempt.
  ///
  /// `scope` has the granted scopes that are left now.
  private func start(
    from attempt: SignInAttempt, of account: Account, in client: AppRegistration,
    _ scope: String, _ transaction: any Records
  ) throws(StoreFault) -> Redeemed {
    var session = newSession(account, attempt, client: client)
    let earlier = try EarlierSignIns(of: account.id, transaction)
    let isNew = try earlier.areOnOtherDevices(than: session, at: now, transaction)
    try begin(session, of: account, from: attempt, after: earlier, transaction)
    try world.throttling(for: client, by: request.caller).completed(
      attempt, at: now, transaction)
    if isNew {
      // The person learns it by e-mail and on signed-in devices (L-38).
      try transaction.record(.newDevice, about: account.id, by: request.caller, at: now)
      if try world.admitsNewDeviceMessages(
        to: account.id, about: session.provider, at: now, transaction)
      {
        try notice.value.send(.newDevice, to: account, of: client, transaction)
      }
      try notice.value.show(.newDevice, to: account.id, transaction)
    }
    let claims = world.claims(of: account, in: session, of: client)
    session.scope = scope
    return Redeemed(
      session: session, nonce: attempt.nonce, client: client, claims: claims, isNewDevice: isNew)
  }

  /// Starts the session and ends the earlier sessions of the same app on the same device.
  ///
  /// A device has one session of an app. An earlier session that the device can no longer read,
  /// because its stored data is damaged, would otherwise stay open (S-08). A session that began
  /// during this sign-in is not ended, because another tab of the device may have begun it.
  ///
  /// Sessions that are limited to an organization have a number of their own, and make no device
  /// known: the organization could otherwise begin so many that they replace sessions and devices
  /// elsewhere, and a known device has its own tries of the password.
  private func begin(
    _ session: Session, of account: Account, from attempt: SignInAttempt,
    after earlier: EarlierSignIns,
    _ transaction: any EventRecords & KnownDevice.Records & SessionRecords
  ) throws(StoreFault) {
    let limit = world.limit(of: session, account)
    try transaction.insert(session)
    var open: [Session] = []
    for other in earlier.openSessions where now < other.expiresAt {
      // A session with a later start began before the clock was set back.
      let isEarlier = other.startedAt <= attempt.startedAt || now < other.startedAt
      if other.isReplaced(by: session), isEarlier {
        try end(other, because: .replaced, by: request.caller, at: now, transaction)
      } else if world.limit(of: other, account) == limit {
        open.append(other)
      }
    }
    for old in open.dropFirst(SignInLimits.sessionsPerAccount - 1) {
      try end(old, because: .sessionLimit, by: request.caller, at: now, transaction)
    }
    if session.isBound, limit == nil {
      try transaction.remember(KnownDevice(of: session, at: now), among: earlier.devices)
    }
    try transaction.record(.signInCompleted, about: session, by: request.caller, at: now)
  }

  private func newSession(
    _ account: Account, _ attempt: SignInAttempt, client: AppRegistration
  ) -> Session {
    var session = Session(
      id: sessionID, account: account.id, client: client.id,
      proofKeyThumbprint: attempt.proofKeyThumbprint,
      scope: account.role.permitted(attempt.scope),
      organization: world.organization(of: account, asked: attempt.organization),
      authenticationMethods: attempt.authenticationMethods(client),
      startedAt: now, expiresAt: now.adding(seconds: client.policy[.session]), lastUsedAt: now,
      refreshGeneration: 0, end: nil
    )
    session.device = request.device
    session.place = request.peer.flatMap { world.places?.place(of: $0) }
    session.provider = attempt.federation?.provider
    session.assurance = attempt.federation?.assurance
    // The clock of a provider may be ahead.
    session.authenticatedAt = attempt.federation?.authenticatedAt.map { min($0, now) }
    return session
  }
}

extension MissingRight {
  fileprivate var redemptionRefusal: Refusal {
    switch self {
    case .membership, .organization: .notAMember
    case .activeAccount, .app, .role, .provider, .scope:
      .invalidGrant("the account may no longer use this app", endReason)
    }
  }
}

extension Refusal {
  fileprivate static let unknownGrant = invalidGrant(
    "unknown code, or of another app, key or verifier")
}

extension Throttling {
  /// Takes back the count of a sign-in at a provider.
  fileprivate func completed(
    _ attempt: SignInAttempt, at now: Instant, _ transaction: any ThrottleRecords
  ) throws(StoreFault) {
    guard attempt.federation != nil else { return }
    try completedProviderSignIn(
      of: attempt.account, begunAt: attempt.startedAt, at: now, transaction)
  }
}

extension SignInRecords {
  fileprivate func markRedeemed(
    _ attempt: SignInAttempt, codeDigest: [UInt8], session: SessionID
  ) throws(StoreFault) {
    var redeemed = attempt
    redeemed.progress = .redeemed(codeDigest: codeDigest, session: session)
    try update(redeemed)
  }
}

/// The open sessions and the known devices of an account before this sign-in.
private struct EarlierSignIns {
  let account: AccountID
  /// The newest first.
  let openSessions: [Session]
  /// The device that was seen last comes first.
  let devices: [KnownDevice]

  init(
    of account: AccountID, _ transaction: any KnownDeviceRecords & SessionRecords
  ) throws(StoreFault) {
    self.account = account
    openSessions = try transaction.openSessions(of: account)
    devices = try transaction.knownDevices(of: account)
  }

  /// Whether the session's device signs in to the account for the first time, after other devices
  /// have.
  ///
  /// A reset forgets the known devices. So the sessions that it ended are used, too, to find the
  /// account's earlier devices.
  func areOnOtherDevices(
    than session: Session, at now: Instant, _ transaction: any SessionRecords
  ) throws(StoreFault) -> Bool {
    let key = session.proofKeyThumbprint
    if let known = devices.first(where: { $0.proofKeyThumbprint == key }),
      now < known.lastSeenAt.adding(seconds: KnownDevice.retentionSeconds)
    {
      return false
    }
    let keys = try transaction.proofKeys(ofSessionsOf: account)
    return !keys.contains(key) && !(keys.isEmpty && devices.isEmpty)
  }
}

extension Session {
  /// Whether the other session is of the same app on the same device.
  fileprivate func isReplaced(by other: Session) -> Bool {
    client == other.client && proofKeyThumbprint == other.proofKeyThumbprint
  }
}

extension SignInAttempt {
  /// The methods by their RFC 8176 names.
  ///
  /// `fed` is not registered there. Microsoft Entra uses it for a sign-in at another provider.
  fileprivate func authenticationMethods(_ client: AppRegistration) -> [String] {
    if let federation { return ["fed"] + federation.methods }
    return client.signIn == .passwordAndCode ? ["pwd", "otp", "sms", "mfa"] : ["otp", "sms"]
  }
}

/// Verifies the code verifier with S256, the only supported method (RFC 7636, section 4.6).
private func isVerifier(_ verifier: Secret, of challenge: String) -> Bool {
  guard PKCE.isWellFormed(verifier: verifier.revealed) else { return false }
  let digest = Base64URL.encode(SHA256Digest.of(verifier.revealed))
  return ConstantTime.equal(Array(digest.utf8), Array(challenge.utf8))
}

/// The format of RFC 7636 texts.
public enum PKCE {
  public static let verifierLimits = 43...128
  /// The length of a SHA-256 digest in base64url.
  public static let challengeLength = 43

  public static func isWellFormed(verifier: String) -> Bool {
    verifierLimits.contains(verifier.utf8.count)
      && verifier.utf8.allSatisfy(EscapedText.isUnreserved)
  }

  public static func isWellFormed(challenge: String) -> Bool {
    challenge.utf8.count == challengeLength
      && challenge.utf8.allSatisfy(EscapedText.isUnreserved)
  }
}

import Cryptography
import SignInModel
import SignInRules
public import SignInWire

/// An authorization code and what proves that its redeemer is who it was made for.
public struct CodeRedemption: Sendable {
  public let client: AppClient
  public let code: String
  public let verifier: String
  public let proofKeyThumbprint: String
  /// The network address the call came from, nil when no network was between.
  public let peer: String?

  public init(
    client: AppClient, code: String, verifier: String, proofKeyThumbprint: String,
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

/// Turns an authorization code into a session and its first tokens, once (RFC 6749, section 4.1.3).
///
/// A second use with everything right ends the session it made; with anything wrong it is only
/// refused, so that a stranger who saw a code cannot end a session with it (lesson 18).
public func redeemCode(_ request: CodeRedemption, in world: World) async -> Outcome<TokenAnswer> {
  let now = world.clock.now()
  let sessionID = SessionID(world.handle(bytes: 16))
  let outcome: Outcome<Redeemed> = await world.decide { (transaction) throws(StoreFault) in
    try redeem(request, sessionID: sessionID, at: now, in: world, transaction)
  }
  switch outcome {
  case .success(let made):
    return .success(
      tokenAnswer(for: made.session, nonce: made.nonce, client: made.client, at: now, in: world)
    )
  case .refusal(let refusal): return .refusal(refusal)
  }
}

private struct Redeemed: Sendable {
  let session: Session
  let nonce: String?
  /// The app, under the policy that holds for the session.
  let client: AppClient
}

private func redeem(
  _ request: CodeRedemption, sessionID: SessionID, at now: Instant, in world: World,
  _ transaction: any Transaction
) throws(StoreFault) -> Outcome<Redeemed> {
  let unknown = ErrorAnswer.invalidGrant("unknown code, or not this app's, key's or verifier's")
  guard
    let attempt = try transaction.signInAttempt(codeDigest: DatedHandle.digest(of: request.code))
  else { return .refusal(unknown) }
  func record(_ code: SecurityEvent.Code) throws(StoreFault) {
    try transaction.record(code, about: attempt.account, by: request.caller, at: now)
  }
  guard attempt.client == request.client.id,
    attempt.proofKeyThumbprint == request.proofKeyThumbprint,
    isVerifier(request.verifier, of: attempt.pkceChallenge)
  else {
    try record(.foreignDevice)
    return .refusal(unknown)
  }

  switch attempt.progress {
  case .awaitingCode: return .refusal(.invalidGrant("nothing is proved yet"))
  case .redeemed(_, let session):
    try record(.codeReplayed)
    try end(session, because: .revoked, by: request.caller, at: now, transaction)
    return .refusal(.invalidGrant("this code was used before; its session was ended"))
  case .proved(let codeDigest, let expiresAt):
    guard now < expiresAt else {
      try record(.codeExpired)
      return .refusal(.invalidGrant("this code is over"))
    }
    guard let account = try transaction.account(attempt.account), account.status == .active else {
      try record(.refusedDeactivated)
      return .refusal(.invalidGrant("the account is deactivated", .accountDeactivated))
    }
    if let asked = attempt.organization, !account.organizations.contains(asked) {
      try record(.refusedNotAMember)
      return .refusal(.notAMember)
    }
    let client = try world.policy(
      of: request.client, asked: attempt.organization, account: account, isProved: true,
      transaction
    )
    let bucket = try transaction.failureBucket(
      of: account.id, device: attempt.proofKeyThumbprint, at: now
    )
    let counter = try transaction.failures(in: bucket)
    switch counter.verdict(at: now, under: client.lockout) {
    case .locked, .stopped:
      try record(.refusedLocked)
      return .refusal(.resting(counter, at: now, under: client.lockout))
    case .compare, .wait: break
    }
    let session = newSession(sessionID, account, attempt, client: client, at: now)
    var redeemed = attempt
    redeemed.progress = .redeemed(codeDigest: codeDigest, session: sessionID)
    try transaction.update(redeemed)
    try begin(session, by: request.caller, at: now, transaction)
    return .success(Redeemed(session: session, nonce: attempt.nonce, client: client))
  }
}

private func begin(
  _ session: Session, by caller: Caller, at now: Instant, _ transaction: any Transaction
) throws(StoreFault) {
  try transaction.insert(session)
  try transaction.remember(KnownDevice(of: session, at: now))
  try transaction.record(
    .signInCompleted, about: session.account, session: session.id, by: caller, at: now
  )
}

private func newSession(
  _ id: SessionID, _ account: Account, _ attempt: SignInAttempt, client: AppClient,
  at now: Instant
) -> Session {
  Session(
    id: id, account: account.id, client: client.id,
    proofKeyThumbprint: attempt.proofKeyThumbprint,
    scope: RestrictedScope.granted(attempt.scope, to: account.role),
    organization: attempt.organization ?? account.organizations.first,
    authenticationMethods: client.signIn == .passwordAndCode
      ? ["pwd", "otp", "sms", "mfa"] : ["otp", "sms"],
    startedAt: now, expiresAt: now.adding(seconds: client.sessionSeconds), lastUsedAt: now,
    refreshGeneration: 0, end: nil
  )
}

/// RFC 7636, section 4.6, S256 only.
private func isVerifier(_ verifier: String, of challenge: String) -> Bool {
  guard PKCE.isWellFormed(verifier: verifier) else { return false }
  let digest = Base64URL.encode(SHA256Digest.of(verifier))
  return ConstantTime.equal(Array(digest.utf8), Array(challenge.utf8))
}

/// The form of RFC 7636 texts.
public enum PKCE {
  public static let verifierLimits = 43...128
  /// A SHA-256 digest in base64url.
  public static let challengeLength = 43

  public static func isWellFormed(verifier: String) -> Bool {
    verifierLimits.contains(verifier.utf8.count) && verifier.utf8.allSatisfy(isUnreserved)
  }

  public static func isWellFormed(challenge: String) -> Bool {
    challenge.utf8.count == challengeLength && challenge.utf8.allSatisfy(isUnreserved)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}

/// Ends a session, once: the first reason stays.
func end(
  _ id: SessionID, because reason: Session.End, by caller: Caller, at now: Instant,
  _ transaction: any Transaction
) throws(StoreFault) {
  guard var session = try transaction.session(id), session.end == nil else { return }
  // What is over by its age was not ended by whoever comes after.
  let reason = now >= session.expiresAt ? .expired : reason
  session.end = reason
  try transaction.update(session)
  try transaction.record(
    .sessionEnded, about: session.account, session: id, detail: reason.rawValue, by: caller,
    at: now
  )
}

/// Signs the tokens of a session, outside any transaction.
func tokenAnswer(
  for session: Session, nonce: String?, client: AppClient, at now: Instant, in world: World
) -> TokenAnswer {
  let scopes = session.scope.split(separator: " ")
  let life = min(client.accessTokenSeconds, now.wholeSeconds(until: session.expiresAt))
  let refresh = RefreshToken(session: session.id, generation: session.refreshGeneration)
  return TokenAnswer(
    accessToken: Secret(AccessToken.mint(for: session, lifeSeconds: life, at: now, in: world)),
    tokenType: "DPoP",
    expiresIn: life,
    refreshToken: scopes.contains("offline_access")
      ? Secret(refresh.text(keyring: world.keyring)) : nil,
    idToken: scopes.contains("openid")
      ? Secret(IDToken.mint(for: session, nonce: nonce, lifeSeconds: life, at: now, in: world))
      : nil,
    scope: session.scope,
    session: client.terms(of: session)
  )
}

extension AppClient {
  func terms(of session: Session) -> TokenAnswer.SessionTerms {
    TokenAnswer.SessionTerms(
      id: session.id, expiresAt: session.expiresAt, idleTimeout: idleSeconds,
      backgroundTimeout: backgroundSeconds, unlock: unlock.rawValue,
      organization: session.organization
    )
  }
}

extension ErrorAnswer {
  static func invalidGrant(_ description: String, _ reason: Session.End? = nil) -> ErrorAnswer {
    var answer = ErrorAnswer(.invalidGrant, description)
    answer.reason = reason?.rawValue
    return answer
  }
}

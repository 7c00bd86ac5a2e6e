public import SignInModel
import SignInRules
public import SignInWire

/// A refresh token and the key it is bound to.
public struct RefreshRequest: Sendable {
  public let client: AppClient
  public let refreshToken: Secret
  public let proofKeyThumbprint: String
  /// The network address the call came from, nil when no network was between.
  public let peer: String?

  public init(
    client: AppClient, refreshToken: Secret, proofKeyThumbprint: String,
    peer: String? = nil
  ) {
    self.client = client
    self.refreshToken = refreshToken
    self.proofKeyThumbprint = proofKeyThumbprint
    self.peer = peer
  }

  var caller: Caller {
    Caller(client: client.id, peer: peer, proofKeyThumbprint: proofKeyThumbprint)
  }
}

/// Renews a session's tokens; a lost answer asked for again gives the same successor (lesson 10).
public func refreshSession(_ request: RefreshRequest, in world: World) async -> Outcome<TokenAnswer>
{
  guard
    let token = RefreshToken(parsing: request.refreshToken.revealed, keyring: world.keyring)
  else { return .refusal(.invalidGrant("unknown refresh token")) }
  let now = world.clock.now()
  let outcome: Outcome<Renewed> = await world.decide { (transaction) throws(StoreFault) in
    try rotate(token, request, at: now, in: world, transaction)
  }
  switch outcome {
  case .success(let renewed):
    return .success(
      tokenAnswer(for: renewed.session, nonce: nil, client: renewed.client, at: now, in: world)
    )
  case .refusal(let refusal): return .refusal(refusal)
  }
}

private struct Renewed: Sendable {
  let session: Session
  /// The app, under the policy that holds for the session.
  let client: AppClient
}

private func rotate(
  _ token: RefreshToken, _ request: RefreshRequest, at now: Instant, in world: World,
  _ transaction: any Transaction
) throws(StoreFault) -> Outcome<Renewed> {
  let foreign = ErrorAnswer.invalidGrant("not this app's or key's refresh token")
  guard var session = try transaction.session(token.session) else { return .refusal(foreign) }
  let account = session.account
  func record(_ code: SecurityEvent.Code) throws(StoreFault) {
    try transaction.record(
      code, about: account, session: token.session, by: request.caller, at: now
    )
  }
  guard session.client == request.client.id,
    session.proofKeyThumbprint == request.proofKeyThumbprint
  else {
    try record(.sessionForeignDevice)
    return .refusal(foreign)
  }

  let client = try world.policy(of: request.client, for: session.organization, transaction)
  if let reason = try endReason(session, client: client, at: now, transaction) {
    try end(session.id, because: reason, by: request.caller, at: now, transaction)
    return .refusal(.invalidGrant("the session has ended", reason))
  }
  if let resting = try rest(of: session, client: client, at: now, transaction) {
    try record(.refusedLocked)
    return .refusal(resting)
  }
  switch RefreshRotation.verdict(
    presented: token.generation, newest: session.refreshGeneration
  ) {
  case .unknown: return .refusal(.invalidGrant("unknown refresh token"))
  case .reuse:
    try record(.reuseDetected)
    try end(session.id, because: .reuseDetected, by: request.caller, at: now, transaction)
    return .refusal(.invalidGrant("a refresh token was used twice", .reuseDetected))
  case .advance(let generation):
    session.refreshGeneration = generation
    try record(.sessionRefreshed)
  case .repeatSuccessor(let generation):
    session.refreshGeneration = generation
    try record(.refreshRepeated)
  }
  session.lastUsedAt = now
  try transaction.update(session)
  return .success(Renewed(session: session, client: client))
}

/// What a device that gave too many wrong answers is told; its session waits with it.
private func rest(
  of session: Session, client: AppClient, at now: Instant, _ transaction: any Transaction
) throws(StoreFault) -> ErrorAnswer? {
  let bucket = try transaction.failureBucket(
    of: session.account, device: session.proofKeyThumbprint, at: now
  )
  let counter = try transaction.failures(in: bucket)
  switch counter.verdict(at: now, under: client.lockout) {
  case .locked, .stopped: return .resting(counter, at: now, under: client.lockout)
  case .compare, .wait: return nil
  }
}

/// Why a session cannot go on, or nil when it can: ended, over, idle too long, or its account is
/// not active any more.
func endReason(
  _ session: Session, client: AppClient, at now: Instant, _ transaction: any Transaction
) throws(StoreFault) -> Session.End? {
  if let reason = session.end { return reason }
  if now >= session.expiresAt { return .expired }
  if now >= session.lastUsedAt.adding(seconds: client.idleSeconds) { return .expired }
  guard let account = try transaction.account(session.account), account.status == .active else {
    return .accountDeactivated
  }
  return nil
}

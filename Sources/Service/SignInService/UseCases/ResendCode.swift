import SignInModel
import SignInRules
public import SignInWire

/// A wish for another code in the same sign-in.
public struct ResendRequest: Sendable {
  public let client: AppClient
  public let authSession: String
  public let proofKeyThumbprint: String
  /// The network address the call came from, nil when no network was between.
  public let peer: String?

  public init(
    client: AppClient, authSession: String, proofKeyThumbprint: String,
    peer: String? = nil
  ) {
    self.client = client
    self.authSession = authSession
    self.proofKeyThumbprint = proofKeyThumbprint
    self.peer = peer
  }

  var caller: Caller {
    Caller(client: client.id, peer: peer, proofKeyThumbprint: proofKeyThumbprint)
  }
}

/// Sends another code once the cooldown is over; tries are never given back (T-08, R-05).
///
/// - Returns: Always a refusal: `insufficient_authorization` with the new times when one was sent.
public func resendCode(_ request: ResendRequest, in world: World) async -> Outcome<Never> {
  let now = world.clock.now()
  let keyring = world.keyring
  let found: Outcome<FoundAttempt> = await world.look { (transaction) throws(StoreFault) in
    .success(try findAttempt(request.authSession, of: request.caller, at: now, transaction))
  }
  let sending: CodeSending
  switch found {
  case .success(.open(_, let account)):
    sending = CodeSending(to: account.phone, for: request.client, in: world)
  case .success(let closed):
    return await world.decide { (transaction) throws(StoreFault) in
      .refusal(try closed.refused(by: request.caller, at: now, transaction))
    }
  case .refusal(let refusal): return .refusal(refusal)
  }
  let outcome: Outcome<Never> = await world.decide { (transaction) throws(StoreFault) in
    try resend(request, sending, at: now, keyring: keyring, transaction)
  }
  world.outboxRung()
  return outcome
}

private func resend(
  _ request: ResendRequest, _ sending: CodeSending, at now: Instant, keyring: Keyring,
  _ transaction: any Transaction
) throws(StoreFault) -> Outcome<Never> {
  let found = try findAttempt(request.authSession, of: request.caller, at: now, transaction)
  guard case .open(_, let account) = found else {
    return .refusal(try found.refused(by: request.caller, at: now, transaction))
  }
  let policy = request.client.lockout
  let lockout = try transaction.lockout(account.id.text)
  switch lockout.verdict(at: now, under: policy) {
  case .locked, .stopped:
    try transaction.record(.refusedLocked, about: account.id, by: request.caller, at: now)
    return .refusal(.resting(lockout, at: now, under: policy))
  case .compare, .wait: break
  }
  let earlier = try transaction.codeChallenge(account.id)
  if let earlier, earlier.isCoolingDown(at: now) {
    try transaction.record(.refusedTooSoon, about: account.id, by: request.caller, at: now)
    return .refusal(.tooSoon(resendAt: earlier.resendAt, at: now))
  }
  let challenge = try sending.record(
    for: account, client: request.client, proofKeyThumbprint: request.proofKeyThumbprint,
    inPlaceOf: earlier, at: now, keyring: keyring, transaction
  )
  try transaction.record(.codeSent, about: account.id, by: request.caller, at: now)
  return .refusal(
    .codeAwaited(
      authSession: request.authSession,
      prompt: CodePrompt(challenge, to: sending.phone, triesLeft: lockout.triesLeft(under: policy))
    )
  )
}

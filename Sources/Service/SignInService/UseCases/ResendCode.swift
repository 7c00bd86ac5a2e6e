import SignInModel
import SignInRules
public import SignInWire

/// A wish for another code in the same sign-in.
public struct ResendRequest: Sendable {
  public let client: AppClient
  public let authSession: String
  public let proofKeyThumbprint: String

  public init(client: AppClient, authSession: String, proofKeyThumbprint: String) {
    self.client = client
    self.authSession = authSession
    self.proofKeyThumbprint = proofKeyThumbprint
  }
}

/// Sends another code once the cooldown is over; tries are never given back (T-08, R-05).
///
/// - Returns: Always a refusal: `insufficient_authorization` with the new times when one was sent.
public func resendCode(_ request: ResendRequest, in world: World) async -> Outcome<Never> {
  let now = world.clock.now()
  let keyring = world.keyring
  let phone: Outcome<PhoneNumber> = await world.look { (transaction) throws(StoreFault) in
    switch try openAttempt(
      request.authSession, client: request.client,
      proofKeyThumbprint: request.proofKeyThumbprint, at: now, transaction
    ) {
    case .success(let open): return .success(open.account.phone)
    case .refusal(let refusal): return .refusal(refusal)
    }
  }
  let sending: CodeSending
  switch phone {
  case .success(let phone): sending = CodeSending(to: phone, for: request.client, in: world)
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
  let account: Account
  switch try openAttempt(
    request.authSession, client: request.client,
    proofKeyThumbprint: request.proofKeyThumbprint, at: now, transaction
  ) {
  case .success(let open): account = open.account
  case .refusal(let refusal): return .refusal(refusal)
  }
  let policy = request.client.lockout
  let lockout = try transaction.lockout(account.id.text)
  switch lockout.verdict(at: now, under: policy) {
  case .locked(let until): return .refusal(.locked(until: until, at: now))
  case .stopped: return .refusal(.stopped(at: now, under: policy))
  case .compare, .wait: break
  }
  let earlier = try transaction.codeChallenge(account.id)
  if let earlier, earlier.isCoolingDown(at: now) {
    return .refusal(.tooSoon(resendAt: earlier.resendAt, at: now))
  }
  let challenge = try sending.record(
    for: account, client: request.client, proofKeyThumbprint: request.proofKeyThumbprint,
    inPlaceOf: earlier, at: now, keyring: keyring, transaction
  )
  return .refusal(
    .codeAwaited(
      authSession: request.authSession,
      prompt: CodePrompt(challenge, to: sending.phone, triesLeft: lockout.triesLeft(under: policy))
    )
  )
}

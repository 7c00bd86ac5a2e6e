import SignInModel
import SignInRules
public import SignInWire

/// A wish for another code in the same sign-in.
public struct ResendRequest: Sendable {
  public let client: AppClient
  public let authSession: String
  public let proofKeyThumbprint: String
  public let origin: RequestOrigin

  public init(
    client: AppClient, authSession: String, proofKeyThumbprint: String,
    origin: RequestOrigin = .local
  ) {
    self.client = client
    self.authSession = authSession
    self.proofKeyThumbprint = proofKeyThumbprint
    self.origin = origin
  }
}

/// Sends another code once the cooldown is over; tries are never given back (T-08, R-05).
///
/// - Returns: Always a refusal: `insufficient_authorization` with the new times when one was sent.
public func resendCode(_ request: ResendRequest, in world: World) async -> Outcome<Never> {
  let now = world.clock.now()
  let throttling = world.throttling(for: request.client, from: request.origin)
  let phone: Outcome<PhoneNumber> = await world.look { (transaction) throws(StoreFault) in
    switch try openAttempt(
      request.authSession, client: request.client,
      proofKeyThumbprint: request.proofKeyThumbprint, at: now, transaction
    ) {
    case .success(let open):
      guard let phone = try open.phone(transaction) else {
        return .refusal(ErrorAnswer(.invalidSession, "start again"))
      }
      return .success(phone)
    case .refusal(let refusal): return .refusal(refusal)
    }
  }
  let sending: CodeSending
  switch phone {
  case .success(let phone): sending = CodeSending(to: phone, for: request.client, in: world)
  case .refusal(let refusal): return .refusal(refusal)
  }
  let outcome: Outcome<Never> = await world.decide { (transaction) throws(StoreFault) in
    try resend(request, sending, at: now, throttling, transaction)
  }
  world.outboxRung()
  return outcome
}

private func resend(
  _ request: ResendRequest, _ sending: CodeSending, at now: Instant,
  _ throttling: Throttling, _ transaction: any Transaction
) throws(StoreFault) -> Outcome<Never> {
  let open: OpenAttempt
  switch try openAttempt(
    request.authSession, client: request.client,
    proofKeyThumbprint: request.proofKeyThumbprint, at: now, transaction
  ) {
  case .success(let found): open = found
  case .refusal(let refusal): return .refusal(refusal)
  }
  let policy = request.client.lockout
  let id = open.attempt.account
  let bucket = try transaction.failureBucket(of: id, device: request.proofKeyThumbprint, at: now)
  let counter = try transaction.failures(in: bucket)
  switch counter.verdict(at: now, under: policy) {
  case .locked(let until): return .refusal(.locked(until: until, at: now))
  case .stopped: return .refusal(.stopped(at: now, under: policy))
  case .compare, .wait: break
  }
  let earlier = try transaction.codeChallenge(id)
  if let earlier, earlier.isCoolingDown(at: now) {
    return .refusal(.tooSoon(resendAt: earlier.resendAt, at: now))
  }
  let message = IntendedMessage(
    to: sending.phone, for: open.account, asked: open.attempt.organization
  )
  if let refusal = try throttling.admit(message, at: now, transaction) {
    return .refusal(refusal)
  }
  let challenge = try sending.record(
    for: id, client: request.client, proofKeyThumbprint: request.proofKeyThumbprint,
    inPlaceOf: earlier, at: now, keyring: throttling.keyring, transaction
  )
  return .refusal(
    .codeAwaited(
      authSession: request.authSession,
      prompt: CodePrompt(challenge, to: sending.phone, triesLeft: counter.triesLeft(under: policy))
    )
  )
}

import Cryptography
public import SignInModel
import SignInRules
public import SignInWire

/// A mobile number, and what for.
public struct PhoneSignInRequest: Sendable {
  public let terms: SignInTerms
  public let phone: PhoneNumber

  public init(terms: SignInTerms, phone: PhoneNumber) {
    self.terms = terms
    self.phone = phone
  }
}

/// Sends a code to a registered, approved number.
///
/// A number that belongs to nobody is told so where the app discloses it. A concealed app meets it
/// with a challenge that looks like any other and that no answer fits; nothing is sent either way.
///
/// - Returns: Always a refusal: `insufficient_authorization` with the challenge when all is well.
public func beginPhoneSignIn(
  _ request: PhoneSignInRequest, in world: World
) async -> Outcome<Never> {
  let now = world.clock.now()
  let throttling = world.throttling(for: request.terms.client, from: request.terms.origin)
  let sending = CodeSending(to: request.phone, for: request.terms.client, in: world)
  let outcome: Outcome<Never> = await world.decide { (transaction) throws(StoreFault) in
    .refusal(try begin(request, sending, at: now, throttling, transaction))
  }
  world.outboxRung()
  return outcome
}

private func begin(
  _ request: PhoneSignInRequest, _ sending: CodeSending, at now: Instant,
  _ throttling: Throttling, _ transaction: any Transaction
) throws(StoreFault) -> ErrorAnswer {
  let terms = request.terms
  let client = terms.client
  var account: Account?
  for role in client.roles where account == nil {
    account = try transaction.account(phone: request.phone, role: role)
  }
  if account?.status == .pending || account?.status == .rejected { account = nil }
  if account == nil, client.disclosure == .disclosed {
    return try throttling.admitAnswer(at: now, transaction) ?? ErrorAnswer(.accountNotRegistered)
  }

  // From here on a number that belongs to nobody takes the same steps, and nothing is sent (T-03).
  let id = account?.id ?? throttling.keyring.stranger(request.phone.e164)
  let bucket = try transaction.failureBucket(of: id, device: terms.proofKeyThumbprint, at: now)
  let counter = try transaction.failures(in: bucket)
  switch counter.verdict(at: now, under: client.lockout) {
  case .locked(let until): return .locked(until: until, at: now)
  case .stopped: return .stopped(at: now, under: client.lockout)
  case .compare, .wait: break
  }
  if account?.status == .deactivated, client.disclosure == .disclosed {
    return ErrorAnswer(.accountDeactivated)
  }
  let earlier = try transaction.codeChallenge(id)
  if let earlier, earlier.isCoolingDown(at: now) {
    return .tooSoon(resendAt: earlier.resendAt, at: now)
  }
  let message = IntendedMessage(to: request.phone, for: account, asked: terms.organization)
  if let refusal = try throttling.admit(message, at: now, transaction) { return refusal }
  let challenge = try sending.record(
    for: id, client: client, proofKeyThumbprint: terms.proofKeyThumbprint, inPlaceOf: earlier,
    at: now, keyring: throttling.keyring, transaction
  )
  try transaction.insert(terms.attempt(sending, account: id, at: now))
  return .codeAwaited(
    authSession: sending.authSession,
    prompt: CodePrompt(
      challenge, to: request.phone, triesLeft: counter.triesLeft(under: client.lockout)
    )
  )
}

extension SignInTerms {
  /// The sign-in these terms begin.
  func attempt(_ sending: CodeSending, account: AccountID, at now: Instant) -> SignInAttempt {
    SignInAttempt(
      digest: SHA256Digest.of(sending.authSession), account: account, client: client.id,
      proofKeyThumbprint: proofKeyThumbprint, pkceChallenge: pkceChallenge, scope: scope,
      nonce: nonce, organization: organization, startedAt: now,
      expiresAt: now.adding(seconds: SignInLimits.attemptSeconds), progress: .awaitingCode
    )
  }
}

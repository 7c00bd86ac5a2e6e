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
/// - Returns: Always a refusal: `insufficient_authorization` with the challenge when all is well.
public func beginPhoneSignIn(
  _ request: PhoneSignInRequest, in world: World
) async -> Outcome<Never> {
  let now = world.clock.now()
  let keyring = world.keyring
  let sending = CodeSending(to: request.phone, for: request.terms.client, in: world)
  let outcome: Outcome<Never> = await world.decide { (transaction) throws(StoreFault) in
    .refusal(try begin(request, sending, at: now, keyring: keyring, transaction))
  }
  world.outboxRung()
  return outcome
}

private func begin(
  _ request: PhoneSignInRequest, _ sending: CodeSending, at now: Instant, keyring: Keyring,
  _ transaction: any Transaction
) throws(StoreFault) -> ErrorAnswer {
  let terms = request.terms
  let client = terms.client
  var found: Account?
  for role in client.roles where found == nil {
    found = try transaction.account(phone: request.phone, role: role)
  }
  guard let account = found, account.status != .pending, account.status != .rejected else {
    return try stranger(
      request, found?.id, sending, at: now, keyring: keyring, transaction
    )
  }
  let lockout = try transaction.lockout(account.id.text)
  switch lockout.verdict(at: now, under: client.lockout) {
  case .locked, .stopped:
    try transaction.record(.refusedLocked, about: account.id, by: terms.caller, at: now)
    return .resting(lockout, at: now, under: client.lockout)
  case .compare, .wait: break
  }
  guard account.status == .active else {
    try transaction.record(.refusedDeactivated, about: account.id, by: terms.caller, at: now)
    return ErrorAnswer(.accountDeactivated)
  }
  let earlier = try transaction.codeChallenge(account.id)
  if let earlier, earlier.isCoolingDown(at: now) {
    try transaction.record(.refusedTooSoon, about: account.id, by: terms.caller, at: now)
    return .tooSoon(resendAt: earlier.resendAt, at: now)
  }
  let challenge = try sending.record(
    for: account, client: client, proofKeyThumbprint: terms.proofKeyThumbprint,
    inPlaceOf: earlier, at: now, keyring: keyring, transaction
  )
  try transaction.insert(terms.attempt(sending, account: account.id, at: now))
  try transaction.record(.codeSent, about: account.id, by: terms.caller, at: now)
  return .codeAwaited(
    authSession: sending.authSession,
    prompt: CodePrompt(
      challenge, to: account.phone, triesLeft: lockout.triesLeft(under: client.lockout)
    )
  )
}

/// A number that belongs to nobody: told where the app discloses it, otherwise met with a challenge
/// that looks like any other and that no answer fits; nothing is sent either way.
private func stranger(
  _ request: PhoneSignInRequest, _ unapproved: AccountID?, _ sending: CodeSending,
  at now: Instant, keyring: Keyring, _ transaction: any Transaction
) throws(StoreFault) -> ErrorAnswer {
  let terms = request.terms
  func record(_ code: SecurityEvent.Code) throws(StoreFault) {
    try transaction.record(code, about: unapproved, by: terms.caller, at: now)
  }
  if terms.client.disclosure == .disclosed {
    try record(.refusedUnregistered)
    return ErrorAnswer(.accountNotRegistered)
  }
  let account = AccountID(keyring.strangerKey(request.phone.e164))
  let lockout = try transaction.lockout(account.text)
  if case .locked(let until) = lockout.verdict(at: now, under: terms.client.lockout) {
    try record(.refusedLocked)
    return .locked(until: until, at: now)
  }
  let earlier = try transaction.codeChallenge(account)
  if let earlier, earlier.isCoolingDown(at: now) {
    try record(.refusedTooSoon)
    return .tooSoon(resendAt: earlier.resendAt, at: now)
  }
  let challenge = CodeChallenge.sent(
    id: sending.challengeID, account: account, client: terms.client.id,
    proofKeyThumbprint: terms.proofKeyThumbprint,
    mac: keyring.mac(of: sending.code, account: account), inPlaceOf: earlier, at: now,
    under: terms.client.code
  )
  try transaction.save(challenge)
  try transaction.insert(terms.attempt(sending, account: account, at: now))
  try record(.codeWithheld)
  return .codeAwaited(
    authSession: sending.authSession,
    prompt: CodePrompt(
      challenge, to: request.phone, triesLeft: lockout.triesLeft(under: terms.client.lockout)
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

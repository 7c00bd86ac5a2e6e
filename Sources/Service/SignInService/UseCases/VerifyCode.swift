import Cryptography
public import SignInModel
import SignInRules
public import SignInWire

/// A code that was typed, and the sign-in it belongs to.
public struct CodeAnswer: Sendable {
  public let client: AppClient
  public let authSession: String
  public let code: String
  public let proofKeyThumbprint: String

  public init(client: AppClient, authSession: String, code: String, proofKeyThumbprint: String) {
    self.client = client
    self.authSession = authSession
    self.code = code
    self.proofKeyThumbprint = proofKeyThumbprint
  }
}

/// Checks a code and, when it is right, hands out an authorization code (T-06, T-12).
///
/// Counting, comparing and recording are one transaction: no two answers overlap.
///
/// - Returns: The authorization code to redeem at the token endpoint.
public func verifyCode(_ answer: CodeAnswer, in world: World) async -> Outcome<Secret> {
  let authorizationCode = world.handle()
  for _ in 0..<SignInLimits.waitTries {
    let now = world.clock.now()
    let keyring = world.keyring
    let outcome: Outcome<Verified> = await world.decide { (transaction) throws(StoreFault) in
      try verify(
        answer, authorizationCode: authorizationCode, at: now, keyring: keyring, transaction
      )
    }
    switch outcome {
    case .success(.right): return .success(Secret(authorizationCode))
    case .success(.othersCompared):
      await world.clock.pause(milliseconds: SignInLimits.waitMilliseconds)
    case .refusal(let refusal): return .refusal(refusal)
    }
  }
  return .refusal(.overloaded(retrySeconds: 1))
}

private enum Verified { case right, othersCompared }

private func verify(
  _ answer: CodeAnswer, authorizationCode: String, at now: Instant, keyring: Keyring,
  _ transaction: any Transaction
) throws(StoreFault) -> Outcome<Verified> {
  let policy = answer.client.lockout
  var attempt: SignInAttempt
  let account: Account
  switch try openAttempt(
    answer.authSession, client: answer.client, proofKeyThumbprint: answer.proofKeyThumbprint,
    at: now, transaction
  ) {
  case .success(let open): (attempt, account) = (open.attempt, open.account)
  case .refusal(let refusal): return .refusal(refusal)
  }

  var lockout = try transaction.lockout(account.id.text)
  switch lockout.verdict(at: now, under: policy) {
  case .locked(let until): return .refusal(.locked(until: until, at: now))
  case .stopped: return .refusal(.stopped(at: now, under: policy))
  case .wait: return .success(.othersCompared)
  case .compare: break
  }

  let challenge = try transaction.codeChallenge(account.id)
  guard let challenge, challenge.isLive(at: now),
    challenge.belongs(
      toClient: answer.client.id, proofKeyThumbprint: answer.proofKeyThumbprint
    )
  else { return .refusal(.expired(answer, challenge)) }

  let mac = typedMAC(answer.code, account: account.id, keyring: keyring)
  for superseded in challenge.supersededMACs where ConstantTime.equal(superseded, mac) {
    return .refusal(.expired(answer, challenge))
  }

  // Raised before comparing, settled after, all in this transaction.
  _ = lockout.reserve(at: now, under: policy)
  guard ConstantTime.equal(challenge.mac, mac) else {
    let verdict = lockout.settleWrong(at: now, under: policy)
    try transaction.save(lockout, for: account.id.text)
    return .refusal(wrongCode(answer, lockout, verdict, at: now))
  }
  lockout.settleRight()
  lockout.reset()
  try transaction.save(lockout, for: account.id.text)
  try transaction.save(challenge.consumed())
  attempt.progress = .proved(
    codeDigest: SHA256Digest.of(authorizationCode),
    expiresAt: now.adding(seconds: SignInLimits.authorizationCodeSeconds)
  )
  try transaction.update(attempt)
  return .success(.right)
}

/// A text that is no code at all is a wrong answer like any other; its MAC matches nothing.
private func typedMAC(_ text: String, account: AccountID, keyring: Keyring) -> [UInt8] {
  do throws(Malformed) {
    return keyring.mac(of: try OneTimeCode(parsing: text), account: account)
  } catch {
    return []
  }
}

private func wrongCode(
  _ answer: CodeAnswer, _ lockout: Lockout, _ verdict: Lockout.Verdict, at now: Instant
) -> ErrorAnswer {
  switch verdict {
  case .locked(let until): return .locked(until: until, at: now)
  case .stopped: return .stopped(at: now, under: answer.client.lockout)
  case .compare, .wait:
    var refusal = ErrorAnswer(.invalidOTP, "wrong code")
    refusal.authSession = answer.authSession
    refusal.attemptsLeft = lockout.triesLeft(under: answer.client.lockout)
    return refusal
  }
}

extension ErrorAnswer {
  fileprivate static func expired(
    _ answer: CodeAnswer, _ challenge: CodeChallenge?
  ) -> ErrorAnswer {
    var refusal = ErrorAnswer(.otpExpired, "this code is over; ask for another")
    refusal.authSession = answer.authSession
    refusal.resendAt = challenge?.resendAt
    return refusal
  }
}

/// A sign-in that may go on, and whose it is.
struct OpenAttempt {
  let attempt: SignInAttempt
  let account: Account
}

/// Finds the sign-in behind a handle, or says why it cannot go on.
func openAttempt(
  _ authSession: String, client: AppClient, proofKeyThumbprint: String, at now: Instant,
  _ transaction: any Transaction
) throws(StoreFault) -> Outcome<OpenAttempt> {
  guard let attempt = try transaction.signInAttempt(digest: SHA256Digest.of(authSession)),
    attempt.client == client.id, attempt.proofKeyThumbprint == proofKeyThumbprint,
    now < attempt.expiresAt, attempt.progress == .awaitingCode,
    let account = try transaction.account(attempt.account)
  else { return .refusal(ErrorAnswer(.invalidSession, "start again")) }
  guard account.status == .active else { return .refusal(ErrorAnswer(.accountDeactivated)) }
  return .success(OpenAttempt(attempt: attempt, account: account))
}

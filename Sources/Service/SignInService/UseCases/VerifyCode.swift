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
  /// The network address the call came from, nil when no network was between.
  public let peer: String?

  public init(
    client: AppClient, authSession: String, code: String, proofKeyThumbprint: String,
    peer: String? = nil
  ) {
    self.client = client
    self.authSession = authSession
    self.code = code
    self.proofKeyThumbprint = proofKeyThumbprint
    self.peer = peer
  }

  var caller: Caller {
    Caller(client: client.id, peer: peer, proofKeyThumbprint: proofKeyThumbprint)
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
  let found = try findAttempt(answer.authSession, of: answer.caller, at: now, transaction)
  guard case .open(var attempt, let account) = found else {
    return .refusal(try found.refused(by: answer.caller, at: now, transaction))
  }
  func record(_ code: SecurityEvent.Code) throws(StoreFault) {
    try transaction.record(code, about: account.id, by: answer.caller, at: now)
  }

  var lockout = try transaction.lockout(account.id.text)
  switch lockout.verdict(at: now, under: policy) {
  case .locked, .stopped:
    try record(.refusedLocked)
    return .refusal(.resting(lockout, at: now, under: policy))
  case .wait: return .success(.othersCompared)
  case .compare: break
  }

  let challenge = try transaction.codeChallenge(account.id)
  guard let challenge, challenge.isLive(at: now),
    challenge.belongs(
      toClient: answer.client.id, proofKeyThumbprint: answer.proofKeyThumbprint
    )
  else {
    try record(.codeExpired)
    return .refusal(.expired(answer, challenge))
  }

  let mac = typedMAC(answer.code, account: account.id, keyring: keyring)
  for superseded in challenge.supersededMACs where ConstantTime.equal(superseded, mac) {
    try record(.codeExpired)
    return .refusal(.expired(answer, challenge))
  }

  // Raised before comparing, settled after, all in this transaction.
  _ = lockout.reserve(at: now, under: policy)
  guard ConstantTime.equal(challenge.mac, mac) else {
    let verdict = lockout.settleWrong(at: now, under: policy)
    try transaction.save(lockout, for: account.id.text)
    try transaction.record(
      .codeRefused, leadingTo: verdict, about: account.id, by: answer.caller, at: now
    )
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
  try record(.codeAccepted)
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

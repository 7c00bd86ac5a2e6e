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
  public let origin: RequestOrigin

  public init(
    client: AppClient, authSession: String, code: String, proofKeyThumbprint: String,
    origin: RequestOrigin = .local
  ) {
    self.client = client
    self.authSession = authSession
    self.code = code
    self.proofKeyThumbprint = proofKeyThumbprint
    self.origin = origin
  }
}

/// Checks a code and, when it is right, hands out an authorization code (T-06, T-12).
///
/// Counting, comparing and recording are one transaction: no two answers overlap.
///
/// - Returns: The authorization code to redeem at the token endpoint.
public func verifyCode(_ answer: CodeAnswer, in world: World) async -> Outcome<Secret> {
  let authorizationCode = world.handle()
  let throttling = world.throttling(for: answer.client, from: answer.origin)
  for _ in 0..<SignInLimits.waitTries {
    let now = world.clock.now()
    let outcome: Outcome<Verified> = await world.decide { (transaction) throws(StoreFault) in
      try verify(answer, authorizationCode: authorizationCode, at: now, throttling, transaction)
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
  _ answer: CodeAnswer, authorizationCode: String, at now: Instant, _ throttling: Throttling,
  _ transaction: any Transaction
) throws(StoreFault) -> Outcome<Verified> {
  let policy = answer.client.lockout
  let open: OpenAttempt
  switch try openAttempt(
    answer.authSession, client: answer.client, proofKeyThumbprint: answer.proofKeyThumbprint,
    at: now, transaction
  ) {
  case .success(let found): open = found
  case .refusal(let refusal): return .refusal(refusal)
  }

  let id = open.attempt.account
  let bucket = try transaction.failureBucket(of: id, device: answer.proofKeyThumbprint, at: now)
  var counter = try transaction.failures(in: bucket)
  switch counter.verdict(at: now, under: policy) {
  case .locked(let until): return .refusal(.locked(until: until, at: now))
  case .stopped: return .refusal(.stopped(at: now, under: policy))
  case .wait: return .success(.othersCompared)
  case .compare: break
  }

  let challenge = try transaction.codeChallenge(id)
  guard let challenge, challenge.isLive(at: now),
    challenge.belongs(
      toClient: answer.client.id, proofKeyThumbprint: answer.proofKeyThumbprint
    )
  else { return .refusal(.expired(answer, challenge)) }

  let mac = typedMAC(answer.code, account: id, keyring: throttling.keyring)
  for superseded in challenge.supersededMACs where ConstantTime.equal(superseded, mac) {
    return .refusal(.expired(answer, challenge))
  }

  // Raised before comparing, settled after, all in this transaction.
  if let refusal = try throttling.admitAnswer(at: now, transaction) { return .refusal(refusal) }
  _ = counter.reserve(at: now, under: policy)
  // A code drawn for nobody was sent to nobody: whoever meets it has guessed.
  guard ConstantTime.equal(challenge.mac, mac), let account = open.account else {
    let verdict = counter.settleWrong(at: now, under: policy)
    try transaction.save(counter, in: bucket)
    return .refusal(wrongCode(answer, counter, verdict, at: now))
  }
  try throttling.takeBackFailure(countedAt: now, transaction)
  guard account.status == .active else { return .refusal(ErrorAnswer(.accountDeactivated)) }
  counter.complete(at: now)
  try transaction.save(counter, in: bucket)
  try throttling.completed(to: account.phone, sentAt: challenge.sentAt(answer), transaction)
  try accept(challenge, open.attempt, authorizationCode, at: now, transaction)
  return .success(.right)
}

private func accept(
  _ challenge: CodeChallenge, _ attempt: SignInAttempt, _ authorizationCode: String,
  at now: Instant, _ transaction: any Transaction
) throws(StoreFault) {
  try transaction.save(challenge.consumed())
  var attempt = attempt
  attempt.progress = .proved(
    codeDigest: SHA256Digest.of(authorizationCode),
    expiresAt: now.adding(seconds: SignInLimits.authorizationCodeSeconds)
  )
  try transaction.update(attempt)
}

extension CodeChallenge {
  fileprivate func sentAt(_ answer: CodeAnswer) -> Instant {
    resendAt.adding(seconds: -answer.client.code.resendSeconds)
  }
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
  _ answer: CodeAnswer, _ counter: FailureCounter, _ verdict: Lockout.Verdict, at now: Instant
) -> ErrorAnswer {
  switch verdict {
  case .locked(let until): return .locked(until: until, at: now)
  case .stopped: return .stopped(at: now, under: answer.client.lockout)
  case .compare, .wait:
    var refusal = ErrorAnswer(.invalidOTP, "wrong code")
    refusal.authSession = answer.authSession
    refusal.attemptsLeft = counter.triesLeft(under: answer.client.lockout)
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
  /// Nil when nobody is behind it, which a concealed app must not tell.
  let account: Account?

  /// Where its codes go, or where they would.
  func phone(_ transaction: any Transaction) throws(StoreFault) -> PhoneNumber? {
    if let account { return account.phone }
    guard let challenge = try transaction.codeChallenge(attempt.account) else { return nil }
    return try transaction.message(challenge.id)?.to
  }
}

/// Finds the sign-in behind a handle, or says why it cannot go on.
func openAttempt(
  _ authSession: String, client: AppClient, proofKeyThumbprint: String, at now: Instant,
  _ transaction: any Transaction
) throws(StoreFault) -> Outcome<OpenAttempt> {
  guard let attempt = try transaction.signInAttempt(digest: SHA256Digest.of(authSession)),
    attempt.client == client.id, attempt.proofKeyThumbprint == proofKeyThumbprint,
    now < attempt.expiresAt, attempt.progress == .awaitingCode
  else { return .refusal(ErrorAnswer(.invalidSession, "start again")) }
  let account = try transaction.account(attempt.account)
  guard account != nil || Keyring.isStranger(attempt.account) else {
    return .refusal(ErrorAnswer(.invalidSession, "start again"))
  }
  // Where the code is the first thing proved, a concealed app tells only whoever proves it.
  let isTold = client.signIn == .passwordAndCode || client.disclosure == .disclosed
  if let account, account.status != .active, isTold {
    return .refusal(ErrorAnswer(.accountDeactivated))
  }
  return .success(OpenAttempt(attempt: attempt, account: account))
}

import Cryptography
public import SignInModel
import SignInRules
public import SignInWire

/// A code that a person entered, and its sign-in.
public struct CodeAnswer: Sendable {
  public let client: AppRegistration
  public let authSession: Secret
  /// The text that the person entered, which may be no code.
  public let code: Secret
  public let proofKeyThumbprint: String
  /// The network address of the sender; nil for a call that did not use a network.
  public let peer: String?

  public init(
    client: AppRegistration, authSession: Secret, code: Secret, proofKeyThumbprint: String,
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

/// Checks a code.
///
/// If it is right, returns an authorization code (T-06, T-12).
///
/// Counting, comparing and recording are one transaction, so that two answers never overlap.
///
/// - Returns: The authorization code for the token endpoint.
public func verifyCode(_ answer: CodeAnswer, in world: World) async throws(Refusal) -> Secret {
  let authorizationCode = Secret(world.timeOrderedHandle(at: world.clock.now()))
  let subject = Subject.signInAttempt(TimeOrderedHandle.digest(of: answer.authSession))
  return try await world.waitingForOthers { now throws(Refusal) in
    let step = CodeStep(
      answer: answer, authorizationCode: authorizationCode, now: now, world: world)
    return try await world.decide(about: [subject]) {
      (transaction: any CodeStep.Records) throws in
      try step.verify(transaction)
    }
  }
}

/// One answer to a sign-in that waits for a code.
private struct CodeStep: Sendable {
  typealias Records =
    CodeRecords & FoundAttempt.Records & KnownDeviceRecords & LockoutRecords & OutboxRecords
    & Throttling.Records

  let answer: CodeAnswer
  let authorizationCode: Secret
  let now: Instant
  let world: World

  /// The authorization code; nil while other answers are being compared.
  func verify(_ transaction: any Records) throws -> Secret? {
    let found = try world.findAttempt(
      answer.authSession, of: answer.caller, for: answer.client, at: now, transaction)
    guard case .open(let attempt, let account, let client) = found else {
      throw try found.refused(by: answer.caller, at: now, transaction)
    }
    return try compare(with: attempt, of: account, under: client, transaction)
  }

  /// Compares the answer to an open sign-in, under the policy that applies to it.
  private func compare(
    with attempt: SignInAttempt, of account: Account?, under client: AppRegistration,
    _ transaction: any Records
  ) throws -> Secret? {
    let policy = client.policy.lockout
    let id = attempt.account
    func refuse(_ code: SecurityEvent.Code) throws(StoreFault) {
      try transaction.recordRefusal(code, about: id, by: answer.caller, at: now)
    }
    let bucket = try transaction.failureBucket(of: id, device: attempt.proofKeyThumbprint, at: now)
    let throttling = world.throttling(for: client, by: answer.caller).held(by: bucket)
    var counter = try transaction.failures(in: bucket)
    try transaction.checkLockout(
      of: counter, in: bucket, by: answer.caller, at: now, under: policy)
    if counter.verdict(at: now, under: policy) == .wait { return nil }

    let challenge = try transaction.codeChallenge(at: bucket.codePlace(for: .signIn))
    let mac = world.keyring.mac(ofTyped: answer.code, account: id, for: .signIn)
    let verdict = challenge?.verdict(
      on: mac, forClient: client.id, proofKeyThumbprint: attempt.proofKeyThumbprint, at: now)
    guard let challenge, verdict == .compare,
      try transaction.wasSentToCurrentNumber(of: account, challenge)
    else {
      try refuse(.codeExpired)
      throw Refusal.otpExpired(
        authSession: answer.authSession, resendAt: challenge?.resendAt,
        superseded: verdict?.supersededCode)
    }

    try throttling.prepareAnswer(from: account, transaction)
    if let refusal = try throttling.admitAnswer(about: account?.id, at: now, transaction) {
      throw refusal
    }
    // The answer is counted before the comparison and settled after it, in this transaction.
    _ = counter.reserve(at: now, under: policy)
    // The code of an unknown account was never sent, so a person who enters it has guessed.
    guard ConstantTime.equal(challenge.mac, mac), let account else {
      throw try transaction.settleWrongCode(
        counter, bucket, of: WrongCode(session: answer.authSession, caller: answer.caller),
        under: policy, at: now)
    }
    try throttling.takeBackFailure(countedAt: now, transaction)
    if let right = world.missingRight(for: attempt.granted, of: account, in: client) {
      try refuse(right.event)
      throw right.signInRefusal
    }
    let sentAt = try challenge.sentAt(under: client.policy.code, transaction)
    try throttling.completed(account, sentAt: sentAt, at: now, transaction)
    counter.complete()
    try transaction.save(counter, in: bucket)
    try transaction.save(challenge.accepted(in: client, at: now))
    try transaction.update(proved(attempt))
    try transaction.record(.codeAccepted, about: account.id, by: answer.caller, at: now)
    try transaction.verifyPhone(
      of: account, with: challenge, by: answer.caller, at: now)
    return authorizationCode
  }

  private func proved(_ attempt: SignInAttempt) -> SignInAttempt {
    var attempt = attempt
    attempt.progress = .proved(
      codeDigest: TimeOrderedHandle.digest(of: authorizationCode),
      expiresAt: now.adding(seconds: SignInLimits.authorizationCodeSeconds))
    return attempt
  }
}

/// A code that was wrong.
struct WrongCode {
  /// The sign-in that continues with another code; nil if there is none.
  let session: Secret?
  let caller: Caller
  /// The account for the security log, if it is not the one under which the answer is counted.
  var account: AccountID?
}

extension EventRecords where Self: LockoutRecords {
  /// Counts a wrong code that was reserved before the comparison, and returns its refusal.
  func settleWrongCode(
    _ counter: FailureCounter, _ bucket: FailureBucket, of answer: WrongCode,
    under policy: Lockout.Policy, at now: Instant
  ) throws(StoreFault) -> Refusal {
    var counter = counter
    let verdict = counter.settleWrong(at: now, under: policy)
    try save(counter, in: bucket)
    // A counter that is not the account's own does not lock the account.
    try record(
      .codeRefused, leadingTo: answer.account == nil ? verdict : .compare,
      about: answer.account ?? bucket.existingAccount, by: answer.caller, at: now)
    switch verdict {
    case .locked(let until): return .locked(until: until, at: now)
    case .stopped: return .stopped(at: now, under: policy)
    case .compare, .wait:
      return .invalidOTP(
        authSession: answer.session, attemptsLeft: counter.attemptsLeft(under: policy))
    }
  }
}

extension CodeChallenge {
  /// The verdict on an answer with this MAC.
  func verdict(
    on mac: [UInt8], forClient client: ClientID, proofKeyThumbprint: String, at now: Instant
  ) -> Verdict {
    verdict(
      forClient: client, proofKeyThumbprint: proofKeyThumbprint,
      isEarlierCode: supersededMACs.contains { ConstantTime.equal($0, mac) }, at: now)
  }

  /// Uses up the code after a right answer, and ends its cooldown.
  ///
  /// In a concealed app where the number alone begins a sign-in, the cooldown does not end. The
  /// code of an unknown number is never used up, so the end of the cooldown would reveal a known
  /// number.
  fileprivate func accepted(in client: AppRegistration, at now: Instant) -> CodeChallenge {
    let isConcealed = client.signIn == .phoneCode && client.policy.disclosure == .concealed
    return isConcealed ? consumed() : used(at: now)
  }

  /// The time when its message was recorded.
  ///
  /// It is read from the message, because the policy may have changed since.
  func sentAt(
    under policy: Policy, _ transaction: any OutboxRecords
  ) throws(StoreFault) -> Instant {
    try transaction.message(id)?.createdAt ?? resendAt.adding(seconds: -policy.resendSeconds)
  }
}

extension CodeChallenge.Verdict {
  /// What `otp_expired` says beside the end of the code.
  var supersededCode: SupersededCode? {
    switch self {
    case .compare, .expired: nil
    case .superseded: .byNewerCode
    case .replaced: .byAnotherDevice
    }
  }
}

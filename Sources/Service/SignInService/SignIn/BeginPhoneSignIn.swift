import Cryptography
public import SignInModel
import SignInRules
public import SignInWire

/// A phone number, with the terms of the sign-in.
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
/// In a disclosed app, an unknown number is refused. In a concealed app, it gets a challenge that
/// looks like any other, and no code is right for it. In both cases nothing is sent.
///
/// - Returns: The challenge.
public func beginPhoneSignIn(
  _ request: PhoneSignInRequest, in world: World
) async throws(Refusal) -> SentChallenge {
  let terms = request.terms
  let sending = CodeSending(
    to: request.phone, languages: terms.languages, at: world.clock.now(), in: world)
  let identifier = UnknownIdentifier.phone(request.phone, roles: terms.client.roles)
  let step = PhoneSignInStep(
    terms: terms, unknown: world.keyring.unknownAccount(identifier), sending: sending,
    world: world)
  defer { world.messageRecorded() }
  return try await world.decide(about: [.number(request.phone), .account(step.unknown)]) {
    (transaction: any PhoneSignInStep.Records) throws in
    try step.begin(transaction)
  }
}

private struct PhoneSignInStep: Sendable {
  typealias Records =
    AccountRecords & CodeSending.Records & KnownDeviceRecords & LockoutRecords & PolicyRecords
    & SignInRecords

  let terms: SignInTerms
  /// The account of the number if it is unknown.
  let unknown: AccountID
  let sending: CodeSending
  let world: World

  private var now: Instant { sending.now }

  func begin(_ transaction: any Records) throws -> SentChallenge {
    var found: Account?
    for role in terms.client.roles where found == nil {
      found = try transaction.account(phone: sending.phone, role: role)
    }
    let client = try world.registration(
      of: terms.client, asked: terms.organization, account: found, isProved: false, transaction)
    let throttling = world.throttling(for: client, by: terms.caller)
    let isApproved = found?.status == .active || found?.status == .deactivated
    let isWaiting = try isKnownToWait(found, transaction)
    guard isApproved || (client.policy.disclosure == .concealed && !isWaiting) else {
      if let refusal = try throttling.admitAnswer(about: found?.id, at: now, transaction) {
        throw refusal
      }
      try transaction.recordRefusal(
        .refusedUnregistered, about: found?.id, by: terms.caller, at: now)
      throw isWaiting ? Refusal.accountPending : Refusal.accountNotRegistered
    }
    return try begin(isApproved ? found : nil, about: found?.id, throttling, transaction)
  }

  /// Whether the account waits for an approval, and this device has proved its number.
  ///
  /// Another device learns nothing about an account that is not approved.
  private func isKnownToWait(
    _ account: Account?, _ transaction: any KnownDeviceRecords
  ) throws(StoreFault) -> Bool {
    guard let account, account.status == .pending else { return false }
    let bucket = try transaction.failureBucket(
      of: account.id, device: terms.proofKeyThumbprint, at: now)
    return bucket.device != nil
  }

  /// Continues with an account, or without one in a concealed app.
  ///
  /// The steps are the same.
  private func begin(
    _ account: Account?, about known: AccountID?, _ throttling: Throttling,
    _ transaction: any Records
  ) throws -> SentChallenge {
    let client = throttling.client
    let id = account?.id ?? unknown
    func refuse(_ code: SecurityEvent.Code) throws(StoreFault) {
      try transaction.recordRefusal(code, about: known ?? id, by: terms.caller, at: now)
    }
    let bucket = try transaction.failureBucket(of: id, device: terms.proofKeyThumbprint, at: now)
    let counter = try transaction.failures(in: bucket)
    switch counter.verdict(at: now, under: client.policy.lockout) {
    case .locked, .stopped:
      try refuse(.refusedLocked)
      throw Refusal.lockedOut(counter, at: now, under: client.policy.lockout)
    case .compare, .wait: break
    }
    if account?.status == .deactivated, client.policy.disclosure == .disclosed {
      try refuse(.refusedDeactivated)
      throw Refusal.accountDeactivated
    }
    let place = bucket.codePlace(for: .signIn)
    let earlier = try transaction.codeChallenge(at: place)
    if let earlier, earlier.isCoolingDown(at: now) {
      try refuse(.refusedTooSoon)
      throw Refusal.tooSoon(resendAt: earlier.resendAt, at: now)
    }
    let due = DueCode(
      recipient: account, place: place, proofKeyThumbprint: terms.proofKeyThumbprint,
      earlier: earlier, asked: terms.organization)
    let challenge = try sending.send(due, within: throttling.held(by: bucket), transaction)
    try transaction.record(
      account == nil ? .codeWithheld : .codeSent, about: known, by: terms.caller, at: now)
    try transaction.begin(terms.attempt(sending, account: id))
    let left = counter.attemptsLeft(under: client.policy.lockout)
    return SentChallenge(
      authSession: sending.authSession,
      prompt: CodePrompt(challenge, to: sending.phone, attemptsLeft: left))
  }
}

extension SignInRecords {
  /// Inserts a sign-in attempt, and removes the oldest open ones of the same device, so that
  /// repeated requests do not make the store grow (L-41).
  func begin(_ attempt: SignInAttempt) throws(StoreFault) {
    try insert(attempt)
    try removeOpenSignInAttempts(
      of: attempt.account, proofKeyThumbprint: attempt.proofKeyThumbprint,
      keeping: SignInLimits.openAttempts
    )
  }
}

extension SignInTerms {
  /// The sign-in attempt that begins with these terms.
  func attempt(_ sending: CodeSending, account: AccountID) -> SignInAttempt {
    let now = sending.now
    var attempt = SignInAttempt(
      digest: TimeOrderedHandle.digest(of: sending.authSession), account: account,
      client: client.id,
      proofKeyThumbprint: proofKeyThumbprint, pkceChallenge: pkceChallenge, scope: scope,
      nonce: nonce, organization: organization, startedAt: continued?.startedAt ?? now,
      expiresAt: now.adding(seconds: SignInLimits.attemptSeconds), progress: .awaitingCode
    )
    attempt.federation = continued?.federation?.withCode
    return attempt
  }
}

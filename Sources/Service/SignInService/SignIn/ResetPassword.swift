import Cryptography
public import SignInModel
import SignInRules
public import SignInWire

/// A code from a text message, and the new password.
public struct PasswordResetAnswer: Sendable {
  public let resetSession: Secret
  /// The text that the person entered, which may be no code.
  public let code: Secret
  public let password: Secret
  /// The RFC 7638 thumbprint of the device's key, if it proved one.
  public let proofKeyThumbprint: String?
  /// The network address of the sender; nil for a call that did not use a network.
  public let peer: String?
  /// The languages for messages to the person, the preferred one first.
  public var languages: [String] = []

  public init(
    resetSession: Secret, code: Secret, password: Secret, proofKeyThumbprint: String?,
    peer: String?
  ) {
    self.resetSession = resetSession
    self.code = code
    self.password = password
    self.proofKeyThumbprint = proofKeyThumbprint
    self.peer = peer
  }
}

/// The result of a password reset.
public enum PasswordResetResult: Equatable, Sendable {
  case changed
  /// The new password waits for an administrator's approval, or for this time.
  case waiting(availableAt: Instant)
}

/// Sets a new password, opens the account and ends all its sessions (T-11).
///
/// If the app's policy requires it, on a device that has not signed in with the password before,
/// the new password waits instead, and nothing else changes.
///
/// The code is compared before the password is hashed, because hashing is slow, and again when it
/// is used up. A password that is not allowed is refused before the code is used up.
public func resetPassword(
  _ answer: PasswordResetAnswer, in world: World
) async throws(Refusal) -> PasswordResetResult {
  try await world.check(newPassword: answer.password, about: [])
  _ = try await settle(answer, passwordHash: nil, in: world)
  let hash = try await world.hash(of: answer.password)
  let outcome = try await settle(answer, passwordHash: hash, in: world)
  world.messageRecorded()
  return outcome
}

/// Compares the code, and uses it up if there is a hash to set.
///
/// If all tries are reserved by other requests, it waits.
private func settle(
  _ answer: PasswordResetAnswer, passwordHash: String?, in world: World
) async throws(Refusal) -> PasswordResetResult {
  let digest = TimeOrderedHandle.digest(of: answer.resetSession)
  return try await world.waitingForOthers { now throws(Refusal) in
    let notice = NoticeSending(languages: answer.languages, at: now, in: world)
    return try await world.decide(about: [.passwordReset(digest)]) {
      (transaction: any PolicyRecords & ResetStep.Records) throws in
      guard let reset = try transaction.passwordReset(digest: digest), now < reset.expiresAt,
        let client = world.clients[reset.client],
        reset.proofKeyThumbprint == nil || reset.proofKeyThumbprint == answer.proofKeyThumbprint
      else { throw Refusal.invalidSession }
      let account = try transaction.account(reset.account)
      let app = try world.registration(
        of: client, asked: nil,
        account: account.flatMap { client.roles.contains($0.role) ? $0 : nil }, isProved: false,
        transaction
      )
      // The policy of the account's own organization applies only after the code was right.
      let own = try world.registration(
        of: client, asked: nil, account: account, isProved: true, transaction
      )
      let step = ResetStep(
        reset: reset, answer: answer, client: app, own: own, keyring: world.keyring,
        throttlesOrigins: world.throttlesOrigins, notice: notice, now: now
      )
      return try step.settle(passwordHash: passwordHash, transaction)
    }
  }
}

/// One answer to an open reset.
private struct ResetStep {
  typealias Records = OutboxRecords & PasswordReplacementRecords & Throttling.Records

  let reset: PasswordReset
  let answer: PasswordResetAnswer
  let client: AppRegistration
  /// The app, with the policy that applies to the account's own organization.
  let own: AppRegistration
  let keyring: Keyring
  let throttlesOrigins: Bool
  let notice: NoticeSending
  let now: Instant

  func settle(
    passwordHash: String?, _ transaction: any Records
  ) throws -> PasswordResetResult? {
    let account = try transaction.account(reset.account)
    func refuse(_ code: SecurityEvent.Code) throws(StoreFault) {
      try transaction.recordRefusal(code, about: reset.account, by: caller, at: now)
    }
    let bucket = try transaction.failureBucket(
      of: reset.account, device: reset.proofKeyThumbprint, at: now)
    let throttling = throttling.held(by: bucket)
    let locks = try transaction.resetLockout(in: bucket)
    switch locks.verdict(at: now, under: client.policy.lockout) {
    case .locked, .stopped:
      try refuse(.resetRefusedLocked)
      throw Refusal.lockedOut(locks.resets, at: now, under: client.policy.lockout)
    case .wait: return nil
    case .compare: break
    }
    let challenge = try transaction.codeChallenge(at: bucket.codePlace(for: .passwordReset))
    let verdict = challenge?.verdict(
      on: typedMAC, forClient: reset.client, proofKeyThumbprint: reset.codeKey, at: now)
    guard let challenge, verdict == .compare else {
      try refuse(.resetCodeExpired)
      throw Refusal.otpExpired(
        authSession: nil, resendAt: challenge?.resendAt, superseded: verdict?.supersededCode)
    }
    try throttling.prepareAnswer(from: account, transaction)
    if let refusal = try throttling.admitAnswer(about: account?.id, at: now, transaction) {
      throw refusal
    }
    // A code that was never sent is never right, even if the person guesses it.
    guard ConstantTime.equal(challenge.mac, typedMAC), let account, account.status == .active,
      client.roles.contains(account.role), account.phone != nil
    else { throw try wrong(locks, bucket, transaction) }
    try throttling.takeBackFailure(countedAt: now, transaction)
    if let refusal = NewPassword.refusal(
      ofNormalized: answer.password, about: [account.email?.text ?? "", account.name, "Fieldpass"]
    ) {
      try refuse(.newPasswordRefused)
      throw Refusal(refusal)
    }
    let effect = own.resetMode(for: account).effect(onKnownDevice: bucket.hasProvedPassword)
    if effect == .refused { throw Refusal.resetByAdministrator }
    guard let passwordHash else { return .changed }
    try transaction.save(challenge.consumed())
    try throttling.completed(
      account, sentAt: try challenge.sentAt(under: client.policy.code, transaction),
      at: now, transaction
    )
    let verified = try transaction.verifyPhone(of: account, with: challenge, by: caller, at: now)
    if effect == .afterWaiting {
      return try wait(verified, passwordHash, transaction)
    }
    try complete(verified, passwordHash, transaction)
    return .changed
  }

  /// Saves the new password as waiting.
  ///
  /// It replaces an earlier waiting password, and the waiting time begins again.
  private func wait(
    _ account: Account, _ passwordHash: String,
    _ transaction: any EventRecords & OutboxRecords & PasswordResetRecords & WaitingPasswordRecords
  ) throws(StoreFault) -> PasswordResetResult {
    let end = now.adding(seconds: own.policy[.passwordResetWait])
    try transaction.save(
      WaitingPassword(
        account: account.id, client: client.id, passwordHash: passwordHash, requestedAt: now,
        availableAt: end
      )
    )
    try transaction.removePasswordResets(of: account.id)
    try transaction.record(
      .resetWaiting, about: account.id, detail: "\(end.seconds)", by: caller, at: now
    )
    try notice.send(.passwordWaiting(until: end), to: account, of: own, transaction)
    return .waiting(availableAt: end)
  }

  private var caller: Caller {
    Caller(client: client.id, peer: answer.peer, proofKeyThumbprint: answer.proofKeyThumbprint)
  }

  private var throttling: Throttling {
    Throttling(client: client, caller: caller, keyring: keyring, limitsOrigins: throttlesOrigins)
  }

  private var typedMAC: [UInt8] {
    keyring.mac(ofTyped: answer.code, account: reset.account, for: .passwordReset)
  }

  private func wrong(
    _ locks: ResetLockout, _ bucket: FailureBucket, _ transaction: any EventRecords & LockoutRecords
  ) throws(StoreFault) -> Refusal {
    var locks = locks
    let verdict = locks.countWrong(
      at: now, under: client.policy.lockout, by: bucket.sharedBucketName)
    try transaction.save(locks, in: bucket)
    try transaction.record(
      .resetCodeRefused, leadingTo: verdict, about: bucket.existingAccount, by: caller, at: now
    )
    switch verdict {
    case .locked, .stopped: return .lockedOut(locks.resets, at: now, under: client.policy.lockout)
    case .compare, .wait:
      return .invalidOTP(attemptsLeft: locks.attemptsLeft(under: client.policy.lockout))
    }
  }

  private func complete(
    _ account: Account, _ passwordHash: String,
    _ transaction: any OutboxRecords & PasswordReplacementRecords
  ) throws(StoreFault) {
    try transaction.record(.passwordReset, about: account.id, by: caller, at: now)
    // The same event is recorded without a code when a waiting password takes effect.
    try transaction.count(.codesEntered, times: 1, on: CalendarDay(now), of: account.id)
    try transaction.replacePassword(of: account, with: passwordHash, by: caller, at: now)
    try notice.send(.passwordChanged, to: account, of: own, transaction)
  }
}

extension Refusal {
  init(_ refusal: NewPassword.Refusal) {
    switch refusal {
    case .tooShort: self = .passwordTooShort(least: NewPassword.leastCodePoints)
    case .tooLong: self = .passwordTooLong(limit: NewPassword.byteLimit)
    case .tooCommon: self = .passwordTooCommon
    }
  }
}

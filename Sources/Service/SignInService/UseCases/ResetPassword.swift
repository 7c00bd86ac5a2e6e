import Cryptography
public import SignInModel
import SignInRules
public import SignInWire

/// A code from a text message, and the password that is to hold from now on.
public struct PasswordResetAnswer: Sendable {
  public let resetSession: String
  public let code: String
  public let password: Secret
  /// RFC 7638 thumbprint of the device's key, if it proved one.
  public let proofKeyThumbprint: String?
  /// The network address the call came from, nil when no network was between.
  public let peer: String?

  public init(
    resetSession: String, code: String, password: Secret, proofKeyThumbprint: String?,
    peer: String?
  ) {
    self.resetSession = resetSession
    self.code = code
    self.password = password
    self.proofKeyThumbprint = proofKeyThumbprint
    self.peer = peer
  }
}

/// Sets a new password, opens the account and ends every session of it (T-11).
///
/// The code is compared before the password is hashed, for hashing is dear, and again when it is
/// spent. A password that may not be one is refused before the code is spent.
public func resetPassword(
  _ answer: PasswordResetAnswer, in world: World
) async -> Outcome<Bool> {
  if let refusal = NewPassword.refusal(of: answer.password.revealed, about: []) {
    return .refusal(ErrorAnswer(refusal))
  }
  switch await settle(answer, passwordHash: nil, in: world) {
  case .success: break
  case .refusal(let refusal): return .refusal(refusal)
  }
  let hash: String
  do throws(PasswordHashingFault) {
    hash = try await world.passwords.hash(answer.password)
  } catch {
    switch error {
    case .overloaded(let seconds): return .refusal(.overloaded(retrySeconds: seconds))
    }
  }
  return await settle(answer, passwordHash: hash, in: world)
}

private enum Settled { case right, othersCompared }

/// Compares the code, and spends it when there is a hash to set; waits while others are compared.
private func settle(
  _ answer: PasswordResetAnswer, passwordHash: String?, in world: World
) async -> Outcome<Bool> {
  for _ in 0..<SignInLimits.waitTries {
    let now = world.clock.now()
    let outcome: Outcome<Settled> = await world.decide { (transaction) throws(StoreFault) in
      guard
        let reset = try transaction.passwordReset(
          digest: DatedHandle.digest(of: answer.resetSession)
        ), now < reset.expiresAt, let client = world.clients[reset.client],
        reset.proofKeyThumbprint == nil || reset.proofKeyThumbprint == answer.proofKeyThumbprint
      else { return .refusal(ErrorAnswer(.invalidSession, "start again")) }
      let account = try transaction.account(reset.account)
      let policy = try world.policy(
        of: client, asked: nil,
        account: account.flatMap { client.roles.contains($0.role) ? $0 : nil }, isProved: false,
        transaction
      )
      let step = ResetStep(
        reset: reset, answer: answer, client: policy, keyring: world.keyring,
        throttlesOrigins: world.throttlesOrigins, now: now
      )
      return try step.settle(passwordHash: passwordHash, transaction)
    }
    switch outcome {
    case .success(.right): return .success(true)
    case .success(.othersCompared):
      await world.clock.pause(milliseconds: SignInLimits.waitMilliseconds)
    case .refusal(let refusal): return .refusal(refusal)
    }
  }
  return .refusal(.overloaded(retrySeconds: 1))
}

/// One answer to a reset whose session stands.
private struct ResetStep {
  let reset: PasswordReset
  let answer: PasswordResetAnswer
  let client: AppClient
  let keyring: Keyring
  let throttlesOrigins: Bool
  let now: Instant

  func settle(
    passwordHash: String?, _ transaction: any Transaction
  ) throws(StoreFault) -> Outcome<Settled> {
    let account = try transaction.account(reset.account)
    func record(_ code: SecurityEvent.Code) throws(StoreFault) {
      try transaction.record(code, about: account?.id, by: caller, at: now)
    }
    let locks = try transaction.resetLockout(reset.account)
    switch locks.verdict(at: now, under: client.lockout) {
    case .locked, .stopped:
      try record(.resetRefusedLocked)
      return .refusal(.resting(locks.resets, at: now, under: client.lockout))
    case .wait: return .success(.othersCompared)
    case .compare: break
    }
    let challenge = try transaction.codeChallenge(reset.account, for: .passwordReset)
    guard let challenge, challenge.isLive(at: now), !challenge.wasSuperseded(typedMAC) else {
      try record(.resetCodeExpired)
      var refusal = ErrorAnswer(.otpExpired, "this code is over; ask for another")
      refusal.resendAt = challenge?.resendAt
      return .refusal(refusal)
    }
    if let refusal = try throttling.admitAnswer(about: account?.id, at: now, transaction) {
      return .refusal(refusal)
    }
    // A code that was never sent is right for nobody, whoever may guess it.
    guard ConstantTime.equal(challenge.mac, typedMAC), let account, account.status == .active,
      client.roles.contains(account.role)
    else { return .refusal(try wrong(locks, account?.id, transaction)) }
    try throttling.takeBackFailure(countedAt: now, transaction)
    if let refusal = NewPassword.refusal(
      of: answer.password.revealed, about: [account.email?.text ?? "", account.name, "Fieldpass"]
    ) {
      try record(.newPasswordRefused)
      return .refusal(ErrorAnswer(refusal))
    }
    guard let passwordHash else { return .success(.right) }
    try transaction.save(challenge.consumed())
    try throttling.completed(
      to: account.phone, sentAt: try challenge.sentAt(under: client.code, transaction),
      at: now, transaction
    )
    try complete(account, passwordHash, transaction)
    return .success(.right)
  }

  private var caller: Caller {
    Caller(client: client.id, peer: answer.peer, proofKeyThumbprint: answer.proofKeyThumbprint)
  }

  private var throttling: Throttling {
    Throttling(client: client, caller: caller, keyring: keyring, holdsOrigins: throttlesOrigins)
  }

  /// A text that is no code at all is a wrong answer like any other; its MAC matches nothing.
  private var typedMAC: [UInt8] {
    do throws(Malformed) {
      let code = try OneTimeCode(parsing: answer.code)
      return keyring.mac(of: code, account: reset.account, for: .passwordReset)
    } catch {
      return []
    }
  }

  private func wrong(
    _ locks: ResetLockout, _ account: AccountID?, _ transaction: any Transaction
  ) throws(StoreFault) -> ErrorAnswer {
    var locks = locks
    let verdict = locks.countWrong(at: now, under: client.lockout)
    try transaction.save(locks, for: reset.account)
    try transaction.record(
      .resetCodeRefused, leadingTo: verdict, about: account, by: caller, at: now
    )
    switch verdict {
    case .locked, .stopped: return .resting(locks.resets, at: now, under: client.lockout)
    case .compare, .wait:
      var refusal = ErrorAnswer(.invalidOTP, "wrong code")
      refusal.attemptsLeft = locks.triesLeft(under: client.lockout)
      return refusal
    }
  }

  /// Whoever knew the old password loses all that it gave: sessions, sign-ins half done, and the
  /// tries of a device that is known.
  private func complete(
    _ account: Account, _ passwordHash: String, _ transaction: any Transaction
  ) throws(StoreFault) {
    var account = account
    account.passwordHash = passwordHash
    try transaction.update(account)
    try transaction.save(.open, for: ResetLockout.key(account.id))
    try transaction.open(account.id, forgettingDevices: true)
    try transaction.removeSignInAttempts(of: account.id)
    try transaction.removePasswordResets(of: account.id)
    try transaction.record(.passwordReset, about: account.id, by: caller, at: now)
    for session in try transaction.sessions(of: account.id) where session.end == nil {
      try end(session.id, because: .passwordChanged, by: caller, at: now, transaction)
    }
  }
}

extension CodeChallenge {
  /// Whether this is a code that another one took the place of.
  fileprivate func wasSuperseded(_ mac: [UInt8]) -> Bool {
    supersededMACs.contains { ConstantTime.equal($0, mac) }
  }
}

extension ErrorAnswer {
  init(_ refusal: NewPassword.Refusal) {
    switch refusal {
    case .tooShort:
      self.init(.passwordTooShort, "at least \(NewPassword.leastCodePoints) characters")
    case .tooLong: self.init(.passwordTooLong, "at most \(NewPassword.byteLimit) bytes")
    case .tooCommon: self.init(.passwordTooCommon, "among the first that are guessed")
    }
  }
}

import Cryptography
import SignInModel
import SignInRules
public import SignInWire

/// The wish of somebody who forgot the password of this account (T-11).
public struct PasswordResetRequest: Sendable {
  public internal(set) var client: AppClient
  /// As it was typed: a text that is no e-mail address is an account that does not exist.
  public let username: String
  /// RFC 7638 thumbprint of the device's key, if it proved one: then only it may go on.
  public let proofKeyThumbprint: String?
  /// The network address the call came from, nil when no network was between.
  public let peer: String?
  /// In which languages the person wants to be written to, the dearest first.
  public var languages: [String] = []

  public init(client: AppClient, username: String, proofKeyThumbprint: String?, peer: String?) {
    self.client = client
    self.username = username
    self.proofKeyThumbprint = proofKeyThumbprint
    self.peer = peer
  }

  var caller: Caller {
    Caller(client: client.id, peer: peer, proofKeyThumbprint: proofKeyThumbprint)
  }
}

/// Sends a code that allows to set a new password.
///
/// Where an app conceals who has an account, everybody gets an answer of the same form, with the
/// same waits and locks; only who has an account gets a message (T-03, L-05). So a number or a
/// budget that has had enough gets none either, and nobody is told (L-16).
public func requestPasswordReset(
  _ request: PasswordResetRequest, in world: World
) async -> Outcome<ResetAnswer> {
  guard request.client.signIn == .passwordAndCode else {
    return .refusal(ErrorAnswer(.unauthorizedClient, "this app knows no passwords"))
  }
  let now = world.clock.now()
  let email = parsedEmail(request.username)
  let identifier = email?.text ?? request.username
  let found: Outcome<Account?> = await world.look { (transaction) throws(StoreFault) in
    guard let email else { return .success(nil) }
    return .success(try transaction.account(email: email))
  }
  let account: Account?
  switch found {
  case .success(let known): account = known
  case .refusal(let refusal): return .refusal(refusal)
  }
  let sending = CodeSending(
    to: account?.phone ?? world.keyring.decoyPhone(identifier), purpose: .passwordReset,
    languages: request.languages, at: now, in: world
  )
  let subject = ResetSubject(
    id: account?.id ?? world.keyring.stranger(identifier), account: account,
    roles: request.client.roles
  )
  let outcome: Outcome<ResetAnswer> = await world.decide { (transaction) throws(StoreFault) in
    // Read again: an administrator may have come between (L-17).
    let subject = subject.now(try transaction.account(subject.id))
    var request = request
    request.client = try world.policy(
      of: request.client, asked: nil, account: subject.isEntitled ? subject.account : nil,
      isProved: false, transaction
    )
    let throttling = world.throttling(for: request.client, by: request.caller)
    return try begin(request, subject, sending, at: now, throttling, transaction)
  }
  world.outboxRung()
  return outcome
}

/// Whose password is to be reset, perhaps nobody's.
private struct ResetSubject: Sendable {
  /// The account's identifier, or what stands for one that does not exist.
  let id: AccountID
  let account: Account?
  /// Whose accounts may use the app.
  ///
  /// An account of another app is met under its own name too: what one app answers must not tell
  /// through another whether the account exists.
  let roles: [Account.Role]

  /// Whether a code may be sent: also to who has no password yet, or none any more, for this is
  /// how they choose one when an administrator made or reset the account.
  var isEntitled: Bool {
    guard let account else { return false }
    return account.status == .active && roles.contains(account.role)
  }

  func now(_ account: Account?) -> ResetSubject {
    ResetSubject(id: id, account: account, roles: roles)
  }
}

private func begin(
  _ request: PasswordResetRequest, _ subject: ResetSubject, _ sending: CodeSending,
  at now: Instant, _ throttling: Throttling, _ transaction: any Transaction
) throws(StoreFault) -> Outcome<ResetAnswer> {
  let client = request.client
  func record(_ code: SecurityEvent.Code) throws(StoreFault) {
    try transaction.record(code, about: subject.account?.id, by: request.caller, at: now)
  }
  if !subject.isEntitled, client.disclosure == .disclosed {
    try record(.refusedUnregistered)
    return .refusal(ErrorAnswer(.accountNotRegistered))
  }
  let locks = try transaction.resetLockout(subject.id)
  switch locks.verdict(at: now, under: client.lockout) {
  case .locked, .stopped:
    try record(.resetRefusedLocked)
    return .refusal(.resting(locks.resets, at: now, under: client.lockout))
  case .compare, .wait: break
  }

  let challenge: CodeChallenge
  let earlier = try transaction.codeChallenge(subject.id, for: .passwordReset)
  if let earlier, earlier.isCoolingDown(at: now) {
    challenge = earlier
  } else {
    if let refusal = try throttling.admitWish(
      about: subject.account?.id, at: now, transaction
    ) {
      return .refusal(refusal)
    }
    challenge = try send(
      sending, to: subject, of: client, inPlaceOf: earlier, at: now, throttling, transaction
    )
  }
  try transaction.insert(
    PasswordReset(
      digest: DatedHandle.digest(of: sending.authSession), account: subject.id, client: client.id,
      proofKeyThumbprint: request.proofKeyThumbprint,
      expiresAt: now.adding(seconds: SignInLimits.attemptSeconds)
    )
  )
  try record(.resetRequested)
  return .success(
    ResetAnswer(
      resetSession: Secret(sending.authSession),
      challenge: CodePrompt(
        challenge, to: sending.phone, triesLeft: locks.triesLeft(under: client.lockout)
      )
    )
  )
}

private func send(
  _ sending: CodeSending, to subject: ResetSubject, of client: AppClient,
  inPlaceOf earlier: CodeChallenge?, at now: Instant, _ throttling: Throttling,
  _ transaction: any Transaction
) throws(StoreFault) -> CodeChallenge {
  // Bound to no device: anybody may ask, and must not take the code away from who asked first.
  // The reset session is what only one device holds.
  let mac = throttling.keyring.mac(
    of: sending.code(under: client), account: subject.id, for: .passwordReset
  )
  let challenge = CodeChallenge.sent(
    id: sending.challengeID, account: subject.id, client: client.id, proofKeyThumbprint: "",
    mac: mac, inPlaceOf: earlier, at: now, under: client.code, purpose: .passwordReset
  )
  try transaction.save(challenge)
  let message = sending.intended(
    for: subject.isEntitled ? subject.account : nil, asked: nil, under: client
  )
  let isAdmitted = try throttling.admitsQuietly(message, at: now, transaction)
  try transaction.insert(
    sending.message(
      under: client, until: challenge.expiresAt, paidBy: message.organization, at: now,
      isDecoy: !subject.isEntitled || !isAdmitted
    )
  )
  return challenge
}

extension LockoutRecords {
  func resetLockout(_ account: AccountID) throws(StoreFault) -> ResetLockout {
    ResetLockout(
      account: try lockout(account.text), resets: try lockout(ResetLockout.key(account))
    )
  }

  func save(_ locks: ResetLockout, for account: AccountID) throws(StoreFault) {
    try save(locks.account, for: account.text)
    try save(locks.resets, for: ResetLockout.key(account))
  }
}

extension ResetLockout {
  /// No account's identifier, and no stranger's, begins like this.
  static func key(_ account: AccountID) -> String { "reset|\(account.text)" }
}

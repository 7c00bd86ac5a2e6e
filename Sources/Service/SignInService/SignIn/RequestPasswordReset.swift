import Cryptography
import SignInModel
import SignInRules
public import SignInWire

/// A request for a new password for an account (T-11).
public struct PasswordResetRequest: Sendable {
  public let client: AppRegistration
  /// The text that the user typed.
  ///
  /// A text that is no e-mail address is an unknown account.
  public let username: String
  /// The RFC 7638 thumbprint of the device's key, if it proved one.
  ///
  /// If there is one, only that key can continue the reset.
  public let proofKeyThumbprint: String?
  /// The network address of the sender; nil for a call that did not use a network.
  public let peer: String?
  /// The languages for messages to the person, the preferred one first.
  public var languages: [String] = []

  public init(client: AppRegistration, username: String, proofKeyThumbprint: String?, peer: String?)
  {
    self.client = client
    self.username = username
    self.proofKeyThumbprint = proofKeyThumbprint
    self.peer = peer
  }

  var caller: Caller {
    Caller(client: client.id, peer: peer, proofKeyThumbprint: proofKeyThumbprint)
  }
}

/// Sends a code with which the person can set a new password.
///
/// In a concealed app, known and unknown accounts get an answer of the same form, with the same
/// waiting times and lockouts. Only a known account gets a message (T-03, L-05). If a number or a
/// budget has reached its limit, no message is sent either, and the answer does not show this
/// (L-16).
public func requestPasswordReset(
  _ request: PasswordResetRequest, in world: World
) async throws(Refusal) -> ResetAnswer {
  guard request.client.signIn == .passwordAndCode else {
    throw Refusal.noPasswords
  }
  let identifier = UnknownIdentifier(typed: request.username)
  let found: Account? = try await world.read { (transaction: any AccountRecords) throws in
    guard let email = identifier.email else { return nil }
    return try transaction.account(email: email)
  }
  let account = found
  let role = account?.role ?? world.keyring.decoyRole(identifier)
  let isOfApp = request.client.roles.contains(role)
  // Only a known device of the account sees digits of the number, and only in an app that the
  // account may use.
  let phone = isOfApp ? account?.phone : nil
  let sending = CodeSending(
    to: phone ?? world.keyring.decoyPhone(identifier.text),
    languages: request.languages, at: world.clock.now(), in: world
  )
  let subject = ResetSubject(
    id: account?.id ?? world.keyring.unknownAccount(identifier), account: account,
    phone: phone, roles: request.client.roles
  )
  let step = ResetRequestStep(request: request, sending: sending, world: world)
  defer { world.messageRecorded() }
  return try await world.decide(about: [.account(subject.id)]) {
    (transaction: any AccountRecords & ResetRequestStep.Records) throws in
    // Read the account again, because an administrator may have changed it in the meantime (L-17).
    try step.begin(subject.now(try transaction.account(subject.id)), transaction)
  }
}

/// The known or unknown account of a reset request.
private struct ResetSubject: Sendable {
  /// The account's identifier, or the one that represents an unknown account.
  let id: AccountID
  let account: Account?
  /// The number for which the code was prepared; `nil` for a decoy.
  let phone: PhoneNumber?
  /// The roles that may use the app.
  ///
  /// An account without such a role is counted under its own identifier, too, so that the answers
  /// of one app do not reveal through another whether the account exists. So is an account without
  /// a phone number, because its wrong passwords are counted there.
  let roles: [AccountRole]

  /// Whether only an administrator may reset this account, although other accounts of the app can
  /// be reset with a code.
  var needsAdministrator = false

  /// Whether the account may use the app.
  ///
  /// An account without a password may, too. An account without a phone number may not, because no
  /// code can be sent to it.
  var isEntitled: Bool {
    guard let account, account.phone != nil else { return false }
    return account.status == .active && roles.contains(account.role)
  }

  /// Whether a code is sent.
  ///
  /// Without one the answer looks the same, and no code is right. A code that was prepared for a
  /// number that an administrator has replaced is not sent.
  var isSentCode: Bool { isEntitled && !needsAdministrator && account?.phone == phone }

  /// Decides by the account's role, and by the policy of its own organization.
  func needsAdministrator(
    of client: AppRegistration, in world: World, _ transaction: any PolicyRecords
  ) throws(StoreFault) -> Bool {
    guard let account else { return false }
    let app = try world.registration(
      of: client, asked: nil, account: account, isProved: true, transaction
    )
    return app.resetMode(for: account) == .administrator
  }

  func now(_ account: Account?) -> ResetSubject {
    ResetSubject(id: id, account: account, phone: phone, roles: roles)
  }
}

private struct ResetRequestStep: Sendable {
  typealias Records =
    CodeRecords & KnownDeviceRecords & LockoutRecords & OutboxRecords & PasswordResetRecords
    & PolicyRecords & Throttling.Records

  let request: PasswordResetRequest
  let sending: CodeSending
  let world: World

  private var now: Instant { sending.now }

  func begin(
    _ found: ResetSubject, _ transaction: any Records
  ) throws -> ResetAnswer {
    var subject = found
    subject.needsAdministrator = try subject.needsAdministrator(
      of: request.client, in: world, transaction
    )
    let client = try world.registration(
      of: request.client, asked: nil, account: subject.isEntitled ? subject.account : nil,
      isProved: false, transaction
    )
    func refuse(_ code: SecurityEvent.Code) throws(StoreFault) {
      try transaction.recordRefusal(code, about: subject.id, by: request.caller, at: now)
    }
    // This refusal is the same for every account, known or unknown.
    if client.resetMode == .administrator { throw Refusal.resetByAdministrator }
    var throttling = world.throttling(for: client, by: request.caller)
    if !subject.isEntitled, client.policy.disclosure == .disclosed {
      if let refusal = try throttling.admitMessageRequest(
        about: subject.account?.id, at: now, transaction)
      {
        throw refusal
      }
      try refuse(.refusedUnregistered)
      throw Refusal.accountNotRegistered
    }
    let bucket = try transaction.failureBucket(
      of: subject.id, device: request.proofKeyThumbprint, at: now)
    throttling = throttling.held(by: bucket)
    let locks = try transaction.resetLockout(in: bucket)
    switch locks.verdict(at: now, under: client.policy.lockout) {
    case .locked, .stopped:
      try refuse(.resetRefusedLocked)
      throw Refusal.lockedOut(locks.resets, at: now, under: client.policy.lockout)
    case .compare, .wait: break
    }
    let challenge = try challenge(for: subject, bucket, throttling, transaction)
    try transaction.begin(reset(of: subject.id))
    let left = locks.attemptsLeft(under: client.policy.lockout)
    return ResetAnswer(
      resetSession: sending.authSession,
      challenge: CodePrompt(
        challenge, to: bucket.device == nil ? nil : sending.phone, attemptsLeft: left))
  }

  /// The code that waits for this device or another one, or a new one.
  private func challenge(
    for subject: ResetSubject, _ bucket: FailureBucket, _ throttling: Throttling,
    _ transaction: any CodeRecords & OutboxRecords & PasswordResetRecords & Throttling.Records
  ) throws -> CodeChallenge {
    let place = bucket.codePlace(for: .passwordReset)
    let earlier = try transaction.codeChallenge(at: place)
    let isRepeated = earlier?.isCoolingDown(at: now) == true
    // A device that repeats its own request replaces a record. Every other request adds one.
    let isOwn = try hasOpenReset(of: subject.id, transaction)
    if !isRepeated || !isOwn,
      let refusal = try throttling.admitMessageRequest(
        about: subject.account?.id, at: now, transaction)
    {
      throw refusal
    }
    if let earlier, isRepeated {
      // If another device requested the code, this device sees the same waiting time, and no code
      // is right for it.
      try transaction.recordRefusal(
        .resetRequested, about: subject.id, by: request.caller, at: now)
      return earlier
    }
    try transaction.record(
      .resetRequested, about: subject.account?.id, by: request.caller, at: now)
    let due = DueCode(
      recipient: subject.isSentCode ? subject.account : nil, place: place,
      proofKeyThumbprint: reset(of: subject.id).codeKey, earlier: earlier)
    let challenge = sending.challenge(for: due, under: throttling.client)
    try transaction.save(challenge)
    let message = sending.intended(due, under: throttling.client)
    let isAdmitted = try throttling.admitsWithoutRefusal(message, at: now, transaction)
    try transaction.insert(
      sending.outboxMessage(message, challenge, under: throttling.client, isAdmitted: isAdmitted))
    return challenge
  }

  private func reset(of account: AccountID) -> PasswordReset {
    PasswordReset(
      digest: TimeOrderedHandle.digest(of: sending.authSession), account: account,
      client: request.client.id, proofKeyThumbprint: request.proofKeyThumbprint,
      expiresAt: now.adding(seconds: SignInLimits.attemptSeconds)
    )
  }

  /// Whether this device has an open reset of the account already.
  private func hasOpenReset(
    of account: AccountID, _ transaction: any PasswordResetRecords
  ) throws(StoreFault) -> Bool {
    guard let key = request.proofKeyThumbprint else { return false }
    let count = try transaction.passwordResetCount(
      of: account, proofKeyThumbprint: key, expiringAfter: now
    )
    return count > 0
  }
}

extension PasswordResetRecords {
  /// Inserts a reset, and removes the oldest open ones of the same device, so that repeated
  /// requests do not make the store grow (L-41).
  fileprivate func begin(_ reset: PasswordReset) throws(StoreFault) {
    try insert(reset)
    guard let key = reset.proofKeyThumbprint else { return }
    try removePasswordResets(
      of: reset.account, proofKeyThumbprint: key, keeping: SignInLimits.openResets
    )
  }
}

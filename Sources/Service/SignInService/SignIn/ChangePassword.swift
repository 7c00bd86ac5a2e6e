import Cryptography
public import SignInModel
import SignInRules
public import SignInWire

private typealias ReservationRecords =
  AccountRecords & KnownDeviceRecords & LockoutRecords & Throttling.Records

/// A signed-in person's request to change the password.
public struct PasswordChange: Sendable {
  public let access: Access
  public let current: Secret
  public let new: Secret
  /// The network address of the sender; nil for a call that did not use a network.
  public let peer: String?
  /// The languages for the notice about the change.
  public var languages: [String] = []

  public init(access: Access, current: Secret, new: Secret, peer: String?) {
    self.access = access
    self.current = current
    self.new = new
    self.peer = peer
  }
}

/// Sets a new password for the account of a session, and ends its other sessions.
///
/// The current password is counted as a failure before it is compared, on the same counter as at
/// sign-in. So a stolen session gives no more tries than a sign-in page. The session of the request
/// does not end. A session that is limited to an organization is refused before the comparison.
public func changePassword(_ change: PasswordChange, in world: World) async throws(Refusal) -> Bool
{
  let account = change.access.account
  try await world.check(
    newPassword: change.new, about: [account.email?.text ?? "", account.name, "Fieldpass"])
  let reserved = try await reserve(change.access, peer: change.peer, in: world)
  let hash: String?
  do throws(PasswordHashingFault) {
    let isRight = try await world.isPassword(change.current, of: reserved.account)
    hash = isRight ? try await world.passwords.hash(change.new) : nil
  } catch {
    try await world.decide(about: [.account(account.id)]) {
      (transaction: any LockoutRecords & ThrottleRecords) throws in
      try reserved.release(transaction)
    }
    throw world.unavailable(because: error)
  }
  let now = world.clock.now()
  guard let hash else {
    return try await world.decide(about: [.account(account.id)]) {
      (transaction: any EventRecords & LockoutRecords) throws in
      throw try reserved.settleWrong(at: now, transaction)
    }
  }
  let notice = NoticeSending(languages: change.languages, at: now, in: world)
  defer { world.messageRecorded() }
  return try await world.decide(about: [.account(account.id)]) {
    (transaction: any PasswordChangeStep.Records) throws in
    try reserved.complete(with: hash, notice, at: now, in: world, transaction)
  }
}

/// Compares the password of a signed-in person, who is about to change the account.
///
/// It is counted like a wrong password of a sign-in. A person without a password must have signed
/// in a short time ago, because nothing else shows that it is not a stolen session. At a provider,
/// that is the moment when the person authenticated there, which can be long before the session.
func confirmPerson(
  of access: Access, password: Secret?, peer: String?, in world: World
) async throws(Refusal) {
  guard access.account.passwordHash != nil else {
    let recent = access.session.authenticationTime.adding(
      seconds: RevocableChange.recentSignInSeconds)
    guard world.clock.now() <= recent else { throw .recentSignInNeeded }
    return
  }
  guard let password else { throw .wrongCurrentPassword }
  let reserved = try await reserve(access, peer: peer, in: world)
  let isRight: Bool
  do throws(PasswordHashingFault) {
    isRight = try await world.isPassword(password, of: reserved.account)
  } catch {
    try await world.decide(about: [.account(access.account.id)]) {
      (transaction: any LockoutRecords & ThrottleRecords) throws in
      try reserved.release(transaction)
    }
    throw world.unavailable(because: error)
  }
  let now = world.clock.now()
  try await world.decide(about: [.account(access.account.id)]) {
    (transaction: any EventRecords & LockoutRecords & ThrottleRecords) throws in
    guard isRight else { throw try reserved.settleWrong(at: now, transaction) }
    try reserved.release(transaction)
  }
}

/// Counts the answer.
///
/// If all tries are reserved by other requests, it waits.
private func reserve(
  _ access: Access, peer: String?, in world: World
) async throws(Refusal) -> PasswordChangeStep {
  let (session, client) = (access.session, access.client)
  let caller = access.caller(peer: peer)
  return try await world.waitingForOthers { now throws(Refusal) in
    try await world.decide(about: [.account(session.account)]) {
      (transaction: any ReservationRecords) throws in
      guard let account = try transaction.account(session.account) else {
        throw Refusal.tokenOfEndedSession
      }
      try world.checkWholeAccount(session, account)
      let bucket = try transaction.failureBucket(
        of: account.id, device: session.proofKeyThumbprint, at: now
      )
      let throttling = world.throttling(for: client, by: caller).held(by: bucket)
      var counter = try transaction.failures(in: bucket)
      switch counter.reserve(at: now, under: client.policy.lockout) {
      case .compare: break
      case .wait: return nil
      case .locked, .stopped:
        try transaction.recordRefusal(.refusedLocked, about: account.id, by: caller, at: now)
        throw Refusal.lockedOut(counter, at: now, under: client.policy.lockout)
      }
      if let refusal = try throttling.admitAnswer(about: account.id, at: now, transaction) {
        throw refusal
      }
      try transaction.save(counter, in: bucket)
      return PasswordChangeStep(
        account: account, session: session.id, bucket: bucket, countedAt: now,
        throttling: throttling
      )
    }
  }
}

/// A counted answer that was not settled yet.
private struct PasswordChangeStep: Sendable {
  typealias Records =
    OutboxRecords & SignOut.Records & ThrottleRecords

  let account: Account
  let session: SessionID
  let bucket: FailureBucket
  let countedAt: Instant
  let throttling: Throttling

  private var caller: Caller { throttling.caller }
  private var lockout: Lockout.Policy { throttling.client.policy.lockout }

  func settleWrong(
    at now: Instant, _ transaction: any EventRecords & LockoutRecords
  ) throws(StoreFault) -> Refusal {
    var counter = try transaction.failures(in: bucket)
    let verdict = counter.settleWrong(at: now, under: lockout)
    try transaction.save(counter, in: bucket)
    try transaction.record(
      .currentPasswordRefused, leadingTo: verdict, about: account.id, by: caller, at: now
    )
    switch verdict {
    case .locked, .stopped: return .lockedOut(counter, at: now, under: lockout)
    case .compare, .wait: return Refusal.wrongCurrentPassword
    }
  }

  /// Takes back the count of the reservation.
  func release(_ transaction: any LockoutRecords & ThrottleRecords) throws(StoreFault) {
    var counter = try transaction.failures(in: bucket)
    counter.settleRight()
    try transaction.save(counter, in: bucket)
    try throttling.takeBackFailure(countedAt: countedAt, transaction)
  }

  /// Sets the new password, and ends everything that the old one allowed, except the session of the
  /// request: other sessions, sign-ins and resets in progress, and the known state of other
  /// devices.
  func complete(
    with hash: String, _ notice: NoticeSending, at now: Instant, in world: World,
    _ transaction: any Records
  ) throws -> Bool {
    try release(transaction)
    // Read the account again, because an administrator or another device may have changed it in the
    // meantime (L-17).
    guard var current = try transaction.account(account.id), current.status == .active,
      let own = try transaction.session(session), own.end == nil
    else { throw Refusal.tokenOfEndedSession }
    try world.checkWholeAccount(own, current)
    guard current.passwordHash == account.passwordHash else {
      throw Refusal.wrongCurrentPassword
    }
    current.passwordHash = hash
    try transaction.update(current)
    try transaction.record(.passwordChanged, about: own, by: caller, at: now)
    try transaction.signOut(
      current.id, from: .everythingExcept(own), because: .passwordChanged, by: caller, at: now)
    try notice.send(.passwordChanged, to: current, of: throttling.client, transaction)
    return true
  }
}

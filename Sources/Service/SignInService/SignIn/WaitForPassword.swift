public import SignInModel
import SignInRules
public import SignInWire

/// Makes waiting passwords take effect when their time has come.
struct AvailablePassword: Sendable {
  typealias Records = OutboxRecords & PasswordReplacementRecords

  private let notice: NoticeSending
  private let clients: [ClientID: AppRegistration]
  private let now: Instant

  init(at now: Instant, in world: World) {
    notice = NoticeSending(at: now, in: world)
    clients = world.clients
    self.now = now
  }

  /// The account with the password that applies now.
  func settled(
    _ account: Account, _ transaction: any Records
  ) throws(StoreFault) -> Account {
    guard let waiting = try transaction.waitingPassword(of: account.id), waiting.isDue(at: now)
    else { return account }
    let caller = Caller(client: waiting.client, peer: nil, proofKeyThumbprint: nil)
    return try takeEffect(waiting, of: account, by: caller, transaction)
  }

  /// Makes the password take effect.
  ///
  /// The waiting password of an account that is not active is removed.
  func takeEffect(
    _ waiting: WaitingPassword, of account: Account, by caller: Caller,
    _ transaction: any Records
  ) throws(StoreFault) -> Account {
    guard account.status == .active else {
      try transaction.removeWaitingPassword(of: account.id)
      return account
    }
    try transaction.record(.passwordReset, about: account.id, by: caller, at: now)
    try transaction.replacePassword(
      of: account, with: waiting.passwordHash, by: caller, at: now
    )
    try notice.send(.passwordChanged, to: account, of: clients[waiting.client], transaction)
    return try transaction.account(account.id) ?? account
  }
}

/// Makes every waiting password take effect that is available now.
func settleDuePasswords(in world: World) async {
  let now = world.clock.now()
  let due: [WaitingPassword]
  do throws(Refusal) {
    due = try await world.read { (transaction: any WaitingPasswordRecords) throws in
      try transaction.waitingPasswords(availableAt: now, limit: SignInLimits.removalBatch)
    }
  } catch {
    return
  }
  guard !due.isEmpty else { return }
  for waiting in due {
    let settling = AvailablePassword(at: now, in: world)
    await world.record(about: [.account(waiting.account)]) {
      (transaction: any AvailablePassword.Records) throws in
      if let account = try transaction.account(waiting.account) {
        _ = try settling.settled(account, transaction)
      } else {
        try transaction.removeWaitingPassword(of: waiting.account)
      }
    }
  }
  world.messageRecorded()
}

/// Cancels the waiting password of the signed-in account.
///
/// A password that is already available takes effect instead, and the answer is that none waits. A
/// session that began without the password cannot cancel, because it may belong to another person
/// who has only the phone number.
public func cancelWaitingPassword(
  _ access: Access, peer: String?, in world: World
) async throws(Refusal) -> Bool {
  guard access.session.hasProvedPassword else {
    throw Refusal.passwordSignInNeeded
  }
  let now = world.clock.now()
  let (id, caller) = (access.account.id, access.caller(peer: peer))
  let due = AvailablePassword(at: now, in: world)
  defer { world.messageRecorded() }
  return try await world.decide(about: [.account(id)]) {
    (transaction: any AvailablePassword.Records) throws in
    guard let account = try transaction.account(id) else { throw Refusal.noWaitingPassword }
    _ = try due.settled(account, transaction)
    guard try transaction.waitingPassword(of: id) != nil else {
      throw Refusal.noWaitingPassword
    }
    try transaction.removeWaitingPassword(of: id)
    try transaction.record(.resetCancelled, about: id, by: caller, at: now)
    return true
  }
}

/// Approves the waiting password, so that it takes effect at once.
///
/// `availableAt` is the time that the administrator saw. If another password has replaced that one
/// in the meantime, it is not approved, because it may be another person's. Nil approves any
/// waiting password.
public func approveWaitingPassword(
  of id: AccountID, availableAt seen: Instant?, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> AccountEntry {
  let now = world.clock.now()
  let due = AvailablePassword(at: now, in: world)
  defer { world.messageRecorded() }
  return try await world.decide(about: [.account(id), rules.subject]) {
    (transaction: any AccountEntryRecords & AvailablePassword.Records) throws in
    let account = try transaction.account(id, changedBy: rules, needing: .support)
    guard let waiting = try transaction.waitingPassword(of: id),
      seen.map({ $0.seconds == waiting.availableAt.seconds }) ?? true
    else { throw Refusal.noWaitingPassword }
    try transaction.record(.accountResetApproved, about: id, by: rules, at: now)
    let changed = try due.takeEffect(waiting, of: account, by: rules.caller, transaction)
    return try changed.entry(at: now, transaction)
  }
}

/// Removes the waiting password.
public func rejectWaitingPassword(
  of id: AccountID, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> AccountEntry {
  let now = world.clock.now()
  return try await world.decide(about: [.account(id), rules.subject]) {
    (transaction: any AccountEntryRecords & AccountRecords & EventRecords) throws in
    let account = try transaction.account(id, changedBy: rules, needing: .support)
    guard let waiting = try transaction.waitingPassword(of: id), !waiting.isDue(at: now) else {
      throw Refusal.noWaitingPassword
    }
    try transaction.removeWaitingPassword(of: id)
    try transaction.record(.accountResetRejected, about: id, by: rules, at: now)
    return try account.entry(at: now, transaction)
  }
}

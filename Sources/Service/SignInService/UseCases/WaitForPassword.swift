public import SignInModel
import SignInRules
public import SignInWire

/// Lets waiting passwords take effect once their time has come.
struct DuePassword: Sendable {
  private let notice: NoticeSending
  private let clients: [ClientID: AppClient]
  private let now: Instant

  init(at now: Instant, in world: World) {
    notice = NoticeSending(at: now, in: world)
    clients = world.clients
    self.now = now
  }

  /// The account with the password that applies now.
  func settled(
    _ account: Account, _ transaction: any Transaction
  ) throws(StoreFault) -> Account {
    guard let waiting = try transaction.waitingPassword(of: account.id), waiting.isDue(at: now)
    else { return account }
    let caller = Caller(client: waiting.client, peer: nil, proofKeyThumbprint: nil)
    return try takeEffect(waiting, of: account, by: caller, transaction)
  }

  /// A password of an account that is not active any more is dropped.
  func takeEffect(
    _ waiting: WaitingPassword, of account: Account, by caller: Caller,
    _ transaction: any Transaction
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

/// Lets every password take effect whose time has come.
func settleDuePasswords(in world: World) async {
  let now = world.clock.now()
  let found: Outcome<[WaitingPassword]> = await world.look { (transaction) throws(StoreFault) in
    .success(
      try transaction.waitingPasswords(availableAt: now, limit: SignInLimits.removalBatch)
    )
  }
  guard case .success(let due) = found, !due.isEmpty else { return }
  for waiting in due {
    let settling = DuePassword(at: now, in: world)
    let _: Outcome<Bool> = await world.decide { (transaction) throws(StoreFault) in
      if let account = try transaction.account(waiting.account) {
        _ = try settling.settled(account, transaction)
      } else {
        try transaction.removeWaitingPassword(of: waiting.account)
      }
      return .success(true)
    }
  }
  world.outboxRung()
}

/// Cancels the password that waits for the signed-in person's account.
///
/// One whose time has come takes effect instead, and is not found. A session that began without the
/// password cannot cancel: it may be of the person who has only the phone number.
public func cancelWaitingPassword(
  _ access: Access, peer: String?, in world: World
) async -> Outcome<Bool> {
  guard access.session.hasProvedPassword else {
    return .refusal(ErrorAnswer(.insufficientScope, "sign in with the password to cancel"))
  }
  let now = world.clock.now()
  let (id, caller) = (access.account.id, access.caller(peer: peer))
  let due = DuePassword(at: now, in: world)
  let outcome: Outcome<Bool> = await world.decide { (transaction) throws(StoreFault) in
    guard let account = try transaction.account(id) else { return .refusal(.noWaitingPassword) }
    _ = try due.settled(account, transaction)
    guard try transaction.waitingPassword(of: id) != nil else {
      return .refusal(.noWaitingPassword)
    }
    try transaction.removeWaitingPassword(of: id)
    try transaction.record(.resetCancelled, about: id, by: caller, at: now)
    return .success(true)
  }
  world.outboxRung()
  return outcome
}

/// An administrator approves the password that waits: it takes effect at once.
///
/// `availableAt` is what the administrator saw. A password that took the place of that one in the
/// meantime is not approved: it may be another person's. Nil approves whichever waits.
public func approveWaitingPassword(
  of id: AccountID, availableAt seen: Instant?, keeper: AccountKeeper, in world: World
) async -> Outcome<AccountEntry> {
  let now = world.clock.now()
  let due = DuePassword(at: now, in: world)
  let outcome: Outcome<AccountEntry> = await world.decide { (transaction) throws(StoreFault) in
    let account: Account
    switch try transaction.account(id, changedBy: keeper, needing: .support) {
    case .success(let found): account = found
    case .refusal(let refusal): return .refusal(refusal)
    }
    guard let waiting = try transaction.waitingPassword(of: id),
      seen.map({ $0.seconds == waiting.availableAt.seconds }) ?? true
    else { return .refusal(.noWaitingPassword) }
    try transaction.record(.accountResetApproved, about: id, by: keeper, at: now)
    let changed = try due.takeEffect(waiting, of: account, by: keeper.caller, transaction)
    return .success(try changed.entry(at: now, transaction))
  }
  world.outboxRung()
  return outcome
}

/// An administrator drops the password that waits.
public func rejectWaitingPassword(
  of id: AccountID, keeper: AccountKeeper, in world: World
) async -> Outcome<AccountEntry> {
  let now = world.clock.now()
  return await world.decide { (transaction) throws(StoreFault) in
    let account: Account
    switch try transaction.account(id, changedBy: keeper, needing: .support) {
    case .success(let found): account = found
    case .refusal(let refusal): return .refusal(refusal)
    }
    guard let waiting = try transaction.waitingPassword(of: id), !waiting.isDue(at: now) else {
      return .refusal(.noWaitingPassword)
    }
    try transaction.removeWaitingPassword(of: id)
    try transaction.record(.accountResetRejected, about: id, by: keeper, at: now)
    return .success(try account.entry(at: now, transaction))
  }
}

extension ErrorAnswer {
  static var noWaitingPassword: ErrorAnswer {
    ErrorAnswer(.passwordResetNotFound, "no new password waits for this account")
  }

  static var resetByAdministrator: ErrorAnswer {
    ErrorAnswer(.resetByAdministrator, "an administrator resets passwords of this app")
  }
}

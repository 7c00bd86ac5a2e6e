public import SignInModel
import SignInRules
public import SignInWire

/// Approves, rejects, deactivates or reactivates an account (R-11, T-16).
///
/// Deactivation ends every session at once: the app is told why at its next call (T-04). An
/// administrator cannot deactivate the account they act with; a shell on the server can.
public func changeStatus(
  of id: AccountID, by transition: Account.Transition, keeper: AccountKeeper, in world: World
) async -> Outcome<AccountEntry> {
  let now = world.clock.now()
  return await world.decide { (transaction) throws(StoreFault) in
    let account: Account
    switch try transaction.account(id, changedBy: keeper, needing: .administrator) {
    case .success(let found): account = found
    case .refusal(let refusal): return .refusal(refusal)
    }
    switch try change(account, by: transition, keeper: keeper, at: now, transaction) {
    case .success(let changed): return .success(try changed.entry(at: now, transaction))
    case .refusal(let refusal): return .refusal(refusal)
    }
  }
}

extension Transaction {
  /// Why an account cannot be led to a status; nil when it can, or when none is asked for.
  func refusal(
    toMake status: Account.Status?, of account: Account, by keeper: AccountKeeper
  ) throws(StoreFault) -> ErrorAnswer? {
    guard let status else { return nil }
    guard account.status.transition(to: status) != nil else {
      return .illegal(from: account.status, "to \(status.rawValue)")
    }
    guard status == .deactivated else { return nil }
    if keeper.administrator == account.id {
      return ErrorAnswer(.ownAccount, "another administrator must do this")
    }
    return try isLastAdministrator(account) ? .lastAdministrator : nil
  }

  /// Leads an account to `status` by whichever transition leads there.
  func lead(
    _ account: Account, to status: Account.Status, keeper: AccountKeeper, at now: Instant
  ) throws(StoreFault) -> Outcome<Account> {
    guard let transition = account.status.transition(to: status) else {
      return .refusal(.illegal(from: account.status, "to \(status.rawValue)"))
    }
    return try change(account, by: transition, keeper: keeper, at: now, self)
  }
}

private func change(
  _ account: Account, by transition: Account.Transition, keeper: AccountKeeper,
  at now: Instant, _ transaction: any Transaction
) throws(StoreFault) -> Outcome<Account> {
  guard let status = account.status.after(transition) else {
    return .refusal(.illegal(from: account.status, "by \(transition.rawValue)"))
  }
  if let refusal = try transaction.refusal(toMake: status, of: account, by: keeper) {
    return .refusal(refusal)
  }
  var changed = account
  changed.status = status
  if changed != account {
    try transaction.update(changed)
    try transaction.record(transition.code, about: account.id, by: keeper, at: now)
  }
  if status == .deactivated {
    try transaction.removeWaysToReset(account.id)
    try transaction.forgetDevices(of: account.id, except: nil)
    try endSessions(
      of: account.id, because: .accountDeactivated, by: keeper.caller, at: now, transaction
    )
  }
  return .success(changed)
}

/// Opens a locked account for every device, and its way back by reset; the stop after one hundred
/// failures included.
public func unlockAccount(
  _ id: AccountID, keeper: AccountKeeper, in world: World
) async -> Outcome<AccountEntry> {
  let now = world.clock.now()
  return await world.decide { (transaction) throws(StoreFault) in
    let account: Account
    switch try transaction.account(id, changedBy: keeper, needing: .support) {
    case .success(let found): account = found
    case .refusal(let refusal): return .refusal(refusal)
    }
    try transaction.open(id, forgettingDevices: false)
    try transaction.record(.accountUnlocked, about: id, by: keeper, at: now)
    return .success(try account.entry(at: now, transaction))
  }
}

/// Takes an account out of the hands of whoever may have got hold of it: its lock is opened, every
/// session ends, and its password is forgotten.
///
/// Without `password` nobody knows one afterwards, the operator included: the person chooses theirs
/// with an invitation, or by Forgot password where the app lets them.
public func resetAccount(
  _ id: AccountID, password: Secret?, keeper: AccountKeeper, in world: World
) async -> Outcome<AccountEntry> {
  let now = world.clock.now()
  let words: [String]
  switch await showAccount(id, keeper: keeper, in: world) {
  case .success(let entry): words = [entry.name, entry.email ?? ""]
  case .refusal(let refusal): return .refusal(refusal)
  }
  let hash: String?
  switch await hashed(password, about: words, in: world) {
  case .success(let made): hash = made
  case .refusal(let refusal): return .refusal(refusal)
  }
  let notice = NoticeSending(at: now, in: world)
  let outcome: Outcome<AccountEntry> = await world.decide { (transaction) throws(StoreFault) in
    var account: Account
    switch try transaction.account(id, changedBy: keeper, needing: .support) {
    case .success(let found): account = found
    case .refusal(let refusal): return .refusal(refusal)
    }
    account.passwordHash = hash
    try transaction.update(account)
    try transaction.open(id, forgettingDevices: true)
    // Half a sign-in, or half a reset, may be in the same wrong hands.
    try transaction.removeSignInAttempts(of: id)
    try transaction.removeWaysToReset(id)
    try notice.send(
      hash == nil ? .passwordRemoved : .passwordChanged, to: account, of: nil, transaction)
    try transaction.record(.accountReset, about: id, by: keeper, at: now)
    try endSessions(
      of: id, because: .passwordChanged, by: keeper.caller, at: now, transaction
    )
    return .success(try account.entry(at: now, transaction))
  }
  world.outboxRung()
  return outcome
}

extension ErrorAnswer {
  fileprivate static func illegal(
    from status: Account.Status, _ wish: String
  ) -> ErrorAnswer {
    ErrorAnswer(.illegalTransition, "the account is \(status.rawValue): nothing leads \(wish)")
  }
}

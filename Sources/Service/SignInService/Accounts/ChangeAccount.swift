public import SignInModel
import SignInRules
public import SignInWire

private typealias AccountResetRecords = AccountEntryRecords & OutboxRecords & SignOut.Records

private typealias UnlockRecords =
  AccountEntryRecords & AccountRecords & EventRecords & KnownDevice.Records

/// Approves, rejects, deactivates or reactivates an account (R-11, T-16).
///
/// Deactivation ends every session at once, and the app gets the reason with its next request
/// (T-04). Administrators cannot deactivate their own account. A shell on the server can deactivate
/// any.
public func changeStatus(
  of id: AccountID, by transition: Account.Transition, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> AccountEntry {
  let now = world.clock.now()
  return try await world.decide(about: [.account(id), rules.subject]) {
    (transaction: any AccountStatusRecords) throws in
    let account = try transaction.account(id, changedBy: rules, needing: .administrator)
    let changed = try transaction.change(
      account, by: transition, because: nil, rules: rules, at: now)
    return try changed.entry(at: now, transaction)
  }
}

/// The records that a new status of an account changes.
typealias AccountStatusRecords = AccountEntryRecords & SignOut.Records

extension AccountRecords where Self: AccountStatusRecords {
  /// Refuses a status that the account cannot get.
  func check(
    _ status: AccountStatus, of account: Account, by rules: AccountEditingRules
  ) throws {
    guard account.status.transition(to: status) != nil else {
      throw Refusal.illegal(from: account.status, "it cannot become \(status.rawValue)")
    }
    guard status == .deactivated else { return }
    if rules.administrator == account.id { throw Refusal.ownAccount }
    if try isLastAdministrator(account) { throw Refusal.lastAdministrator }
  }

  /// Changes the status of an account to `status`, by the transition that leads there.
  func lead(
    _ account: Account, to status: AccountStatus, because reason: EventText?,
    rules: AccountEditingRules, at now: Instant
  ) throws -> Account {
    guard let transition = account.status.transition(to: status) else {
      throw Refusal.illegal(from: account.status, "it cannot become \(status.rawValue)")
    }
    return try change(account, by: transition, because: reason, rules: rules, at: now)
  }

  fileprivate func change(
    _ account: Account, by transition: Account.Transition, because reason: EventText?,
    rules: AccountEditingRules, at now: Instant
  ) throws -> Account {
    guard let status = account.status.after(transition) else {
      throw Refusal.illegal(from: account.status, "\(transition.rawValue) is not possible")
    }
    try check(status, of: account, by: rules)
    var changed = account
    changed.status = status
    if changed != account {
      try update(changed)
      if let reason { try save(reason) }
      let detail = rules.name + (reason.map { " " + $0.reference } ?? "")
      try record(
        transition.code, about: account.id, detail: detail, by: rules.caller, at: now)
    }
    if status != .active {
      try signOut(
        account.id, from: .deactivated, because: .accountDeactivated, by: rules.caller, at: now)
    } else if transition == .reactivate {
      try signOut(
        account.id, from: .everything, because: .accountDeactivated, by: rules.caller, at: now)
    }
    return changed
  }
}

/// Ends the lockout or the stop of an account for every device, and that of its resets.
public func unlockAccount(
  _ id: AccountID, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> AccountEntry {
  let now = world.clock.now()
  return try await world.decide(about: [.account(id), rules.subject]) {
    (transaction: any UnlockRecords) throws in
    let account = try transaction.account(id, changedBy: rules, needing: .support)
    try transaction.open(id, forgettingDevices: false)
    try transaction.record(.accountUnlocked, about: id, by: rules, at: now)
    return try account.entry(at: now, transaction)
  }
}

/// Secures an account that another person may have taken over: its lockout ends, its sessions end,
/// and its password is removed.
///
/// Without a new `password` the account has none afterwards. The person chooses one with an
/// invitation, or with Forgot password if the app allows it.
public func resetAccount(
  _ id: AccountID, password: Secret?, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> AccountEntry {
  let now = world.clock.now()
  let words: [String]
  let entry = try await showAccount(id, rules: rules, in: world)
  words = [entry.name, entry.email ?? ""]
  let hash = try await hashed(password, about: words, in: world)
  let notice = NoticeSending(at: now, in: world)
  defer { world.messageRecorded() }
  return try await world.decide(about: [.account(id), rules.subject]) {
    (transaction: any AccountResetRecords) throws in
    var account = try transaction.account(id, changedBy: rules, needing: .support)
    // The last administrator would have no way back, and a stolen session would lock its owner out.
    if rules.administrator == id { throw Refusal.ownAccount }
    account.passwordHash = hash
    try transaction.update(account)
    try transaction.open(id, forgettingDevices: true)
    try notice.send(
      hash == nil ? .passwordRemoved : .passwordChanged, to: account, of: nil, transaction)
    try transaction.record(.accountReset, about: id, by: rules, at: now)
    // The other person may also have begun a sign-in or a reset.
    try transaction.signOut(
      id, from: .everything, because: .passwordChanged, by: rules.caller, at: now)
    return try account.entry(at: now, transaction)
  }
}

extension Refusal {
  fileprivate static func illegal(
    from status: AccountStatus, _ consequence: String
  ) -> Refusal {
    Refusal.illegalTransition("the account is \(status.rawValue): \(consequence)")
  }
}

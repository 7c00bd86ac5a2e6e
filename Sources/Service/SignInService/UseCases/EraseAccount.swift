public import SignInModel
public import SignInWire

/// Erases a person: every record of the account, every message to it, and what the store's files
/// still held of them.
///
/// The security log keeps the account's identifier, which names a person who cannot be found any
/// more. Sessions that were open stay behind as ended, without personal data, so that their apps
/// are told (`account_deactivated`) and erase what they keep; they are removed when they expire.
/// Network addresses in the log go with the log's age.
///
/// The last global administrator is not erased, and no administrator erases the account they act
/// with.
///
/// - Returns: Whether the files hold nothing of it any more; if not, the store tries again by
///   itself (`removeWhatIsOver`).
public func eraseAccount(
  _ id: AccountID, keeper: AccountKeeper, in world: World
) async -> Outcome<Bool> {
  let now = world.clock.now()
  let outcome: Outcome<Set<Recipient>> = await world.decide { (transaction) throws(StoreFault) in
    let account: Account
    switch try transaction.account(id, changedBy: keeper, needing: .administrator) {
    case .success(let found): account = found
    case .refusal(let refusal): return .refusal(refusal)
    }
    if keeper.administrator == id {
      return .refusal(ErrorAnswer(.ownAccount, "another administrator must do this"))
    }
    if try transaction.isLastAdministrator(account) { return .refusal(.lastAdministrator) }
    var recipients: Set<Recipient> = [.phone(account.phone)]
    if let email = account.email { recipients.insert(.email(email)) }
    for message in try transaction.messages(of: id) { recipients.insert(message.to) }
    try transaction.erase(account, by: keeper, at: now)
    return .success(recipients)
  }
  switch outcome {
  case .success(let recipients): world.switchboard?.forget(recipients)
  case .refusal(let refusal): return .refusal(refusal)
  }
  return .success(await world.store.clearRemovedRecords())
}

extension Transaction {
  fileprivate func erase(
    _ account: Account, by keeper: AccountKeeper, at now: Instant
  ) throws(StoreFault) {
    var ended: [Session] = []
    for session in try openSessions(of: account.id) {
      try end(session, because: .accountDeactivated, by: keeper.caller, at: now, self)
      if let session = try self.session(session.id) { ended.append(session) }
    }
    _ = try removeAccount(account.id)
    for session in ended { try insert(session) }
    try record(.accountErased, about: account.id, by: keeper, at: now)
  }
}

public import SignInModel
public import SignInWire

private typealias ErasureRecords =
  DemoRecords & PersonRecords & SignOut.Records

/// Erases the personal data of an account: every record, every message to it, and the rest of them
/// in the store's files.
///
/// The security log still contains the account's identifier, but nothing links it to a person any
/// more. Open sessions are stored as ended, without personal data. So their apps get the reason
/// (`account_deactivated`) with the next request and erase their data. These sessions are removed
/// when they expire. Network addresses in the log are removed with its old events.
///
/// The last global administrator cannot be erased. Administrators cannot erase their own account.
///
/// - Returns: Whether the deleted data is removed from the files. If not, the store tries again
///   later (`removeExpiredRecords`).
public func eraseAccount(
  _ id: AccountID, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> Bool {
  let now = world.clock.now()
  let outcome: Set<Recipient> = try await world.decide(about: [.account(id), rules.subject]) {
    (transaction: any ErasureRecords) throws in
    let account = try transaction.account(id, changedBy: rules, needing: .administrator)
    if rules.administrator == id {
      throw Refusal.ownAccount
    }
    if try transaction.isLastAdministrator(account) { throw Refusal.lastAdministrator }
    var recipients: Set<Recipient> = []
    if let phone = account.phone { recipients.insert(.phone(phone)) }
    if let email = account.email { recipients.insert(.email(email)) }
    for message in try transaction.messages(of: id) { recipients.insert(message.to) }
    try transaction.erase(account, by: rules, at: now)
    return recipients
  }
  let recipients = outcome
  world.router?.forget(recipients)
  return await world.store.clearRemovedRecords()
}

extension SessionRecords where Self: DemoRecords & SignOut.Records {
  fileprivate func erase(
    _ account: Account, by rules: AccountEditingRules, at now: Instant
  ) throws(StoreFault) {
    let open = try openSessions(of: account.id)
    try signOut(
      account.id, from: .everything, because: .accountDeactivated, by: rules.caller, at: now)
    var ended: [Session] = []
    for session in open {
      if let session = try self.session(session.id) { ended.append(session) }
    }
    try removeAccount(account.id)
    for session in ended { try insert(session) }
    try record(.accountErased, about: account.id, by: rules, at: now)
  }
}

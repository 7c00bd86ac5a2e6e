public import SignInModel
public import SignInWire

private typealias ErasureRecords =
  ContactProposalRecords & DemoRecords & PersonRecords & RevocableChangeRecords & SignOut.Records

/// Erases the personal data of an account: every record, every message to it, and the rest of them
/// in the store's files.
///
/// What waits for an address of the account is erased too. If an administrator of single
/// organizations erases an account that has not proved an address, or its person asked for the
/// erasure, what waits for it stays, because it may be meant for another person.
///
/// The security log still contains the account's identifier, but nothing links it to a person any
/// more. Open sessions are stored as ended, without personal data. So their apps get the reason
/// (`account_deactivated`) with the next request and erase their data. These sessions are removed
/// when they expire. Network addresses in the log are removed with its old events.
///
/// The last global administrator cannot be erased. Administrators cannot erase their own account.
///
/// `request` is the request of the person, whose time has ended; nil for another reason. If it was
/// cancelled in the meantime, nothing happens.
///
/// - Returns: Whether the deleted data is removed from the files. If not, the store tries again
///   later (`removeExpiredRecords`).
public func eraseAccount(
  _ id: AccountID, rules: AccountEditingRules, requested request: RevocableChange? = nil,
  in world: World
) async throws(Refusal) -> Bool {
  let now = world.clock.now()
  var others: Set<AccountID> = []
  for _ in 0..<SignInLimits.waitTries {
    let subjects = [.account(id), rules.subject] + others.map(Subject.account)
    let erasure = try await world.decide(about: subjects) {
      [others] (transaction: any ErasureRecords) throws in
      try transaction.erase(id, by: rules, requested: request, about: others, at: now)
    }
    switch erasure {
    case .done(let recipients):
      world.router?.forget(recipients)
      return await world.store.clearRemovedRecords()
    case .cancelled: return true
    case .concerns(let accounts): others.formUnion(accounts)
    }
  }
  throw Refusal.overloaded(retrySeconds: 1)
}

private enum Erasure {
  case done(Set<Recipient>)
  case cancelled
  /// Nothing was written, because records of these accounts are to be removed, too.
  case concerns(Set<AccountID>)
}

extension Session {
  /// What the app needs to learn that the session has ended.
  fileprivate var withoutPersonalData: Session {
    var session = self
    (session.device, session.place) = (nil, nil)
    (session.provider, session.assurance, session.authenticatedAt) = (nil, nil, nil)
    return session
  }
}

extension AccountRecords where Self: ErasureRecords {
  /// The addresses and numbers that are the person's: the current ones, the former ones, and those
  /// that notices and proposals still contain.
  ///
  /// A value without a proof counts only if an administrator of everything, or an operator, erases
  /// the account: a person can type the address of another. A code is sent to any address, so it
  /// never counts. Those of another account are not among them.
  fileprivate func addresses(
    of account: Account, erasedBy rules: AccountEditingRules
  ) throws(StoreFault) -> Set<Recipient> {
    let permission = try rules.permission(self)
    let isEverything = !rules.isRequestOfPerson && permission.hasEverywhere(.administrator)
    var found = Set(account.contacts.filter { isEverything || account.proof(of: $0) != nil })
    for former in try formerContacts(of: account.id) where isEverything || former.proof != nil {
      found.insert(former.value)
    }
    for change in try revocableChanges(of: account.id) {
      guard let before = change.before, isEverything || before.proof != nil else { continue }
      found.insert(before.value)
    }
    if isEverything {
      for message in try messages(of: account.id)
      where message.account == account.id && message.kind == .notice {
        found.insert(message.to)
      }
      for proposal in try contactProposals(of: account.id) { found.insert(proposal.value) }
    }
    for recipient in found {
      let holders = try accounts(namedBy: AccountReference(recipient))
      if holders.contains(where: { $0.id != account.id }) { found.remove(recipient) }
    }
    return found
  }
}

extension AccountReference {
  fileprivate init(_ recipient: Recipient) {
    switch recipient {
    case .email(let address): self = .email(address)
    case .phone(let number): self = .phone(number)
    }
  }
}

extension SessionRecords where Self: ErasureRecords {
  /// Erases the account if the decision is about every account in `others` whose records are
  /// removed with it.
  fileprivate func erase(
    _ id: AccountID, by rules: AccountEditingRules, requested request: RevocableChange?,
    about others: Set<AccountID>, at now: Instant
  ) throws -> Erasure {
    if let request {
      guard try revocableChanges(of: id).contains(request) else { return .cancelled }
    }
    let account = try account(id, changedBy: rules, needing: .administrator)
    if rules.administrator == id || (request != nil && account.role == .administrator) {
      throw Refusal.ownAccount
    }
    if try isLastAdministrator(account) { throw Refusal.lastAdministrator }
    let addresses = try addresses(of: account, erasedBy: rules)
    let holders = try accounts(withRecordsFor: addresses).subtracting([id])
    guard holders.isSubset(of: others) else { return .concerns(holders) }
    try erase(account, addresses, by: rules, at: now)
    return .done(addresses.union(account.contacts))
  }

  private func erase(
    _ account: Account, _ addresses: Set<Recipient>, by rules: AccountEditingRules,
    at now: Instant
  ) throws(StoreFault) {
    let open = try openSessions(of: account.id)
    try signOut(
      account.id, from: .everything, because: .accountDeactivated, by: rules.caller, at: now)
    var ended: [Session] = []
    for session in open {
      if let session = try self.session(session.id) { ended.append(session.withoutPersonalData) }
    }
    try removeAccount(account.id, addresses: addresses)
    for session in ended { try insert(session) }
    try record(.accountErased, about: account.id, by: rules, at: now)
  }
}

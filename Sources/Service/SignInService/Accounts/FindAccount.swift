public import SignInModel
import SignInRules
public import SignInWire

/// One account, as administrators see it.
public func showAccount(
  _ id: AccountID, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> AccountEntry {
  let now = world.clock.now()
  return try await world.read { (transaction: any AccountEntryRecords & AccountRecords) throws in
    try transaction.account(id, readBy: rules).entry(at: now, transaction)
  }
}

/// The account that a reference names.
///
/// A shell uses it, because operators do not know identifiers.
public func findAccount(
  _ reference: AccountReference, in world: World
) async throws(Refusal) -> AccountID {
  if case .id(let id) = reference { return id }
  return try await world.read { (transaction: any AccountRecords) throws in
    let found = try transaction.accounts(namedBy: reference)
    guard let account = found.first else { throw Refusal.noSuchAccount }
    guard found.count == 1 else { throw Refusal.severalAccountsOfNumber }
    return account.id
  }
}

extension AccountRecords {
  /// The accounts that a reference names.
  public func accounts(namedBy reference: AccountReference) throws(StoreFault) -> [Account] {
    switch reference {
    case .id(let id): return try account(id).map { [$0] } ?? []
    case .email(let address): return try account(email: address).map { [$0] } ?? []
    case .phone(let number):
      var found: [Account] = []
      for role in AccountRole.allCases {
        if let account = try account(phone: number, role: role) { found.append(account) }
      }
      return found
    }
  }
}

extension Refusal {
  static let severalAccountsOfNumber = Refusal.invalidRequest(
    "several accounts have this number; give the identifier of one")
}

/// The accounts that match `query`, newest first, one page at a time.
public func listAccounts(
  _ query: AccountQuery, _ page: PageRequest<ListCursor>, rules: AccountEditingRules,
  in world: World
) async throws(Refusal) -> ListPage<AccountEntry, ListCursor> {
  let now = world.clock.now()
  return try await world.readLong(by: rules.administrator) {
    (transaction: any AccountEntryRecords & AccountRecords) throws in
    var query = query
    query.organizations = try rules.permission(transaction).organizations(with: .viewer)
    // The query is narrowed already.
    return try ListPage.narrowed(page, for: .everything) { (cursor, count) throws(StoreFault) in
      try transaction.accounts(query, after: cursor, limit: count)
    } cursor: {
      ListCursor(createdAt: $0.createdAt, id: $0.id.text)
    } isSeen: { _ in
      true
    }.map { (account) throws(StoreFault) in try account.entry(at: now, transaction) }
  }
}

/// The accounts with these identifiers, in this order.
///
/// Accounts that do not exist, or that the administrator may not see, are left out.
public func listAccounts(
  _ ids: [AccountID], rules: AccountEditingRules, in world: World
) async throws(Refusal) -> ListPage<AccountEntry, ListCursor> {
  guard ids.count <= AccountEntry.idLimit else {
    throw Refusal.invalidRequest("ids can have at most \(AccountEntry.idLimit) identifiers")
  }
  let now = world.clock.now()
  return try await world.read { (transaction: any AccountEntryRecords & AccountRecords) throws in
    let permission = try rules.permission(transaction)
    var entries: [AccountEntry] = []
    for id in ids {
      guard let account = try transaction.account(id), permission.sees(account) else { continue }
      entries.append(try account.entry(at: now, transaction))
    }
    return ListPage(entries: entries, cursor: nil)
  }
}

/// The records of an account's lockouts, its waiting password and its requested erasure.
typealias AccountEntryRecords =
  KnownDeviceRecords & LockoutRecords & RevocableChangeRecords & WaitingPasswordRecords

extension Account {
  /// The account with its current lockout.
  func entry(
    at now: Instant,
    _ transaction: any AccountEntryRecords
  ) throws(StoreFault) -> AccountEntry {
    let lockout = try transaction.lockout(LockoutKey(id))
    let devices = try transaction.locks(ofDevicesOf: id, at: now)
    let locks = devices + [lockout.lockedUntil].compactMap { $0 }.filter { now < $0 }
    var entry = AccountEntry(
      id: id, name: name, email: email?.text, phone: phone?.e164, role: role.rawValue,
      status: status.rawValue, organizations: organizations, hasPassword: passwordHash != nil,
      failuresInRow: lockout.failuresInRow,
      lockedUntil: locks.max(), lockedDevices: Int64(devices.count), createdAt: createdAt
    )
    entry.permissions = permission.entries
    entry.phoneUnverifiedSince = phoneChangedAt
    (entry.emailProof, entry.phoneProof) = (emailProof, phoneProof)
    if let waiting = try transaction.waitingPassword(of: id), !waiting.isDue(at: now) {
      entry.passwordAvailableAt = waiting.availableAt
    }
    entry.erasureAt = try transaction.revocableChanges(of: id).first(where: \.isDueErasure)?.endsAt
    return entry
  }
}

extension Permission {
  var entries: [PermissionEntry] {
    grants.map { PermissionEntry(level: $0.level.rawValue, organization: $0.organization) }
  }
}

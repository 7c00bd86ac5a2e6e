public import SignInModel
public import SignInWire

private typealias SignOutRecords =
  AccountRecords & EventRecords & KnownDevice.Records & SessionRecords & SignInRecords

/// The sessions of the signed-in account, newest first.
public func listOwnSessions(
  _ access: Access, in world: World
) async throws(Refusal) -> [SessionEntry] {
  let (id, current, now) = (access.account.id, access.session.id, world.clock.now())
  return try await world.read {
    (transaction: any AccountRecords & PolicyRecords & SessionRecords) throws in
    try sessions(of: id, current: current, at: now, in: world, transaction)
  }
}

/// The sessions of an account that have not ended, newest first.
///
/// `current` is marked.
public func listSessions(
  of id: AccountID, current: SessionID? = nil, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> [SessionEntry] {
  let now = world.clock.now()
  return try await world.read {
    (transaction: any AccountRecords & PolicyRecords & SessionRecords) throws in
    _ = try transaction.account(id, readBy: rules)
    return try sessions(of: id, current: current, at: now, in: world, transaction)
  }
}

private func sessions(
  of id: AccountID, current: SessionID?, at now: Instant, in world: World,
  _ transaction: any AccountRecords & PolicyRecords & SessionRecords
) throws(StoreFault) -> [SessionEntry] {
  var entries: [SessionEntry] = []
  for session in try transaction.openSessions(of: id) {
    guard
      case .continues = try world.use(
        of: session, in: world.clients[session.client], at: now, transaction)
    else { continue }
    var entry = SessionEntry(
      id: session.id, client: session.client, organization: session.organization,
      authenticationMethods: session.authenticationMethods, startedAt: session.startedAt,
      lastUsedAt: session.lastUsedAt, expiresAt: session.expiresAt,
      isCurrent: session.id == current, isBound: session.isBound
    )
    entry.device = session.device
    entry.place = session.place
    entries.append(entry)
  }
  return entries
}

/// Ends one of the account's own sessions.
///
/// If it has ended already, the answer is the same.
///
/// The device of another session is forgotten, because it may have been lost.
public func endOwnSession(
  _ id: SessionID, _ access: Access, peer: String?, in world: World
) async throws(Refusal) -> Bool {
  let (account, current) = (access.account.id, access.session.id)
  let (caller, now) = (access.caller(peer: peer), world.clock.now())
  return try await world.decide(about: [.account(account)]) {
    (transaction: any EventRecords & KnownDevice.Records & SessionRecords) throws in
    guard let session = try transaction.session(id), session.account == account else {
      throw Refusal.noSuchSession
    }
    let reason = id == current ? EndReason.signedOut : .revoked
    if id != current { try transaction.forgetDevice(of: session) }
    try end(id, because: reason, by: caller, at: now, transaction)
    return true
  }
}

/// Ends all of the account's own sessions, also the session of the request.
public func endOwnSessions(
  _ access: Access, peer: String?, in world: World
) async throws(Refusal) -> Int {
  let (account, current) = (access.account.id, access.session.id)
  let ownKey = access.session.proofKeyThumbprint
  let (caller, now) = (access.caller(peer: peer), world.clock.now())
  return try await world.decide(about: [.account(account)]) {
    (transaction: any EventRecords & KnownDevice.Records & SessionRecords) throws in
    try transaction.forgetDevices(of: account, except: ownKey)
    try end(current, because: .signedOut, by: caller, at: now, transaction)
    let others = try endSessions(of: account, because: .revoked, by: caller, at: now, transaction)
    return others + 1
  }
}

/// Ends every session of an account.
///
/// Administrators do this if a device was lost.
///
/// - Returns: The number of ended sessions.
public func endSessions(
  of id: AccountID, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> Int {
  let now = world.clock.now()
  return try await world.decide(about: [.account(id), rules.subject]) {
    (transaction: any SignOutRecords) throws in
    _ = try transaction.account(id, changedBy: rules, needing: .support)
    try transaction.record(.accountSignedOut, about: id, by: rules, at: now)
    try transaction.removeSignInAttempts(of: id)
    try transaction.forgetDevices(of: id, except: nil)
    return try endSessions(of: id, because: .revoked, by: rules.caller, at: now, transaction)
  }
}

/// Ends one session of an account, and forgets its device.
///
/// If it has ended already, the answer is the same.
public func endSession(
  _ session: SessionID, of id: AccountID, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> Bool {
  let now = world.clock.now()
  return try await world.decide(about: [.account(id), rules.subject]) {
    (transaction: any SignOutRecords) throws in
    _ = try transaction.account(id, changedBy: rules, needing: .support)
    guard let found = try transaction.session(session), found.account == id else {
      throw Refusal.noSuchSession
    }
    guard found.end == nil else { return true }
    let draft = EventDraft(
      code: .accountSessionEnded, account: id, session: session, detail: rules.name)
    try transaction.record(draft, by: rules.caller, at: now)
    try transaction.forgetDevice(of: found)
    try end(session, because: .revoked, by: rules.caller, at: now, transaction)
    return true
  }
}

/// Ends the sessions of an account that have not ended, and returns how many.
@discardableResult
func endSessions(
  of account: AccountID, because reason: EndReason, by caller: Caller, at now: Instant,
  _ transaction: any SessionRecords & EventRecords
) throws(StoreFault) -> Int {
  var count = 0
  for session in try transaction.openSessions(of: account) {
    try end(session, because: reason, by: caller, at: now, transaction)
    count += 1
  }
  return count
}

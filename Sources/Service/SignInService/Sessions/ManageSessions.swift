public import SignInModel
public import SignInWire

/// The sessions of the signed-in account, newest first.
///
/// A session that is limited to an organization shows those in it.
public func listOwnSessions(
  _ access: Access, in world: World
) async throws(Refusal) -> [SessionEntry] {
  let (id, current) = (access.account.id, access.session.id)
  let limit = world.limit(of: access.session, access.account)
  return try await world.read {
    (transaction: any AccountRecords & PolicyRecords & SessionRecords) throws in
    try sessions(of: id, within: limit, current: current, in: world, transaction)
  }
}

/// The sessions of an account that have not ended, newest first.
///
/// `current` is marked.
public func listSessions(
  of id: AccountID, current: SessionID? = nil, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> [SessionEntry] {
  try await world.read {
    (transaction: any AccountRecords & PolicyRecords & SessionRecords) throws in
    _ = try transaction.account(id, readBy: rules)
    return try sessions(of: id, within: nil, current: current, in: world, transaction)
  }
}

private func sessions(
  of id: AccountID, within limit: OrganizationID?, current: SessionID?, in world: World,
  _ transaction: any AccountRecords & PolicyRecords & SessionRecords
) throws(StoreFault) -> [SessionEntry] {
  let now = world.clock.now()
  var entries: [SessionEntry] = []
  for session in try transaction.openSessions(of: id) where session.isShown(within: limit) {
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
/// The device of another session is forgotten, because it may have been lost. A session that is
/// limited to an organization forgets none.
public func endOwnSession(
  _ id: SessionID, _ access: Access, peer: String?, in world: World
) async throws(Refusal) -> Bool {
  let (account, current) = (access.account.id, access.session.id)
  let (caller, now) = (access.caller(peer: peer), world.clock.now())
  let limit = world.limit(of: access.session, access.account)
  return try await world.decide(about: [.account(account)]) {
    (transaction: any SignOut.Records) throws in
    guard let session = try transaction.session(id), session.account == account,
      session.isShown(within: limit)
    else {
      throw Refusal.noSuchSession
    }
    if id == current {
      try end(id, because: .signedOut, by: caller, at: now, transaction)
    } else {
      let extent: SignOut =
        limit == nil ? .device(session) : world.ending([session], within: limit)
      try transaction.signOut(account, from: extent, because: .revoked, by: caller, at: now)
    }
    return true
  }
}

/// Ends all of the account's own sessions, also the session of the request.
///
/// A session that is limited to an organization ends those in it.
public func endOwnSessions(
  _ access: Access, peer: String?, in world: World
) async throws(Refusal) -> Int {
  let (account, current) = (access.account.id, access.session)
  let (caller, now) = (access.caller(peer: peer), world.clock.now())
  let limit = world.limit(of: current, access.account)
  return try await world.decide(about: [.account(account)]) {
    (transaction: any SignOut.Records) throws in
    try end(current.id, because: .signedOut, by: caller, at: now, transaction)
    let extent = try world.extent(
      .everythingOf(current), of: account, within: limit, except: current, transaction)
    let others = try transaction.signOut(
      account, from: extent, because: .revoked, by: caller, at: now)
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
    (transaction: any SignOut.Records) throws in
    _ = try transaction.account(id, changedBy: rules, needing: .support)
    try transaction.record(.accountSignedOut, about: id, by: rules, at: now)
    return try transaction.signOut(
      id, from: .everything, because: .revoked, by: rules.caller, at: now)
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
    (transaction: any SignOut.Records) throws in
    _ = try transaction.account(id, changedBy: rules, needing: .support)
    guard let found = try transaction.session(session), found.account == id else {
      throw Refusal.noSuchSession
    }
    guard found.end == nil else { return true }
    let draft = EventDraft(
      code: .accountSessionEnded, account: id, session: session, detail: rules.name)
    try transaction.record(draft, by: rules.caller, at: now)
    try transaction.signOut(
      id, from: .device(found), because: .revoked, by: rules.caller, at: now)
    return true
  }
}

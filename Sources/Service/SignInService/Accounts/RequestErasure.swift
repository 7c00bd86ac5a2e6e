public import SignInModel
public import SignInWire

/// Asks for the erasure of the person's own account, after the time of the policy.
///
/// A second request changes nothing.
///
/// - Returns: When the account is erased.
public func requestErasure(
  _ access: Access, password: Secret?, languages: [String], peer: String?, in world: World
) async throws(Refusal) -> Instant {
  // Another administrator erases an administrator's account, so that one always remains.
  if access.account.role == .administrator { throw .ownAccount }
  try await confirmPerson(of: access, password: password, peer: peer, in: world)
  let now = world.clock.now()
  let (session, caller) = (access.session, access.caller(peer: peer))
  let notice = NoticeSending(languages: languages, at: now, in: world)
  let id = world.handle(bytes: 16)
  let due: Instant = try await world.decide(about: [.account(session.account)]) {
    (transaction: any ErasureRequestRecords) throws in
    guard let account = try transaction.account(session.account) else {
      throw Refusal.tokenOfEndedSession
    }
    let known = try transaction.revocableChanges(of: account.id).first { $0.kind == .erasure }
    if let known { return known.endsAt }
    let app = try world.registration(
      of: access.client, asked: session.organization, account: account, isProved: true,
      transaction)
    let due = now.adding(seconds: app.policy[.erasureWait])
    try transaction.insert(
      RevocableChange(
        id: id, account: account.id, kind: .erasure, before: nil, digest: [], madeAt: now,
        endsAt: due))
    try transaction.record(
      .erasureRequested, about: account.id, detail: "\(due.seconds)", by: caller, at: now)
    try notice.send(.erasureRequested(until: due), to: account, of: app, transaction)
    return due
  }
  world.messageRecorded()
  if due <= now { await eraseDueAccounts(in: world) }
  return due
}

private typealias ErasureRequestRecords =
  AccountRecords & EventRecords & OutboxRecords & PolicyRecords & RevocableChangeRecords

/// Takes the request back, while the account waits for its erasure.
public func cancelErasure(
  _ access: Access, peer: String?, in world: World
) async throws(Refusal) {
  let now = world.clock.now()
  let (account, caller) = (access.account.id, access.caller(peer: peer))
  try await world.decide(about: [.account(account)]) {
    (transaction: any EventRecords & RevocableChangeRecords) throws in
    let changes = try transaction.revocableChanges(of: account)
    guard let request = changes.first(where: { $0.kind == .erasure && $0.isOpen(at: now) }) else {
      throw Refusal.noSuchChange
    }
    try transaction.removeRevocableChange(request.id, of: account)
    try transaction.record(.erasureCancelled, about: account, by: caller, at: now)
  }
}

/// Erases every account whose time has ended.
func eraseDueAccounts(in world: World) async {
  let now = world.clock.now()
  do throws(Refusal) {
    let due: [RevocableChange] = try await world.read {
      (transaction: any RevocableChangeRecords) throws in
      try transaction.dueErasures(at: now, limit: SignInLimits.removalBatch)
    }
    for request in due {
      do throws(Refusal) {
        _ = try await eraseAccount(request.account, rules: .operatorCommand, in: world)
      } catch {
        // The last administrator cannot be erased; the account became one in the meantime.
        try await world.decide(about: [.account(request.account)]) {
          (transaction: any RevocableChangeRecords) throws in
          try transaction.removeRevocableChange(request.id, of: request.account)
        }
      }
    }
  } catch {
    world.reportFault("accounts that are due are not erased yet: \(error.code.rawValue)")
  }
}

/// What the person can still take back.
public struct OwnChanges: Sendable {
  public let contacts: [RevocableChange]
  public let erasure: RevocableChange?
}

public func readOwnChanges(
  _ access: Access, in world: World
) async throws(Refusal) -> OwnChanges {
  let (account, now) = (access.account.id, world.clock.now())
  let open: [RevocableChange] = try await world.read {
    (transaction: any RevocableChangeRecords) throws in
    try transaction.revocableChanges(of: account).filter { $0.isOpen(at: now) }
  }
  return OwnChanges(
    contacts: open.filter { $0.kind != .erasure }, erasure: open.first { $0.kind == .erasure })
}

/// Changes the name of the person's own account.
public func changeOwnName(
  _ name: PersonName, _ access: Access, peer: String?, in world: World
) async throws(Refusal) {
  try await world.checkIsOwn(access.account)
  let now = world.clock.now()
  let (account, caller) = (access.account.id, access.caller(peer: peer))
  try await world.decide(about: [.account(account)]) {
    (transaction: any AccountRecords & EventRecords) throws in
    guard var own = try transaction.account(account) else { throw Refusal.tokenOfEndedSession }
    guard own.name != name.text else { return }
    own.name = name.text
    try transaction.update(own)
    try transaction.record(
      .accountChanged, about: account, detail: "person " + ChangedMember.name.rawValue, by: caller,
      at: now)
  }
}

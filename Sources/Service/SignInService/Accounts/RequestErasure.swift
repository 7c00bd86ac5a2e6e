public import SignInModel
public import SignInWire

private typealias ErasureRequestRecords =
  AccountRecords & EventRecords & OutboxRecords & PolicyRecords & RevocableChangeRecords
  & SessionRecords

/// Asks for the erasure of the person's own account, after the time of the policy.
///
/// If a change of the address or the number can still be taken back, the account is not erased
/// before that time ends. A message with a link that cancels the erasure goes to the address, the
/// number, and each earlier one that can be restored. A second request changes nothing.
///
/// - Returns: When the account is erased.
public func requestErasure(
  _ access: Access, password: Secret?, languages: [String], peer: String?, in world: World
) async throws(Refusal) -> Instant {
  // Another administrator erases an administrator's account, so that one always remains.
  if access.account.role == .administrator { throw .ownAccount }
  try world.checkWholeAccount(access.session, access.account)
  try await confirmPerson(of: access, password: password, peer: peer, in: world)
  let now = world.clock.now()
  let (session, caller) = (access.session, access.caller(peer: peer))
  let notices = (0..<RevocableChange.limit + 2).map { _ in
    NoticeSending(languages: languages, at: now, in: world)
  }
  let (id, undo) = (world.handle(bytes: 16), Secret(world.timeOrderedHandle(at: now)))
  let link = world.undoLink(with: undo)
  let due: Instant = try await world.decide(about: [.account(session.account)]) {
    (transaction: any ErasureRequestRecords) throws in
    let account = try transaction.account(of: access)
    try world.checkWholeAccount(session, account)
    let changes = try transaction.revocableChanges(of: account.id)
    if let known = changes.first(where: \.isDueErasure) { return known.endsAt }
    try transaction.checkChangeLimit(of: account.id, [.erasure], at: now)
    let app = try world.registration(
      of: access.client, asked: session.organization, account: account, isProved: true,
      transaction)
    let open = changes.filter { $0.isOpen(at: now) }
    let waits = try world.registrations(of: access.client, changing: account, transaction)
      .map { now.adding(seconds: $0.policy[.erasureWait]) }
    let due = open.map(\.endsAt).reduce(waits.max() ?? now, max)
    try transaction.insert(
      RevocableChange(
        id: id, account: account.id, kind: .erasure, before: nil,
        digest: TimeOrderedHandle.digest(of: undo), madeAt: now, endsAt: due))
    try transaction.record(
      .erasureRequested, about: account.id, detail: "\(due.seconds)", by: caller, at: now)
    try notices.send(
      .erasureRequested(until: due, cancel: link), to: account,
      and: open.compactMap { $0.before?.value }, of: app, transaction)
    return due
  }
  world.messageRecorded()
  if due <= now { await eraseDueAccounts(in: world) }
  return due
}

extension [NoticeSending] {
  /// Records one message to the address, one to the number, and one to each of the earlier ones.
  ///
  /// The account may have the address and the number of a thief.
  fileprivate func send(
    _ notice: SecurityNotice, to account: Account, and earlier: [Recipient],
    of client: AppRegistration, _ transaction: any OutboxRecords
  ) throws(StoreFault) {
    var recipients = account.contacts
    for value in earlier where !recipients.contains(value) { recipients.append(value) }
    for (sending, recipient) in zip(self, recipients) {
      switch recipient {
      case .email(let address):
        try sending.mail(notice, to: address, of: account, in: client, transaction)
      case .phone(let number):
        try sending.text(notice, to: number, of: account, in: client, transaction)
      }
    }
  }
}

/// Cancels the erasure that the person asked for, in the app.
///
/// If it was cancelled before, nothing changes.
public func cancelErasure(
  _ access: Access, peer: String?, in world: World
) async throws(Refusal) {
  try world.checkWholeAccount(access.session, access.account)
  let request = try await erasureRequest(of: access.account.id, in: world)
  try await cancel(request, by: access.caller(peer: peer), in: world)
}

/// Cancels the erasure that another person asked for.
public func cancelErasure(
  of id: AccountID, rules: AccountEditingRules, in world: World
) async throws(Refusal) {
  _ = try await world.read { (transaction: any AccountRecords) throws in
    try transaction.account(id, changedBy: rules, needing: .administrator)
  }
  let request = try await erasureRequest(of: id, in: world)
  try await cancel(request, rules: rules, by: rules.caller, in: world)
}

private func erasureRequest(
  of account: AccountID, in world: World
) async throws(Refusal) -> RevocableChange {
  let found: RevocableChange? = try await world.read {
    (transaction: any RevocableChangeRecords) throws in
    let requests = try transaction.revocableChanges(of: account).filter { $0.kind == .erasure }
    return requests.first(where: \.isDueErasure) ?? requests.last
  }
  guard let found else { throw .noSuchChange }
  return found
}

/// `rules` are those of an administrator; nil for the person and for the link in the message.
func cancel(
  _ request: RevocableChange, rules: AccountEditingRules? = nil, by caller: Caller,
  in world: World
) async throws(Refusal) {
  let now = world.clock.now()
  var subjects = [Subject.account(request.account)]
  if let rules { subjects.append(rules.subject) }
  try await world.decide(about: subjects) {
    (transaction: any AccountRecords & EventRecords & RevocableChangeRecords) throws in
    if let rules {
      _ = try transaction.account(request.account, changedBy: rules, needing: .administrator)
    }
    let known = try transaction.revocableChanges(of: request.account)
    guard var current = known.first(where: { $0.id == request.id }),
      now < current.endsAt || current.isOpen(at: now)
    else { throw Refusal.noSuchChange }
    guard current.undoneAt == nil else { return }
    current.undoneAt = now
    try transaction.update(current)
    try transaction.record(
      .erasureCancelled, about: request.account, detail: rules?.name, by: caller, at: now)
  }
}

/// Erases every account whose time has ended.
///
/// An account that cannot be erased does not stop the others, and stays due.
func eraseDueAccounts(in world: World) async {
  var tried: Set<String> = []
  var faults: [String] = []
  do throws(Refusal) {
    var due = try await dueErasures(besides: tried, in: world)
    while !due.isEmpty {
      for request in due {
        tried.insert(request.id)
        do throws(Refusal) { try await eraseRequested(request, in: world) } catch {
          faults.append("\(request.account.text): \(error.code.rawValue)")
        }
      }
      due = try await dueErasures(besides: tried, in: world)
    }
  } catch {
    faults.append(error.code.rawValue)
  }
  guard let first = faults.first else { return }
  world.reportFault("\(faults.count) accounts that are due are not erased yet, the first: \(first)")
}

/// The next requests whose time has ended, without those that were tried.
private func dueErasures(
  besides tried: Set<String>, in world: World
) async throws(Refusal) -> [RevocableChange] {
  let now = world.clock.now()
  let due: [RevocableChange] = try await world.read {
    (transaction: any RevocableChangeRecords) throws in
    try transaction.dueErasures(at: now, limit: SignInLimits.removalBatch + tried.count)
  }
  return due.filter { !tried.contains($0.id) }
}

/// The last administrator cannot be erased, and an administrator not on the own request.
///
/// Then the request ends, because the account has become one in the meantime.
private func eraseRequested(_ request: RevocableChange, in world: World) async throws(Refusal) {
  do throws(Refusal) {
    _ = try await eraseAccount(
      request.account, rules: .requestOfPerson, requested: request, in: world)
  } catch {
    guard [.ownAccount, .lastAdministrator].contains(error.code) else { throw error }
    let caller = AccountEditingRules.requestOfPerson.caller
    try await world.decide(about: [.account(request.account)]) {
      (transaction: any EventRecords & RevocableChangeRecords) throws in
      try transaction.removeRevocableChange(request.id, of: request.account)
      try transaction.record(
        .erasureCancelled, about: request.account, detail: error.code.rawValue, by: caller,
        at: world.clock.now())
    }
  }
}

/// What the person can still take back.
public struct OwnChanges: Sendable {
  public let contacts: [RevocableChange]
  public let erasure: RevocableChange?
}

/// What this session may take back.
public func readOwnChanges(
  _ access: Access, in world: World
) async throws(Refusal) -> OwnChanges {
  let (account, now) = (access.account.id, world.clock.now())
  guard world.limit(of: access.session, access.account) == nil else {
    return OwnChanges(contacts: [], erasure: nil)
  }
  let open: [RevocableChange] = try await world.read {
    (transaction: any RevocableChangeRecords) throws in
    try transaction.revocableChanges(of: account).filter {
      $0.isOpen(at: now) && $0.concerns(access.session)
    }
  }
  return OwnChanges(
    contacts: open.filter { $0.kind != .erasure }, erasure: open.first { $0.kind == .erasure })
}

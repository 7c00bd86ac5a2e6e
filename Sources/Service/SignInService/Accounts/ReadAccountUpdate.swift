import SignInModel
public import SignInWire

/// The records of what a device must know about its account.
typealias AccountUpdateRecords = ContactProposal.Records & NoticeRecords & WaitingPasswordRecords

extension AccountRecords where Self: AccountUpdateRecords {
  /// What the device of this session must know about its account, such as a waiting password.
  ///
  /// It concerns the account in all its organizations, so a session that is limited to one gets
  /// nothing.
  func update(
    for session: Session, at now: Instant, in world: World
  ) throws(StoreFault) -> AccountUpdate {
    var update = AccountUpdate()
    guard try isWhole(session, in: world) else { return update }
    if let waiting = try waitingPassword(of: session.account), !waiting.isDue(at: now) {
      update.passwordReset = AccountUpdate.PasswordReset(
        requestedAt: waiting.requestedAt, availableAt: waiting.availableAt
      )
    }
    for notice in try notices(of: session.account) where notice.concerns(session, at: now) {
      update.notices.append(
        AccountUpdate.Notice(id: notice.id, kind: notice.kind.rawValue, at: notice.at)
      )
    }
    update.proposals = try proposals(for: session, at: now, in: world)
      .map { $0.entry(in: world) }
    return update
  }
}

extension Session {
  /// Whether the session may read and answer account updates.
  var hasAccountScope: Bool { has(.account) }
}

/// Removes a notice after the person has read it, so that no device shows it any more.
///
/// A device that the notice may be about cannot remove it, nor a session that is limited to an
/// organization.
public func dismissNotice(
  _ id: String, _ access: Access, peer: String?, in world: World
) async throws(Refusal) -> Bool {
  let now = world.clock.now()
  let (account, session, caller) = (access.account.id, access.session, access.caller(peer: peer))
  return try await world.decide(about: [.account(account)]) {
    (transaction: any AccountRecords & EventRecords & NoticeRecords) throws in
    let found = try transaction.notices(of: account).first { $0.id == id }
    guard let found, found.concerns(session, at: now),
      try transaction.isWhole(session, in: world)
    else {
      throw Refusal.noSuchNotice
    }
    try transaction.removeNotice(id, of: account)
    try transaction.record(.noticeDismissed, about: account, by: caller, at: now)
    return true
  }
}

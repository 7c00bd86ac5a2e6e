import SignInModel
import SignInWire

/// Sends the pending revocations, and owns them while no session is open.
///
/// The record of an open session owns those that storage contains. The queue also has those that
/// this tab added to the record, until the server confirms them.
struct RevocationQueue: Equatable, Sendable {
  private struct Request: Equatable, Sendable {
    let id: RequestID
    let token: Secret
  }

  private(set) var pending = PendingRevocations()
  /// What storage contains in place of a session, as far as it is known.
  private var stored: PendingRevocations?
  /// The revocations of the session that another tab stored during a sign-in here.
  ///
  /// They are not sent before the new session has replaced that session in storage.
  private var replaceable: PendingRevocations?
  private var requests: [Request] = []
  private var retry = Retry()

  /// Adds the revocations that storage contains.
  mutating func take(_ stored: PendingRevocations) {
    pending.add(stored)
    self.stored = stored
  }

  /// Adds the revocation of a session that ends, and returns what to store in its place.
  mutating func leave(_ revocations: PendingRevocations) -> StoredSession {
    pending.add(revocations)
    stored = pending
    return .signedOut(pending)
  }

  /// Keeps the revocations that storage may not contain in a readable form.
  mutating func keep(_ tokens: [Secret]) { for token in tokens { pending.add(token) } }

  /// Leaves the sealed session, which cannot be read, to the next session of the same person.
  mutating func leaveUnreadable(_ session: SessionID?) { pending.unreadableSession = session }

  /// Adds more revocations, and updates storage if it still contains revocations.
  mutating func add(_ more: PendingRevocations) -> [Effect] {
    let known = pending
    pending.addReplaced(more)
    guard let stored, pending != known else { return [] }
    self.stored = pending
    return [StoredSession.signedOut(stored).replaced(by: .signedOut(pending))]
  }

  /// Records what another tab stored during a sign-in here.
  ///
  /// The first record of the new session then contains the revocation of that session. An app that
  /// is killed just after this write leaves no session behind.
  mutating func watch(_ stored: StoredSession) {
    switch stored {
    case .session(let record): replaceable = record.ownRevocations
    case .sealed, .unavailable: break
    case .none, .signedOut, .ofLaterVersion, .damaged: replaceable = nil
    }
  }

  /// Returns all revocations for the record of a session that begins.
  mutating func handOver() -> PendingRevocations {
    var all = pending
    if let replaceable { all.addReplaced(replaceable) }
    (pending, stored) = (PendingRevocations(), nil)
    return all
  }

  /// Returns the tokens that waited until storage has answered the first write of a session.
  mutating func takeReplaceable() -> [Secret] {
    defer { replaceable = nil }
    return replaceable?.tokens ?? []
  }

  /// Sends the revocations that are not running, also those of the open session.
  mutating func send(
    with session: PendingRevocations?, _ context: inout FlowContext
  ) -> [Effect] {
    var all = session ?? PendingRevocations()
    all.add(pending)
    var effects: [Effect] = []
    for token in all.tokens where !isSent(token) && replaceable?.tokens.contains(token) != true {
      let form = RevocationForm {
        $0.clientID = context.app.clientID
        $0.token = token
      }
      let (id, effect) = context.start(.post(.revoke, form.form, .proof))
      requests.append(Request(id: id, token: token))
      effects.append(effect)
    }
    return effects
  }

  private func isSent(_ token: Secret) -> Bool { requests.contains { $0.token == token } }

  /// Whether an unanswered revocation is sent again later.
  var isWaiting: Bool { retry.isWaiting }

  /// Whether an unanswered revocation must be sent again now.
  mutating func isDue(at now: Instant) -> Bool {
    guard retry.isDue(at: now) else { return false }
    retry.stop()
    return true
  }

  func isFor(_ id: RequestID) -> Bool { requests.contains { $0.id == id } }

  /// Handles the answer to a revocation.
  ///
  /// Every answer with a status below 500 confirms it. Otherwise the revocation stays pending, and
  /// is sent again later.
  ///
  /// - Returns: The confirmed token and the changes of storage; `nil` if the revocation stays
  ///   pending.
  mutating func answered(
    _ id: RequestID, _ answer: Answer, at now: Instant
  ) -> (token: Secret, effects: [Effect])? {
    guard let index = requests.firstIndex(where: { $0.id == id }) else { return nil }
    let token = requests.remove(at: index).token
    guard let status = answer.status, status < 500 else {
      retry.wait(from: now)
      return nil
    }
    retry = Retry()
    pending.confirm(token)
    // The stored text is the only record of an unreadable session until a person signs in.
    guard pending.isEmpty, let stored else { return (token, []) }
    self.stored = nil
    return (token, [StoredSession.signedOut(stored).replaced(by: .none)])
  }
}

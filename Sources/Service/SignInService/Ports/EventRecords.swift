public import SignInModel
import SignInRules

/// The security log, to which events are only ever added, and off whose beginning old ones are cut.
///
/// A store enforces that: no function of it, and no other statement of the adapter, changes or
/// removes one otherwise.
public protocol EventRecords {
  /// The key that links events; nil in a store that was opened without one.
  var eventKey: EventKey? { get }
  /// Adds an event; faults with `.conflict` when its sequence number is taken.
  func append(_ event: SecurityEvent) throws(StoreFault)
  /// The newest event, or nil while there is none.
  func lastEvent() throws(StoreFault) -> SecurityEvent?
  /// Newest first, at most `limit`: those before `sequence`, or from the newest when it is nil; of
  /// everybody when `account` is nil.
  func events(
    of account: AccountID?, before sequence: Int64?, limit: Int
  ) throws(StoreFault) -> [SecurityEvent]
  /// Oldest first, at most `limit`: those after `sequence`.
  func events(after sequence: Int64, limit: Int) throws(StoreFault) -> [SecurityEvent]
  /// Where the log begins; `LogStart.whole` before anything was cut off.
  func logStart() throws(StoreFault) -> LogStart
  /// Lets the log begin after this event, and removes it and those before it.
  func cutLog(at start: LogStart) throws(StoreFault)
}

extension EventRecords {
  /// Reports a wrong answer, and the lock it led to, if it did.
  func record(
    _ code: SecurityEvent.Code, leadingTo verdict: Lockout.Verdict, about account: AccountID?,
    by caller: Caller, at now: Instant
  ) throws(StoreFault) {
    try record(code, about: account, by: caller, at: now)
    switch verdict {
    case .locked: try record(.locked, about: account, by: caller, at: now)
    case .stopped: try record(.stopped, about: account, by: caller, at: now)
    case .compare, .wait: break
    }
  }

  /// Reports a decision in the transaction that makes it: either both are durable or neither.
  public func record(
    _ code: SecurityEvent.Code, about account: AccountID?, session: SessionID? = nil,
    detail: String? = nil, by caller: Caller, at now: Instant
  ) throws(StoreFault) {
    try record(
      EventDraft(code: code, account: account, session: session, detail: detail, count: nil),
      by: caller, at: now
    )
  }

  func record(_ draft: EventDraft, by caller: Caller, at now: Instant) throws(StoreFault) {
    var last = try lastEvent()
    if let old = last, old.keyID != eventKey?.id { last = try changeKey(after: old, at: now) }
    try append(draft.event(after: last, by: caller, at: now, key: eventKey))
  }

  /// Reports that the log is linked with this store's key from now on, unless it is already.
  ///
  /// Nothing after that event can be linked in another way, and its hash rests on all before it.
  public func keyLog(at now: Instant) throws(StoreFault) {
    guard eventKey != nil, let last = try lastEvent(), last.keyID != eventKey?.id else { return }
    _ = try changeKey(after: last, at: now)
  }

  /// Whether the newest event names another key than this store was opened with.
  ///
  /// Events before the log had a key name none.
  public func isKeyedOtherwise() throws(StoreFault) -> Bool {
    guard let eventKey, let named = try lastEvent()?.keyID else { return false }
    return named != eventKey.id
  }

  private func changeKey(
    after last: SecurityEvent, at now: Instant
  ) throws(StoreFault) -> SecurityEvent {
    guard let eventKey else {
      throw .unusable("the security log is keyed: open it with the keys of its data folder")
    }
    let draft = EventDraft(
      code: .logKeyed, account: nil, session: nil,
      detail: LogStart(sequence: last.sequence, hash: last.hash).detail, count: nil
    )
    let event = draft.event(after: last, by: AccountKeeper.shell.caller, at: now, key: eventKey)
    try append(event)
    return event
  }
}

/// What an event says, before it has a place in the log.
struct EventDraft {
  let code: SecurityEvent.Code
  let account: AccountID?
  let session: SessionID?
  let detail: String?
  /// How many equal refusals it reports; nil for one.
  let count: Int64?
}

extension EventDraft {
  /// The event, linked to the one before it.
  fileprivate func event(
    after last: SecurityEvent?, by caller: Caller, at now: Instant, key: EventKey?
  ) -> SecurityEvent {
    func event(_ hash: [UInt8]) -> SecurityEvent {
      SecurityEvent(
        sequence: (last?.sequence ?? 0) + 1, at: now, code: code, account: account,
        client: caller.client, session: session, peer: caller.peer,
        proofKeyThumbprint: caller.proofKeyThumbprint, detail: detail, count: count,
        keyID: key?.id, hash: hash
      )
    }
    let previous = last?.hash ?? SecurityEvent.firstLink
    guard let hash = event([]).hash(after: previous, key: key) else {
      preconditionFailure("an event is linked with the key it names")
    }
    return event(hash)
  }
}

public import SignInModel
import SignInRules

/// The security log.
///
/// Events are only appended at its end, and old events are removed only from its beginning. The
/// store enforces this: no other function and no other statement of the adapter changes or removes
/// an event.
public protocol EventRecords: DailyCountRecords {
  /// The key that links events.
  ///
  /// It is nil if the store was opened without one.
  var eventKey: EventKey? { get }
  /// Appends an event.
  ///
  /// - Throws: `.conflict` if its sequence number exists already.
  func append(_ event: SecurityEvent) throws(StoreFault)
  /// The newest event, or nil if the log is empty.
  func lastEvent() throws(StoreFault) -> SecurityEvent?
  /// At most `limit` events before `sequence`, newest first.
  ///
  /// If `sequence` is nil, the list begins with the newest event. If `account` is nil, the list has
  /// the events of all accounts.
  func events(
    of account: AccountID?, before sequence: Int64?, limit: Int
  ) throws(StoreFault) -> [SecurityEvent]
  /// At most `limit` events that the query matches and that have one of these numbers, newest
  /// first.
  ///
  /// The events of one code or of one account are found without reading others.
  func events(
    _ query: EventQuery, in numbers: Range<Int64>, limit: Int
  ) throws(StoreFault) -> [SecurityEvent]
  /// At most `limit` events after `sequence`, oldest first.
  func events(after sequence: Int64, limit: Int) throws(StoreFault) -> [SecurityEvent]
  /// The beginning of the log.
  ///
  /// It is `LogStart.whole` if no event was removed yet.
  func logStart() throws(StoreFault) -> LogStart
  /// Removes this event and all events before it, and stores it as the beginning of the log.
  func removeEvents(at start: LogStart) throws(StoreFault)
}

extension EventRecords {
  /// Records a wrong answer, and the lockout or the stop if the answer caused one.
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

  /// Records a decision in the transaction that makes it, so that either both are durable or
  /// neither.
  public func record(
    _ code: SecurityEvent.Code, about account: AccountID?, detail: String? = nil,
    by caller: Caller, at now: Instant
  ) throws(StoreFault) {
    try record(EventDraft(code: code, account: account, detail: detail), by: caller, at: now)
  }

  func record(
    _ code: SecurityEvent.Code, about session: Session, detail: String? = nil, by caller: Caller,
    at now: Instant
  ) throws(StoreFault) {
    try record(
      EventDraft(code: code, account: session.account, session: session.id, detail: detail),
      by: caller, at: now)
  }

  func record(_ draft: EventDraft, by caller: Caller, at now: Instant) throws(StoreFault) {
    var last = try lastEvent()
    if let old = last, old.keyID != eventKey?.id { last = try changeKey(after: old, at: now) }
    // The count is written together with the event, after the lock of the log is taken.
    if let kind = draft.code.dailyCount {
      try count(kind, times: draft.count ?? 1, on: CalendarDay(now), of: draft.account)
    }
    try append(draft.event(after: last, by: caller, at: now, key: eventKey))
  }

  /// Records that events are linked with this store's key from now on, if they are not already.
  ///
  /// No event after this one can be linked in another way. The hash of this one depends on all
  /// events before it.
  public func startUsingKey(at now: Instant) throws(StoreFault) {
    guard eventKey != nil, let last = try lastEvent(), last.keyID != eventKey?.id else { return }
    _ = try changeKey(after: last, at: now)
  }

  /// Whether the newest event names another key than the one this store was opened with.
  ///
  /// Events from before the log had a key name no key.
  public func hasOtherKey() throws(StoreFault) -> Bool {
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
      code: .logKeyed, account: nil,
      detail: LogStart(sequence: last.sequence, hash: last.hash).detail)
    let event = draft.event(
      after: last, by: AccountEditingRules.operatorCommand.caller, at: now, key: eventKey)
    try append(event)
    return event
  }
}

/// The content of an event that has no position in the log yet.
struct EventDraft {
  let code: SecurityEvent.Code
  let account: AccountID?
  var session: SessionID?
  var detail: String?
  /// The number of equal refusals that the event reports; nil for one.
  var count: Int64?
}

extension EventDraft {
  /// The event, linked to the event before it.
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
      preconditionFailure("an event must be hashed with the key that it names")
    }
    return event(hash)
  }
}

public import SignInModel
import SignInRules

/// The security log.
///
/// A decision only adds an unlinked event, so that decisions do not wait for each other. Later the
/// event is linked: it is appended to the log and is no longer unlinked. Old events are removed
/// only from the beginning of the log. The store enforces this: no other function and no other
/// statement of the adapter changes or removes an event.
public protocol EventRecords: DailyCountRecords {
  /// The key that links events.
  ///
  /// It is nil if the store was opened without one.
  var eventKey: EventKey? { get }
  /// Adds an event that is not linked yet, with the next number.
  func addUnlinked(_ content: EventContent, writerCode: [UInt8]) throws(StoreFault)
  /// At most `limit` events that are not linked, with numbers greater than `id`, in their order.
  ///
  /// Refused ones are left out.
  func unlinkedEvents(after id: Int64, limit: Int) throws(StoreFault) -> [UnlinkedEvent]
  /// Removes unlinked events after they were appended to the log.
  func removeUnlinked(_ ids: [Int64]) throws(StoreFault)
  /// Tells all servers of the store that there are new linked events, when the decision is durable.
  ///
  /// A notification can be lost.
  func notifyServers() throws(StoreFault)
  /// Marks unlinked events that no server with the log's key wrote.
  ///
  /// They are never linked, and stay in the store as evidence.
  func refuseUnlinked(_ ids: [Int64]) throws(StoreFault)
  /// The number of refused events in the store.
  func refusedEventCount() throws(StoreFault) -> Int64
  /// Lets only this decision append to the log until it ends.
  ///
  /// - Returns: Whether it is the only one. It is false only without `waits`, if another decision
  ///   appends now.
  func lockLog(waits: Bool) throws(StoreFault) -> Bool
  /// Appends events in this order, after `lockLog`.
  ///
  /// - Throws: `.conflict` if a sequence number exists already. Then the decision must fail. A
  ///   store behind a network may notice that only with the next read, or when the decision ends.
  func append(_ events: [SecurityEvent]) throws(StoreFault)
  /// The newest linked event, or nil if there is none.
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
  /// Saves a note, whose reference an event of the same decision has.
  func save(_ note: EventText) throws(StoreFault)
  /// The note with this reference; nil if it was erased.
  func eventNote(_ reference: String) throws(StoreFault) -> EventText?
  /// Removes the notes that were written before `moment`.
  func removeEventNotes(writtenBefore moment: Instant) throws(StoreFault)
  /// The beginning of the log.
  ///
  /// It is `LogStart.whole` if no event was removed yet.
  func logStart() throws(StoreFault) -> LogStart
  /// Removes this event and all events before it, and stores it as the beginning of the log.
  func removeEvents(at start: LogStart) throws(StoreFault)
}

extension EventRecords {
  /// A store with only one server sends no notification.
  public func notifyServers() throws(StoreFault) {}

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
    let content = EventContent(draft, by: caller, at: now, key: eventKey)
    // A server always has a key, so this reads the log only in commands and tests.
    if eventKey == nil, try lastEvent()?.keyID != nil { throw Self.keyMissing }
    guard let code = content.writerCode(eventKey) else {
      preconditionFailure("an event must be written with the key that it names")
    }
    try addUnlinked(content, writerCode: code)
  }

  /// Records that events are linked with this store's key from now on, if the log has no key yet.
  ///
  /// No event after this one can be linked in another way. The hash of this one depends on all
  /// events before it.
  public func startUsingKey(at now: Instant) throws(StoreFault) {
    guard eventKey != nil, try lockLog(waits: true), let last = try lastEvent() else { return }
    if last.keyID == nil { _ = try changeKey(after: last, at: now) }
  }

  /// Records that events are linked with this store's key from now on, because the log's key is
  /// lost.
  ///
  /// Only the command that replaces a lost key does this. A server that still has the earlier key
  /// finds another key in the log, and stops. So an empty log gets an event too.
  public func replaceLostKey(at now: Instant) throws(StoreFault) {
    guard eventKey != nil, try lockLog(waits: true) else { return }
    let last = try lastEvent()
    if last?.keyID != eventKey?.id { _ = try changeKey(after: last, at: now) }
  }

  /// Whether the newest event names another key than the one this store was opened with.
  ///
  /// Events from before the log had a key name no key.
  public func hasOtherKey() throws(StoreFault) -> Bool {
    guard let eventKey, let named = try newestKeyID() else { return false }
    return named != eventKey.id
  }

  /// The key of the newest linked event, or of the first unlinked one if none is linked.
  public func newestKeyID() throws(StoreFault) -> String? {
    if let last = try lastEvent() { return last.keyID }
    return try unlinkedEvents(after: 0, limit: 1).first?.content.keyID
  }

  /// Links an event to the newest one, after `lockLog`.
  ///
  /// - Returns: The appended event.
  func link(
    _ draft: EventDraft, by caller: Caller, at now: Instant
  ) throws(StoreFault) -> SecurityEvent {
    let last = try keyed(try lastEvent(), at: now)
    return try append(EventContent(draft, by: caller, at: now, key: eventKey), after: last)
  }

  /// The event that the next one follows.
  ///
  /// It is `last`, or the first event with a key if the log had none.
  ///
  /// - Throws: `.unusable` if the log has another key. The key of this server was lost and replaced
  ///   then, and a server that still has it must not write into the log.
  func keyed(_ last: SecurityEvent?, at now: Instant) throws(StoreFault) -> SecurityEvent? {
    guard let last, last.keyID != eventKey?.id else { return last }
    guard last.keyID == nil || eventKey == nil else {
      throw .unusable("the security log has another key, because the master key was replaced")
    }
    return try changeKey(after: last, at: now)
  }

  private func changeKey(
    after last: SecurityEvent?, at now: Instant
  ) throws(StoreFault) -> SecurityEvent {
    guard let eventKey else { throw Self.keyMissing }
    let start = last.map { LogStart(sequence: $0.sequence, hash: $0.hash) } ?? .whole
    let draft = EventDraft(code: .logKeyed, account: nil, detail: start.detail)
    let caller = AccountEditingRules.operatorCommand.caller
    return try append(EventContent(draft, by: caller, at: now, key: eventKey), after: last)
  }

  private func append(
    _ content: EventContent, after last: SecurityEvent?
  ) throws(StoreFault) -> SecurityEvent {
    let linked = linked(content, after: last)
    try append([linked])
    return linked
  }

  /// The event with its place after `last`.
  func linked(_ content: EventContent, after last: SecurityEvent?) -> SecurityEvent {
    func event(_ hash: [UInt8]) -> SecurityEvent {
      SecurityEvent(sequence: (last?.sequence ?? 0) + 1, content, hash: hash)
    }
    let previous = last?.hash ?? SecurityEvent.firstLink
    guard let hash = event([]).hash(after: previous, key: eventKey) else {
      preconditionFailure("an event must be hashed with the key that it names")
    }
    return event(hash)
  }

  private static var keyMissing: StoreFault {
    .unusable("the security log is keyed: open it with the keys of its data folder")
  }
}

/// The content of an event that has no position in the log yet.
struct EventDraft {
  let code: SecurityEvent.Code
  let account: AccountID?
  var session: SessionID?
  var detail: String?
  /// The number of equal refusals or of renewals that the event reports; nil for one.
  var count: Int64?
}

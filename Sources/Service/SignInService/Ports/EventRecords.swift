public import SignInModel
import SignInRules

/// The security log, to which events are only ever added, and off whose beginning old ones are cut.
///
/// A store enforces that: no function of it, and no other statement of the adapter, changes or
/// removes one otherwise.
public protocol EventRecords {
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
    let last = try lastEvent()
    let event = SecurityEvent(
      sequence: (last?.sequence ?? 0) + 1, at: now, code: code, account: account,
      client: caller.client, session: session, peer: caller.peer,
      proofKeyThumbprint: caller.proofKeyThumbprint, detail: detail, hash: []
    )
    try append(event.linked(after: last?.hash ?? SecurityEvent.firstLink))
  }
}

public import SignInModel
import SignInRules

/// Counts refusals, one record for each source.
///
/// One event reports all refusals of a record.
public protocol RefusalRecords {
  func refusalTally(_ source: RefusalSource) throws(StoreFault) -> RefusalTally?
  /// Inserts the tally, or replaces the one with the same source.
  func save(_ tally: RefusalTally) throws(StoreFault)
  /// At most `limit` tallies that were last reported at `moment` or before, oldest first.
  func refusalTallies(
    reportedUntil moment: Instant, limit: Int
  ) throws(StoreFault) -> [RefusalTally]
  /// Does nothing if there is no such tally.
  func removeRefusalTally(_ source: RefusalSource) throws(StoreFault)
  /// The number of refusals that no event reports yet, for each code and detail.
  func unreportedRefusals() throws(StoreFault) -> [UnreportedRefusals]
}

extension RefusalRecords where Self: EventRecords {
  /// Records a refusal.
  ///
  /// The first of its kind from its source is reported at once. Further ones are reported once an
  /// hour as one event with their number (L-41).
  ///
  /// `subject` is the account, or the identifier that represents an unknown account. Both are
  /// counted separately with the same writes, so that the work does not reveal whether the account
  /// exists.
  func recordRefusal(
    _ code: SecurityEvent.Code, about subject: AccountID?, session: SessionID? = nil,
    by caller: Caller, at now: Instant
  ) throws(StoreFault) {
    let source = RefusalSource(
      code: code, subject: subject?.text ?? "", client: caller.client, network: caller.origin,
      detail: nil
    )
    let account = subject.flatMap { Keyring.isUnknownAccount($0) ? nil : $0 }
    let draft = EventDraft(code: code, account: account, session: session)
    try fold(draft, of: source, laterAbout: account, by: caller, at: now)
  }

  /// Records a refusal that is not about one account, but that may concern one.
  ///
  /// The first event names `account`. Later events do not, because the other refusals may concern
  /// other accounts.
  func recordRefusal(
    of source: RefusalSource, meeting account: AccountID?, by caller: Caller, at now: Instant
  ) throws(StoreFault) {
    let draft = EventDraft(code: source.code, account: account, detail: source.detail)
    try fold(draft, of: source, laterAbout: nil, by: caller, at: now)
  }

  private func fold(
    _ first: EventDraft, of source: RefusalSource, laterAbout account: AccountID?,
    by caller: Caller, at now: Instant
  ) throws(StoreFault) {
    guard var tally = try refusalTally(source) else {
      try record(first, by: caller, at: now)
      return try save(
        RefusalTally(
          source: source, account: account, peer: caller.peer,
          refusals: RepeatedRefusals(reportedAt: now)
        ))
    }
    tally.peer = caller.peer
    if let count = tally.refusals.count(at: now) { try report(count, of: tally, at: now) }
    try save(tally)
  }

  /// Reports the refusals that no event reports yet and that are at least an hour old, and removes
  /// the tallies.
  ///
  /// - Returns: The number of tallies that were removed, at most `limit`.
  func reportOldRefusals(at now: Instant, limit: Int) throws(StoreFault) -> Int {
    let moment = now.adding(seconds: -RepeatedRefusals.windowSeconds)
    let tallies = try refusalTallies(reportedUntil: moment, limit: limit)
    for tally in tallies {
      let count = tally.refusals.unreported
      if count > 0 { try report(count, of: tally, at: now) }
      try removeRefusalTally(tally.source)
    }
    return tallies.count
  }

  private func report(
    _ count: Int64, of tally: RefusalTally, at now: Instant
  ) throws(StoreFault) {
    let source = tally.source
    let draft = EventDraft(
      code: source.code, account: tally.account, detail: source.detail,
      count: count == 1 ? nil : count
    )
    let caller = Caller(client: source.client, peer: tally.peer, proofKeyThumbprint: nil)
    try record(draft, by: caller, at: now)
  }
}

public import SignInModel
import SignInRules

/// Counts of refusals that are folded into one event, a record for each source.
public protocol RefusalRecords {
  func refusalTally(_ source: RefusalSource) throws(StoreFault) -> RefusalTally?
  /// Inserts the tally, or takes the place of the one with the same source.
  func save(_ tally: RefusalTally) throws(StoreFault)
  /// The tallies last reported at `moment` or before, the oldest first, at most `limit`.
  func refusalTallies(
    reportedUntil moment: Instant, limit: Int
  ) throws(StoreFault) -> [RefusalTally]
  /// Does nothing when there is no such tally.
  func removeRefusalTally(_ source: RefusalSource) throws(StoreFault)
  /// What is counted and not reported yet, a sum for each code and detail.
  func unreportedRefusals() throws(StoreFault) -> [UnreportedRefusals]
}

extension Transaction {
  /// Reports a refusal: the first of its kind from its source at once, further ones once an hour
  /// with their count (L-41).
  ///
  /// `subject` is the account, or the identifier that stands for an unknown one. Both are counted
  /// apart, with the same writes, so that the work does not tell whether the account exists.
  func recordRefusal(
    _ code: SecurityEvent.Code, about subject: AccountID?, session: SessionID? = nil,
    by caller: Caller, at now: Instant
  ) throws(StoreFault) {
    let source = RefusalSource(
      code: code, subject: subject?.text ?? "", client: caller.client, network: caller.origin,
      detail: nil
    )
    let account = subject.flatMap { Keyring.isStranger($0) ? nil : $0 }
    let draft = EventDraft(code: code, account: account, session: session, detail: nil, count: nil)
    try fold(draft, of: source, laterAbout: account, by: caller, at: now)
  }

  /// Reports a refusal that is not about one account, but that may have met one.
  ///
  /// The first event names `account`; later ones do not, because they may have met others.
  func recordRefusal(
    of source: RefusalSource, meeting account: AccountID?, by caller: Caller, at now: Instant
  ) throws(StoreFault) {
    let draft = EventDraft(
      code: source.code, account: account, session: nil, detail: source.detail, count: nil
    )
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

  /// Reports the refusals of an hour and longer ago that no event reports yet, and forgets their
  /// sources.
  ///
  /// - Returns: How many sources were forgotten, at most `limit`.
  func closeRefusals(at now: Instant, limit: Int) throws(StoreFault) -> Int {
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
      code: source.code, account: tally.account, session: nil, detail: source.detail,
      count: count == 1 ? nil : count
    )
    let caller = Caller(client: source.client, peer: tally.peer, proofKeyThumbprint: nil)
    try record(draft, by: caller, at: now)
  }
}

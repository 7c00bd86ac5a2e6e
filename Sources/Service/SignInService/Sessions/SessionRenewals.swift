public import SignInModel
import SignInRules
import SignInWire

/// The renewals of a session on one day that no event reports yet (L-58).
///
/// A session is renewed every few minutes, so renewals are counted in its record. One event reports
/// all of a day.
public struct SessionRenewals: Equatable, Sendable {
  public let count: Int64
  public let firstAt: Instant
  public let lastAt: Instant

  public init(count: Int64, firstAt: Instant, lastAt: Instant) {
    self.count = count
    self.firstAt = firstAt
    self.lastAt = lastAt
  }

  /// In UTC.
  var day: CalendarDay { CalendarDay(firstAt) }

  /// The times of the first and of the last renewal, as an interval of ISO 8601.
  var detail: String { Self.text(firstAt) + "/" + Self.text(lastAt) }

  private static func text(_ moment: Instant) -> String {
    let day = CalendarDay(moment)
    let seconds = moment.seconds - day.number * CalendarDay.daySeconds
    let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map {
      $0 < 10 ? "0\($0)" : "\($0)"
    }
    return day.text + "T" + parts.joined(separator: ":") + "Z"
  }
}

extension Session {
  /// Counts a renewal.
  ///
  /// - Returns: The renewals of an earlier day, which an event must report now.
  mutating func countRenewal(at now: Instant) -> SessionRenewals? {
    if let open = renewals, open.day == CalendarDay(now) {
      renewals = SessionRenewals(
        count: open.count.plusClamping(1), firstAt: open.firstAt, lastAt: max(open.lastAt, now))
      return nil
    }
    defer { renewals = SessionRenewals(count: 1, firstAt: now, lastAt: now) }
    return renewals
  }
}

extension EventRecords {
  /// Reports the renewals of a session on one day.
  func report(
    _ renewals: SessionRenewals, of session: Session, at now: Instant
  ) throws(StoreFault) {
    let draft = EventDraft(
      code: .sessionRefreshed, account: session.account, session: session.id,
      detail: renewals.detail, count: renewals.count == 1 ? nil : renewals.count)
    let caller = Caller(
      client: session.client, peer: nil,
      proofKeyThumbprint: session.isBound ? session.proofKeyThumbprint : nil)
    try record(draft, by: caller, at: now)
  }
}

/// Reports the renewals of sessions that were not renewed on a later day.
///
/// Most people renew their session on the next day, which reports the day before without a further
/// write. So this waits some hours longer than a day.
///
/// - Returns: The number of sessions that need no report any more, at most a batch.
func reportOldRenewals(in world: World) async -> Int {
  let now = world.clock.now()
  let moment = now.adding(seconds: -SignInLimits.renewalsUnreportedSeconds)
  let due: [Session]
  do throws(Refusal) {
    due = try await world.read { (transaction: any SessionRecords) throws in
      try transaction.sessions(renewedSinceBefore: moment, limit: SignInLimits.removalBatch)
    }
  } catch {
    return 0
  }
  var reported = 0
  for found in due {
    let isDone = await world.record(about: [.session(found.id)]) {
      (transaction: any EventRecords & SessionRecords) throws in
      // It can have been renewed since.
      guard var session = try transaction.session(found.id), let renewals = session.renewals,
        renewals.firstAt < moment
      else { return true }
      session.renewals = nil
      try transaction.update(session)
      try transaction.report(renewals, of: session, at: now)
      return true
    }
    if isDone == true { reported += 1 }
  }
  return reported
}

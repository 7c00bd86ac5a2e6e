import SignInModel
import SignInService
import Synchronization

/// Counts security events by their code, for `GET /metrics`.
///
/// It reads them from the security log on each request, also those that are not linked yet. So it
/// counts only durable events, and also those of the operator's commands.
final class EventCounts: Sendable {
  private struct State {
    var counts: [SecurityEvent.Code: Int64] = [:]
    /// The refusals of too frequent requests, by the rule that refused them (L-16).
    var refusals: [String: Int64] = [:]
    var last: Int64 = 0
    var unreported: [UnreportedRefusals] = []
    var unlinked: [EventContent] = []

    mutating func count(_ event: EventContent) {
      count(event.code, event.detail, event.count ?? 1)
    }

    mutating func count(_ code: SecurityEvent.Code, _ detail: String?, _ times: Int64) {
      counts[code, default: 0] += times
      if code == .refusedTooOften, let rule = detail { refusals[rule, default: 0] += times }
    }

    /// The counts with the events that are not linked yet, and the refusals that no event reports
    /// yet.
    var complete: State {
      var state = self
      for event in unlinked { state.count(event) }
      for refusals in unreported { state.count(refusals.code, refusals.detail, refusals.count) }
      return state
    }

    /// The counts with the events after the last counted one.
    ///
    /// Events from before `start` are left out.
    func caughtUp(since start: Instant, _ transaction: any EventRecords & RefusalRecords)
      throws(StoreFault) -> State
    {
      var next = self
      next.unreported = try transaction.unreportedRefusals()
      next.unlinked = try transaction.unlinkedContents().filter { $0.at >= start }
      var before: Int64?
      while true {
        let batch = try transaction.events(of: nil, before: before, limit: EventLimits.batch)
        for event in batch {
          guard event.sequence > last, event.at >= start else { return next }
          next.count(event.content)
          next.last = max(next.last, event.sequence)
          before = event.sequence
        }
        if batch.isEmpty { return next }
      }
    }
  }

  /// The counters begin with this process, as Prometheus expects.
  private let start: Instant
  private let state = Mutex(State())

  init(since start: Instant) { self.start = start }

  /// Counts the events since the last call.
  ///
  /// It reads them in batches, newest first.
  func catchUp(in world: World) async {
    let known = state.withLock { $0 }
    let start = start
    let counted: State
    do throws(StoreFault) {
      // One read transaction, so that nothing is counted twice or left out.
      counted = try await world.store.read {
        (transaction: any EventRecords & RefusalRecords) throws(StoreFault) in
        try known.caughtUp(since: start, transaction)
      }
    } catch {
      // The next call counts the events that cannot be read now. The readiness check reports a
      // fault of the store.
      return
    }
    state.withLock { state in
      // A concurrent call may have counted the same events.
      if state.last == known.last { state = counted }
    }
  }

  /// The counts in Prometheus text format, sorted so that two readings can be compared.
  var text: String {
    let state = state.withLock { $0 }.complete
    let rows = state.counts.sorted { $0.key.rawValue < $1.key.rawValue }
    var text = "# TYPE fieldpass_events_total counter\n"
    for (code, count) in rows {
      text += "fieldpass_events_total{code=\"\(code.rawValue)\"} \(count)\n"
    }
    text += "# TYPE fieldpass_refusals_total counter\n"
    for (rule, count) in state.refusals.sorted(by: { $0.key < $1.key }) {
      text += "fieldpass_refusals_total{rule=\"\(rule)\"} \(count)\n"
    }
    return text
  }
}

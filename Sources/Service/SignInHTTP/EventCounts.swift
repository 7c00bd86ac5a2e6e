import SignInModel
import SignInService
import Synchronization

/// Counts security events by their code, for `GET /metrics`.
///
/// It reads them out of the log when it is asked, so it counts what is durable and nothing else,
/// and those of the operator's own commands as well.
final class EventCounts: Sendable {
  private struct State {
    var counts: [SecurityEvent.Code: Int64] = [:]
    /// What was refused to keep messages few and cheap, by the rule that refused it (L-16).
    var refusals: [String: Int64] = [:]
    var last: Int64 = 0
    var unreported: [UnreportedRefusals] = []

    mutating func count(_ event: SecurityEvent) {
      count(event.code, event.detail, event.count ?? 1)
    }

    mutating func count(_ code: SecurityEvent.Code, _ detail: String?, _ times: Int64) {
      counts[code, default: 0] += times
      if code == .refusedTooOften, let rule = detail { refusals[rule, default: 0] += times }
    }

    /// With the refusals that no event reports yet.
    var withUnreported: State {
      var state = self
      for refusals in unreported { state.count(refusals.code, refusals.detail, refusals.count) }
      return state
    }

    /// With the events after the last one that was counted, but none from before `start`.
    func caughtUp(since start: Instant, _ look: any Transaction) throws(StoreFault) -> State {
      var next = self
      next.unreported = try look.unreportedRefusals()
      var before: Int64?
      while true {
        let batch = try look.events(of: nil, before: before, limit: EventLimits.batch)
        for event in batch {
          guard event.sequence > last, event.at >= start else { return next }
          next.count(event)
          next.last = max(next.last, event.sequence)
          before = event.sequence
        }
        if batch.isEmpty { return next }
      }
    }
  }

  /// Counters begin with this process, as Prometheus expects.
  private let start: Instant
  private let state = Mutex(State())

  init(since start: Instant) { self.start = start }

  /// Counts what was added since the last time, newest first, a batch at a time.
  func catchUp(in world: World) async {
    let known = state.withLock { $0 }
    let start = start
    let counted: State
    do throws(StoreFault) {
      // One look, so that no refusal is counted both as unreported and as an event.
      counted = try await world.store.read { (look) throws(StoreFault) in
        try known.caughtUp(since: start, look)
      }
    } catch {
      // What cannot be read now is counted the next time; readiness tells of the store.
      return
    }
    state.withLock { state in
      // Somebody else may have counted the same events meanwhile.
      if state.last == known.last { state = counted }
    }
  }

  /// Prometheus text, sorted so that two readings can be compared.
  var text: String {
    let state = state.withLock { $0 }.withUnreported
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

import SignInModel
import SignInService
import Synchronization

/// Counts security events by their code, for `GET /metrics`.
///
/// It reads them out of the log when it is asked, so it counts what is durable and nothing else,
/// and those of the operator's own commands as well.
final class EventCounts: Sendable {
  private struct State {
    var counts: [SecurityEvent.Code: Int] = [:]
    /// What was refused to keep messages few and cheap, by the rule that refused it (L-16).
    var refusals: [String: Int] = [:]
    var last: Int64 = 0

    mutating func count(_ event: SecurityEvent) {
      counts[event.code, default: 0] += 1
      if event.code == .refusedTooOften, let rule = event.detail {
        refusals[rule, default: 0] += 1
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
    var next = known
    var before: Int64?
    do throws(StoreFault) {
      reading: while true {
        let batch = try await listEvents(
          of: nil, before: before, limit: EventLimits.batch, in: world.store
        )
        for event in batch {
          guard event.sequence > known.last, event.at >= start else { break reading }
          next.count(event)
          next.last = max(next.last, event.sequence)
          before = event.sequence
        }
        if batch.isEmpty { break }
      }
    } catch {
      // What cannot be read now is counted the next time; readiness tells of the store.
      return
    }
    let counted = next
    state.withLock { state in
      // Somebody else may have counted the same events meanwhile.
      if state.last == known.last { state = counted }
    }
  }

  /// Prometheus text, sorted so that two readings can be compared.
  var text: String {
    let rows = state.withLock { $0.counts }.sorted { $0.key.rawValue < $1.key.rawValue }
    var text = "# TYPE fieldpass_events_total counter\n"
    for (code, count) in rows {
      text += "fieldpass_events_total{code=\"\(code.rawValue)\"} \(count)\n"
    }
    text += "# TYPE fieldpass_refusals_total counter\n"
    for (rule, count) in state.withLock({ $0.refusals }).sorted(by: { $0.key < $1.key }) {
      text += "fieldpass_refusals_total{rule=\"\(rule)\"} \(count)\n"
    }
    return text
  }
}

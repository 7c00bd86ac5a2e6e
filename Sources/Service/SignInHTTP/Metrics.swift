import Synchronization

/// Counts answers by route and status, for `MetricsHandler`.
final class Metrics: Sendable {
  private struct Key: Hashable { let route: String, status: Int }
  private struct Count { var answers = 0, milliseconds: Int64 = 0 }

  private let counts = Mutex<[Key: Count]>([:])

  func count(route: String, status: Int, milliseconds: Int64) {
    counts.withLock { counts in
      counts[Key(route: route, status: status), default: Count()].answers += 1
      counts[Key(route: route, status: status), default: Count()].milliseconds += milliseconds
    }
  }

  /// Prometheus text, sorted so that two readings can be compared.
  var text: String {
    let rows = counts.withLock { $0 }.sorted {
      ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status)
    }
    var text = "# TYPE fieldpass_answers_total counter\n"
    for (key, count) in rows {
      let labels = "route=\"\(key.route)\",status=\"\(key.status)\""
      text += "fieldpass_answers_total{\(labels)} \(count.answers)\n"
    }
    text += "# TYPE fieldpass_answer_milliseconds_total counter\n"
    for (key, count) in rows {
      let labels = "route=\"\(key.route)\",status=\"\(key.status)\""
      text += "fieldpass_answer_milliseconds_total{\(labels)} \(count.milliseconds)\n"
    }
    return text
  }
}

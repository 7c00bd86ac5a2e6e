import SignInModel
import Synchronization

/// The facts about one answer for the log and the metrics.
///
/// All texts come from this program or from the configuration, never from the request. So the
/// number of different values is small.
struct AnsweredRequest: Sendable {
  /// The path of the route with its parameter names, never the path of the request.
  let route: String
  let status: Int
  /// The stable code of a refusal.
  ///
  /// `reason` adds a detail.
  let code: String?
  var reason: String?
  /// The registered app that sent the request.
  let client: ClientID?
  let milliseconds: Int64
}

/// Counts answers by route, status, code and app, and their durations by route, for
/// `MetricsHandler`.
final class Metrics: Sendable {
  private struct Key: Hashable {
    let route: String
    let status: Int
    let code: String?
    let client: ClientID?
  }

  private struct State {
    var answers: [Key: Int] = [:]
    var milliseconds: [Key: Int64] = [:]
    var durations: [String: DurationHistogram] = [:]
  }

  private let state = Mutex(State())

  func count(_ answer: AnsweredRequest) {
    let key = Key(
      route: answer.route, status: answer.status, code: answer.code, client: answer.client
    )
    state.withLock { state in
      state.answers[key, default: 0] += 1
      state.milliseconds[key, default: 0] += answer.milliseconds
      state.durations[answer.route, default: DurationHistogram()].count(answer.milliseconds)
    }
  }

  /// The counts in Prometheus text format, sorted so that two readings can be compared.
  var text: String {
    let state = state.withLock { $0 }
    let rows = state.answers.map { (labels: Self.labels($0.key), key: $0.key, count: $0.value) }
      .sorted { $0.labels < $1.labels }
    var text = "# TYPE fieldpass_answers_total counter\n"
    for row in rows { text += "fieldpass_answers_total{\(row.labels)} \(row.count)\n" }
    text += "# TYPE fieldpass_answer_milliseconds_total counter\n"
    for row in rows {
      let sum = state.milliseconds[row.key] ?? 0
      text += "fieldpass_answer_milliseconds_total{\(row.labels)} \(sum)\n"
    }
    text += "# TYPE fieldpass_answer_seconds histogram\n"
    for (route, histogram) in state.durations.sorted(by: { $0.key < $1.key }) {
      text += histogram.text(of: "fieldpass_answer_seconds", labels: "route=\"\(route)\"")
    }
    return text
  }

  private static func labels(_ key: Key) -> String {
    var labels = "route=\"\(key.route)\",status=\"\(key.status)\""
    if let code = key.code { labels += ",code=\"\(code)\"" }
    if let client = key.client { labels += ",client=\"\(client.text)\"" }
    return labels
  }
}

/// The number of durations in each bucket.
struct DurationHistogram: Equatable, Sendable {
  /// The longest duration of each bucket; the last bucket has no limit.
  static let bucketMilliseconds: [Int64] = [
    1, 2, 5, 10, 25, 50, 100, 200, 500, 1000, 2500, 5000, 10_000,
  ]

  /// One count for each bucket, and one for longer durations.
  ///
  /// A duration counts in one bucket only.
  private var counts = [Int](repeating: 0, count: bucketMilliseconds.count + 1)
  private var sumMilliseconds: Int64 = 0

  mutating func count(_ milliseconds: Int64) {
    let bucket = Self.bucketMilliseconds.firstIndex { milliseconds <= $0 }
    counts[bucket ?? Self.bucketMilliseconds.count] += 1
    sumMilliseconds = sumMilliseconds.plusClamping(milliseconds)
  }

  /// The histogram in Prometheus text format, in which each bucket includes the shorter ones.
  func text(of name: String, labels: String) -> String {
    var text = ""
    var total = 0
    for (count, limit) in zip(counts, Self.bucketMilliseconds) {
      total += count
      text += "\(name)_bucket{\(labels),le=\"\(Self.seconds(limit))\"} \(total)\n"
    }
    total += counts.last ?? 0
    text += "\(name)_bucket{\(labels),le=\"+Inf\"} \(total)\n"
    text += "\(name)_sum{\(labels)} \(Self.seconds(sumMilliseconds))\n"
    return text + "\(name)_count{\(labels)} \(total)\n"
  }

  /// Milliseconds as seconds, without zeros at the end.
  private static func seconds(_ milliseconds: Int64) -> String {
    let rest = String(1000 + milliseconds % 1000).dropFirst()
    let digits = rest.reversed().drop { $0 == "0" }.reversed()
    return "\(milliseconds / 1000)" + (digits.isEmpty ? "" : "." + String(digits))
  }
}

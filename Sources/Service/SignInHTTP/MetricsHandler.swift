public import HTTPServer
import SignInModel
import SignInService
import SignInWire

/// Answers `GET /metrics` on its own listener.
///
/// Some counters change only when a request names an existing account. So a public reader could
/// find out who has an account (L-37), and the public listener answers 404 for this path.
public final class MetricsHandler: HTTPHandler {
  /// The largest number of open connections.
  ///
  /// Monitoring needs one or two.
  public static let connectionLimit = 64

  private let handler: FieldpassHandler
  private let readings: [MetricReading]
  /// Whether only this machine can reach the listener.
  private let isLocal: Bool

  /// Serves the metrics of the handler, and `readings` that the process counts elsewhere.
  public init(
    _ handler: FieldpassHandler, readings: [MetricReading] = [], isLocal: Bool = true
  ) {
    self.handler = handler
    self.readings = readings
    self.isLocal = isLocal
  }

  public func answer(_ request: HTTPRequest) async -> HTTPResponse {
    // A web page in a browser of this machine can reach the loopback address under any host name.
    if isLocal, Route.refusedOrigin(request, issuer: "") != nil {
      return refusal(.problem(.foreignHost))
    }
    guard request.path == Endpoint.metrics.path else { return refusal(.problem(.notFound)) }
    guard request.method == .get || request.method == .head else {
      return refusal(.refusedMethod(allowing: "GET, HEAD"))
    }
    await handler.eventCounts.catchUp(in: handler.world)
    return HTTPResponse(
      status: 200,
      fields: [HTTPField("Content-Type", "text/plain; version=0.0.4")] + Self.fields,
      body: Array(text.utf8)
    )
  }

  public func refusal(status: Int, path: String) -> HTTPResponse {
    refusal(.problem(.malformedRequest(status: status)))
  }

  private func refusal(_ problem: HTTPResponse) -> HTTPResponse {
    var response = problem
    response.fields += Self.fields
    return response
  }

  private static let fields = FieldpassHandler.headers(isSecure: false, policy: .data)

  private var text: String {
    handler.metrics.text + handler.eventCounts.text + messengers + hashing
      + readings.map { $0.text }.joined()
  }

  /// The use of the password hashing threads.
  ///
  /// With many sign-ins they are busy first.
  private var hashing: String {
    guard let use = handler.world.passwords.use else { return "" }
    return """
      # TYPE fieldpass_hashing_threads gauge
      fieldpass_hashing_threads \(use.threads)
      # TYPE fieldpass_hashing_busy_milliseconds_total counter
      fieldpass_hashing_busy_milliseconds_total \(use.busyMilliseconds)

      """
  }

  /// The outcomes of hand-overs by messenger, and the messengers that are paused after failures.
  private var messengers: String {
    guard let router = handler.world.router else { return "" }
    var text = "# TYPE fieldpass_hand_overs_total counter\n"
    for count in router.counts {
      let labels = "messenger=\"\(count.messenger)\",outcome=\"\(count.outcome)\""
      text += "fieldpass_hand_overs_total{\(labels)} \(count.number)\n"
    }
    text += "# TYPE fieldpass_messenger_open gauge\n"
    for (messenger, isOpen) in router.open(at: handler.world.clock.now()) {
      text += "fieldpass_messenger_open{messenger=\"\(messenger)\"} \(isOpen ? 1 : 0)\n"
    }
    return text
  }
}

/// A metric of this process: one number, or one for each set of labels.
public struct MetricReading: Sendable {
  public enum Kind: String, Sendable { case counter, gauge }

  let name: String
  let kind: Kind
  private let values: @Sendable () -> [(labels: String, value: Int64)]

  public init(_ name: String, _ kind: Kind, value: @escaping @Sendable () -> Int64) {
    self.init(name, kind) { [("", value())] }
  }

  /// Creates a metric with several numbers, each with its labels, such as `webhook="a"`.
  public init(
    _ name: String, _ kind: Kind,
    values: @escaping @Sendable () -> [(labels: String, value: Int64)]
  ) {
    (self.name, self.kind, self.values) = (name, kind, values)
  }

  /// The metric in Prometheus text format.
  var text: String {
    values().reduce("# TYPE \(name) \(kind.rawValue)\n") { text, entry in
      let labels = entry.labels.isEmpty ? "" : "{\(entry.labels)}"
      return text + "\(name)\(labels) \(entry.value)\n"
    }
  }
}

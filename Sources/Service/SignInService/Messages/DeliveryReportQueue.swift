import SignInModel

/// Queues the delivery reports of messengers that receive them on their own connection, until the
/// outbox worker records them.
public final class DeliveryReportQueue: Sendable {
  typealias Entry = (report: DeliveryReport, messenger: String)

  let entries: AsyncStream<Entry>
  private let continuation: AsyncStream<Entry>.Continuation

  public init() {
    (entries, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(10_000))
  }

  public func add(_ report: DeliveryReport, of messenger: String) {
    continuation.yield((report, messenger))
  }
}

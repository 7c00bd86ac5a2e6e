import HTTPClient
import SignInHTTP
import SignInModel
import SignInService
import Synchronization
import TextMessengers
import Threads

/// Sends the changes to each receiver in its own task, so that a failing receiver does not delay
/// the others.
final class ChangeWebhookWorker: Sendable {
  private let tasks: [Task<Void, Never>]
  private let calls: OutboundCalls

  init(
    _ webhooks: ChangeWebhooks, log: LineQueue, world: World
  ) {
    calls = webhooks.calls
    let counts = webhooks.counts
    tasks = webhooks.receivers.map { receiver in
      Task.detached {
        let name = receiver.name
        await keepSendingChanges(to: receiver, in: world) {
          counts.note($0, of: name)
        } report: { sending, wait in
          counts.count(sending, of: name)
          guard case .failed(let why) = sending else { return }
          log.write(
            LogLine.warning(
              "change webhook `\(name)`: \(why); the same changes are sent again in"
                + " \(wait / 1000) s", at: world.clock.now()))
        }
      }
    }
  }

  /// Cancels the calls in progress, and returns after the last use of the store.
  ///
  /// The changes of a cancelled call are sent again at the next start.
  func stop() async {
    for task in tasks { task.cancel() }
    calls.stop()
    for task in tasks { await task.value }
  }
}

/// The metrics of the change webhooks.
final class ChangeSendingCounts: Sendable {
  private struct Entry {
    var backlog = ChangeBacklog()
    var taken: Int64 = 0
    var failed: Int64 = 0
  }

  private let names: [String]
  private let clock: any Clock
  private let entries: Mutex<[String: Entry]>

  init(_ names: [String], clock: any Clock) {
    self.names = names
    self.clock = clock
    entries = Mutex(Dictionary(uniqueKeysWithValues: Set(names).map { ($0, Entry()) }))
  }

  func note(_ backlog: ChangeBacklog, of receiver: String) {
    entries.withLock { $0[receiver]?.backlog = backlog }
  }

  func count(_ sending: ChangeSending, of receiver: String) {
    entries.withLock { entries in
      switch sending {
      case .nothing: break
      case .taken(let isComplete):
        entries[receiver]?.taken += 1
        if isComplete { entries[receiver]?.backlog = ChangeBacklog() }
      case .failed: entries[receiver]?.failed += 1
      }
    }
  }

  /// Without receivers, the metrics contain only the `# TYPE` line of each metric.
  var readings: [MetricReading] {
    [
      reading("fieldpass_change_webhook_waiting", .gauge) { entry, _ in
        [("", entry.backlog.count)]
      },
      reading("fieldpass_change_webhook_lag_seconds", .gauge) { entry, now in
        [("", entry.backlog.oldest.map { max(0, now.seconds - $0.seconds) } ?? 0)]
      },
      reading("fieldpass_change_webhook_calls_total", .counter) { entry, _ in
        [("outcome=\"failed\"", entry.failed), ("outcome=\"taken\"", entry.taken)]
      },
    ]
  }

  private func reading(
    _ name: String, _ kind: MetricReading.Kind,
    _ values: @escaping @Sendable (Entry, Instant) -> [(labels: String, value: Int64)]
  ) -> MetricReading {
    MetricReading(name, kind) { [self] in
      let now = clock.now()
      return names.flatMap { receiver in
        let entry = entries.withLock { $0[receiver] ?? Entry() }
        return values(entry, now).map { more, value in
          let labels = ["webhook=\"\(receiver)\"", more].filter { !$0.isEmpty }
          return (labels.joined(separator: ","), value)
        }
      }
    }
  }
}

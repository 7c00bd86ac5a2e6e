import Cryptography
import SignInHTTP
import SignInModel
import SignInService
import Synchronization
import SystemPorts
import Threads

/// Compares this server's configuration with those of the other servers of its database.
final class ConfigurationComparison: Sendable {
  /// `nil` for the only server of a store.
  private let store: (any NodeReportStore)?
  private let node: String
  private static let nameByteCount = 12
  private let digests: [String: String]
  /// The keys whose values differ from those of another server.
  private let differences = Mutex<[String]>([])

  init(_ setting: ServerSettings, _ keyring: Keyring, _ store: (any NodeReportStore)?) {
    self.store = store
    // Two servers can have equal names, folders and addresses, such as those of two containers.
    node = Base64URL.encode(SecureRandom.bytes(Self.nameByteCount))
    digests = keyring.configurations.digests(of: setting.members)
  }

  /// The differences for the operator; `nil` if there are none.
  var warning: String? {
    let keys = differences.withLock { $0 }
    guard !keys.isEmpty else { return nil }
    return "the configuration of another server differs: " + keys.joined(separator: ", ")
  }

  /// The number of keys that differ, for everyone who can reach the server; `nil` if none differs.
  var publicWarning: String? {
    let count = differences.withLock { $0.count }
    guard count > 0 else { return nil }
    let number = count == 1 ? "1 key" : "\(count) keys"
    return "the configuration of another server differs: \(number), see the log"
  }

  /// Tells the other servers that this one ends.
  func end() async throws(StoreFault) { try await store?.removeReport(of: node) }

  /// Reports the own configuration, and compares it with the others.
  ///
  /// - Returns: Whether the differences changed.
  func compare(at now: Instant) async throws(StoreFault) -> Bool {
    guard let store else { return false }
    let report = NodeReport(node: node, at: now, digests: digests)
    let all = try await store.exchange(
      report, forgettingBefore: now.adding(seconds: -NodeReport.validSeconds))
    let found = report.differences(from: all)
    return differences.withLock { differences in
      defer { differences = found }
      return differences != found
    }
  }
}

/// Compares the configurations regularly, and logs a change of the differences.
final class NodeWorker: Sendable {
  private let task: Task<Void, Never>

  init(_ comparison: ConfigurationComparison, clock: MachineClock, log: LineQueue) {
    task = Task.detached {
      var isFailing = false
      while !Task.isCancelled {
        do throws(StoreFault) {
          // A development server can move its clock forward, and then its report would seem newer
          // than those of the others.
          if try await comparison.compare(at: clock.unmovedNow()) {
            let text = comparison.warning ?? "the configuration is that of all other servers"
            log.write(LogLine.warning(text, at: clock.now()))
          }
          isFailing = false
        } catch {
          if !isFailing {
            let text = "the configurations of the servers cannot be compared: \(error)"
            log.write(LogLine.fault(text, at: clock.now()))
          }
          isFailing = true
        }
        await clock.pause(milliseconds: NodeReport.pauseMilliseconds)
      }
      // Without this, the report is ignored when it is no longer valid.
      do throws(StoreFault) { try await comparison.end() } catch {
        let text = "the end of this server cannot be reported: \(error)"
        log.write(LogLine.fault(text, at: clock.now()))
      }
    }
  }

  func stop() async {
    task.cancel()
    await task.value
  }
}

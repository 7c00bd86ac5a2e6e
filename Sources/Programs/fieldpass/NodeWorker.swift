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

  /// What a report found.
  enum Finding {
    /// The differences are those of the last report.
    case unchanged
    case changed
    /// The store has another master key than this server.
    case otherKey
  }

  /// Reports the own configuration, and compares it with the others.
  func compare() async throws(StoreFault) -> Finding {
    guard let store else { return .unchanged }
    switch try await store.exchange(node: node, digests: digests) {
    case .otherKey: return .otherKey
    case .reports(let all):
      let found = all.first { $0.node == node }?.differences(from: all) ?? []
      return differences.withLock { differences in
        defer { differences = found }
        return differences != found ? .changed : .unchanged
      }
    }
  }
}

/// Reports to the other servers regularly, and logs a change of the differences.
///
/// If the store has another master key, the server stops: it would write what no server can read.
final class NodeWorker: Sendable {
  private let task: Task<Void, Never>
  private let foundOtherKey: OtherKeyMark

  /// Whether the store has another master key than this server.
  var hasOtherKey: Bool { foundOtherKey.isSet }

  /// Calls `stopServer` once if the store has another master key.
  init(
    _ comparison: ConfigurationComparison, clock: MachineClock, log: LineQueue,
    stopServer: @escaping @Sendable () -> Void
  ) {
    let foundOtherKey = OtherKeyMark()
    self.foundOtherKey = foundOtherKey
    task = Task.detached {
      var isFailing = false
      while !Task.isCancelled {
        do throws(StoreFault) {
          guard try await Self.report(comparison, clock: clock, log: log) else {
            log.write(LogLine.fault(Self.otherKey, at: clock.now()))
            foundOtherKey.set()
            stopServer()
            break
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

  /// Reports once, and logs a change of the differences.
  ///
  /// - Returns: Whether the store has the master key of this server.
  static func report(
    _ comparison: ConfigurationComparison, clock: MachineClock, log: LineQueue
  ) async throws(StoreFault) -> Bool {
    switch try await comparison.compare() {
    case .unchanged: return true
    case .otherKey: return false
    case .changed:
      let text = comparison.warning ?? "the configuration is that of all other servers"
      log.write(LogLine.warning(text, at: clock.now()))
      return true
    }
  }

  private static let otherKey =
    "the master key of the database was replaced, so this server stops: copy the new "
    + "`keys/master.key` to this machine and start the server again"

  func stop() async {
    task.cancel()
    await task.value
  }
}

/// Whether a server found another master key; the worker sets it and the main thread reads it.
private final class OtherKeyMark: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }
}

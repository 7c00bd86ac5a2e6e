import Glibc
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
  private let digests: [String: String]
  /// The keys whose values differ from those of another server.
  private let differences = Mutex<[String]>([])

  init(_ setting: ServerSettings, _ keyring: Keyring, _ store: (any NodeReportStore)?) {
    self.store = store
    node = keyring.configurations.name(ofPlace: setting.ownPlace)
    digests = keyring.configurations.digests(of: setting.members)
  }

  /// The differences for the operator; `nil` if there are none.
  var warning: String? {
    let keys = differences.withLock { $0 }
    guard !keys.isEmpty else { return nil }
    return "the configuration of another server differs: " + keys.joined(separator: ", ")
  }

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
          // A test can move the clock of decisions, but not the one of the machine.
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
    }
  }

  func stop() async {
    task.cancel()
    await task.value
  }
}

extension ServerSettings {
  /// A text that no other server of the database has.
  fileprivate var ownPlace: String {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    let host = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let listen = configuration.listen
    return "\(host) \(data) \(listen.authority(port: listen.port))"
  }
}

import SignInHTTP
import SignInModel
import SignInService
import Synchronization
import SystemPorts
import Threads

/// Follows the signing keys in the database.
///
/// If they cannot be read, the log says so once and the current keys stay in use.
final class SigningKeyTableWatch: SigningKeyWatch {
  /// What the last check found.
  private enum Finding: Equatable {
    /// The identifiers and ends of the keys.
    case keys([String])
    case fault
  }

  private let keys: SigningKeys
  private let shared: SharedSigningKeys
  private let clock: MachineClock
  private let log: LineQueue
  private let last: Mutex<Finding>

  /// Replaces the server's own keys by those of the database, which gets them if it has none.
  init(
    _ keys: SigningKeys, _ store: any SigningKeyStore, _ storeKeys: StoreKeys,
    clock: MachineClock, log: LineQueue
  ) throws(StartFault) {
    self.keys = keys
    self.clock = clock
    self.log = log
    let shared = SharedSigningKeys(in: store, keys: storeKeys)
    self.shared = shared
    let own = keys.accepted(at: clock.now())
    let begun = BlockingCall.run { () -> Result<[SigningKeys.Key], StoreFault> in
      do throws(StoreFault) { return .success(try await shared.begin(with: own)) } catch {
        return .failure(error)
      }
    }
    switch begun {
    case .success(let found):
      keys.replace(with: found)
      last = Mutex(.keys(Self.marks(of: found)))
    case .failure(let fault):
      throw StartFault(
        "the signing keys cannot be used: \(fault)",
        hint: "give every server the same `master.key`, and check the database server")
    }
  }

  func check() async {
    let now = clock.now()
    do throws(StoreFault) {
      let found = try await shared.read()
      if found.isEmpty { throw .unusable("the database has none") }
      let finding = Finding.keys(Self.marks(of: found))
      if note(finding) != finding {
        keys.replace(with: found)
        log.write(LogLine.info(keys.summary(at: now, time: AccountOutput.moment), at: now))
      }
      // The keys that were read are used even if the ended ones cannot be removed.
      if found.contains(where: { $0.endsAt.map { $0 <= now } ?? false }) {
        try await shared.removeEnded(at: now)
      }
    } catch {
      guard note(.fault) != .fault else { return }
      log.write(
        LogLine.fault("the signing keys cannot be read, the current ones stay: \(error)", at: now))
    }
  }

  /// Stores what was found, and returns what the check before found.
  private func note(_ finding: Finding) -> Finding {
    last.withLock { last in
      defer { last = finding }
      return last
    }
  }

  private static func marks(of keys: [SigningKeys.Key]) -> [String] {
    keys.map { "\($0.id) \($0.signsUntil?.seconds ?? 0)" }.sorted()
  }
}

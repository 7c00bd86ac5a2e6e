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
    _ keys: SigningKeys, _ shared: SharedSigningKeys, folder: String, clock: MachineClock,
    log: LineQueue
  ) throws(StartFault) {
    self.keys = keys
    self.clock = clock
    self.log = log
    self.shared = shared
    let own = keys.accepted(at: clock.now())
    let loading = BlockingCall.run { () -> Result<SharedSigningKeys.LoadResult, StoreFault> in
      do throws(StoreFault) { return .success(try await shared.loadOrStore(own)) } catch {
        return .failure(error)
      }
    }
    let loaded: SharedSigningKeys.LoadResult
    switch loading {
    case .success(let found): loaded = found
    case .failure(let fault):
      throw StartFault(
        "the signing keys cannot be used: \(fault)",
        hint: "give every server the same `master.key`, and check the database server; if the rows "
          + "were changed, replace them with `fieldpass keys rotate --distrust-old`")
    }
    keys.replace(with: loaded.keys)
    last = Mutex(.keys(Self.marks(of: loaded.keys)))
    if let warning = Self.warning(about: loaded, filesIn: folder) {
      log.write(LogLine.warning(warning, at: clock.now()))
    }
  }

  /// What the operator should do about the signing keys in the folder, which no server reads after
  /// the database has keys.
  ///
  /// An empty table gets the keys of a folder, also those that were distrusted since.
  private static func warning(
    about loaded: SharedSigningKeys.LoadResult, filesIn folder: String
  ) -> String? {
    let files = Files.list(folder + "/keys")
      .filter { KeyFiles.isKeyFile($0) && KeyFile(rawValue: $0) != .master }.sorted()
    guard !files.isEmpty else { return nil }
    let names = files.map { "`\($0)`" }.joined(separator: ", ")
    let removal = "remove \(names) from `\(folder)/keys`: the signing keys are in the database"
    switch loaded {
    case .found: return removal
    case .stored:
      return "the database had no signing keys and got those of this folder; if they were "
        + "distrusted before, run `fieldpass keys rotate --distrust-old`; \(removal)"
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

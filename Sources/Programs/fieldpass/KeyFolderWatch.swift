import Cryptography
import Glibc
import SignInHTTP
import SignInModel
import SignInService
import Synchronization
import SystemPorts
import Threads

/// Follows the signing keys of the data folder, so that `fieldpass keys rotate` needs no restart.
///
/// It checks once a second and on each call of `check()`. It removes a key after all its tokens
/// have expired. If keys cannot be read, the log says so once and the current keys stay in use.
final class KeyFolderWatch: SigningKeyWatch {
  private let keys: SigningKeys
  private let data: String
  private let clock: MachineClock
  private let log: LineQueue
  /// The state of the files at the last check.
  private let seen: Mutex<[String]>

  init(_ keys: SigningKeys, data: String, clock: MachineClock, log: LineQueue) {
    self.keys = keys
    self.data = data
    self.clock = clock
    self.log = log
    seen = Mutex(Self.marks(of: data))
  }

  func check() {
    let now = clock.now()
    do throws(FileFault) {
      try KeyFiles.removeEnded(in: data, at: now)
    } catch {
      log.write(LogLine.fault("cannot remove an expired signing key: \(error.what)", at: now))
    }
    let marks = Self.marks(of: data)
    let isChanged = seen.withLock { seen in
      defer { seen = marks }
      return seen != marks
    }
    guard isChanged else { return }
    do throws(FileFault) {
      keys.replace(with: try KeyFiles.signingKeys(in: data))
      log.write(LogLine.info(keys.summary(at: now, time: AccountOutput.moment), at: now))
    } catch {
      log.write(
        LogLine.fault(
          "the signing keys cannot be read, the current ones stay: \(error.what); \(error.hint)",
          at: now
        ))
    }
  }

  /// The state of the files as text, to detect changes.
  ///
  /// A replaced file has a new inode number.
  private static func marks(of data: String) -> [String] {
    let folder = data + "/keys"
    return Files.list(folder).filter(KeyFiles.isKeyFile).map { name in
      var status = stat()
      guard stat(folder + "/" + name, &status) == 0 else { return name }
      let changed = status.st_mtim
      return "\(name) \(status.st_ino) \(changed.tv_sec) \(changed.tv_nsec) \(status.st_mode)"
    }
  }
}

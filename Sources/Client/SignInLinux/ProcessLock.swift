import Foundation
import Glibc
import Synchronization

/// Allows one process of a user at a time to do something, with a lock on an empty file.
///
/// The system releases the lock when the process ends, for any reason.
final class ProcessLock: Sendable {
  private static let pauseMilliseconds: UInt64 = 20

  let path: String
  private let file = Mutex<Int32>(-1)

  /// Other processes may run other versions of the app, so the names must not change.
  enum Purpose: String {
    /// One renewal at a time (L-22).
    case renewal = "lock"
    /// One change of the stored session at a time (L-32).
    case change
  }

  init(app: String, for purpose: Purpose) {
    let folder = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? NSTemporaryDirectory()
    path = "\(folder)/fieldpass-\(getuid())-\(app).\(purpose.rawValue)"
  }

  deinit { release() }

  /// If the file cannot be opened, no other process can share it, so there is no lock.
  func claim() async {
    let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard opened >= 0 else { return }
    while flock(opened, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { break }
      do { try await Task.sleep(nanoseconds: Self.pauseMilliseconds * 1_000_000) } catch { break }
    }
    let earlier = file.withLock { file in
      defer { file = opened }
      return file
    }
    if earlier >= 0 { close(earlier) }
  }

  func release() {
    let held = file.withLock { file in
      defer { file = -1 }
      return file
    }
    if held >= 0 { close(held) }
  }
}

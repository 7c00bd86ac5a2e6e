import Foundation
import Glibc
import Synchronization

/// Allows one renewal at a time among the processes of one user, with a lock on an empty file
/// (L-22).
///
/// The system releases the lock when the process ends, for any reason.
final class RenewalLock: Sendable {
  private static let pauseMilliseconds: UInt64 = 20

  private let path: String
  private let file = Mutex<Int32>(-1)

  init(app: String) {
    let folder = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? NSTemporaryDirectory()
    path = "\(folder)/fieldpass-\(getuid())-\(app).lock"
  }

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

import Foundation
import Glibc
import Synchronization

/// One renewal at a time among the processes of one person, by a lock on an empty file (L-22).
///
/// The system lets go of it when a process ends, however it ends.
final class RenewalLock: Sendable {
  private static let restMilliseconds: UInt64 = 20

  private let path: String
  private let file = Mutex<Int32>(-1)

  init(app: String) {
    let folder = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? NSTemporaryDirectory()
    path = "\(folder)/fieldpass-\(getuid())-\(app).lock"
  }

  /// Where the file cannot be had there is nobody to share it with.
  func claim() async {
    let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard opened >= 0 else { return }
    while flock(opened, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { break }
      do { try await Task.sleep(nanoseconds: Self.restMilliseconds * 1_000_000) } catch { break }
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

import Foundation
import Glibc
import Synchronization

/// A lock between the processes of one user, on an empty file.
///
/// The system releases the lock when the process ends, for any reason. The file is in the folder of
/// the app's own data, in which no other user can make it first.
final class ProcessLock: Sendable {
  /// The longest wait for another process, in milliseconds.
  ///
  /// It is the time limit of two requests. After a wait that was too long, a claim does not wait at
  /// all until one succeeds, so that a process that was stopped does not block every call.
  static let waitLimitMilliseconds: Int64 = 60_000
  private static let pauseMilliseconds: Int64 = 20

  private let folder: URL
  private let name: String
  private let waitLimit: Duration
  private let user: uid_t
  private let file = Mutex<Int32>(-1)
  /// Whether the last claim waited too long.
  private let hasWaitedTooLong = Mutex(false)

  /// Other processes may run other versions of the app, so the names must not change.
  enum Purpose: String {
    /// One renewal at a time (L-22).
    case renewal = "renewal.lock"
    /// One change of the stored session at a time (L-32).
    case change = "change.lock"
  }

  init(
    in folder: URL, for purpose: Purpose,
    waitLimitMilliseconds: Int64 = ProcessLock.waitLimitMilliseconds, user: uid_t = geteuid()
  ) {
    self.folder = folder
    name = purpose.rawValue
    self.user = user
    waitLimit = .milliseconds(waitLimitMilliseconds)
  }

  deinit { release() }

  /// Waits for a limited time until no other process has the lock.
  ///
  /// - Returns: Whether this process has the lock. `false` if the limit passed, if the task was
  ///   cancelled, or if the file cannot be opened or is not a regular file of this user.
  func claim() async -> Bool {
    guard let opened = openFile() else { return false }
    let limit = hasWaitedTooLong.withLock { $0 ? .zero : waitLimit }
    let end = ContinuousClock.now.advanced(by: limit)
    while flock(opened, LOCK_EX | LOCK_NB) != 0 {
      let mayBeReleased = errno == EWOULDBLOCK || errno == EINTR
      guard mayBeReleased, ContinuousClock.now < end, await Self.pause() else {
        hasWaitedTooLong.withLock { $0 = ContinuousClock.now >= end }
        close(opened)
        return false
      }
    }
    hasWaitedTooLong.withLock { $0 = false }
    let earlier = file.withLock { file in
      defer { file = opened }
      return file
    }
    if earlier >= 0 { close(earlier) }
    return true
  }

  func release() {
    let held = file.withLock { file in
      defer { file = -1 }
      return file
    }
    if held >= 0 { close(held) }
  }

  /// - Returns: Whether the task was not cancelled.
  private static func pause() async -> Bool {
    do {
      try await Task.sleep(for: .milliseconds(pauseMilliseconds))
      return true
    } catch {
      return false
    }
  }

  /// A file that another user made, a link and a pipe are refused.
  private func openFile() -> Int32? {
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      return nil
    }
    let path = folder.appendingPathComponent(name).path
    let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard opened >= 0 else { return nil }
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == user
    else {
      close(opened)
      return nil
    }
    return opened
  }
}

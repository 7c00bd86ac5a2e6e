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

  /// The result of a claim.
  enum ClaimResult: Equatable {
    case claimed
    /// Another process has the lock, or the task was cancelled while it waited for that process.
    case busy
    case failed(Failure)
  }

  /// The reason why no process of the app can have the lock.
  enum Failure: Error, Equatable {
    /// The folder of the app's own data cannot be made.
    case folder(reason: String)
    /// The file cannot be opened or locked, with the system's reason.
    case file(reason: String)
    /// There is a link, a pipe or another kind of file in place of the file.
    case otherKind
    /// Another user made the file.
    case otherOwner

    fileprivate static func file(_ code: Int32) -> Self {
      code == ELOOP ? .otherKind : .file(reason: String(cString: strerror(code)))
    }

    fileprivate var text: String {
      switch self {
      case .folder(let reason), .file(let reason): reason
      case .otherKind: "it is not a regular file"
      case .otherOwner: "another user made it"
      }
    }
  }

  private let folder: URL
  private let name: String
  private let waitLimit: Duration
  private let user: uid_t
  private let log: @Sendable (String) -> Void
  private let file = Mutex<Int32>(-1)
  /// The failure of the last claim, so that it is logged once; nil if it did not fail.
  private let lastFailure = Mutex<Failure?>(nil)
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
    waitLimitMilliseconds: Int64 = ProcessLock.waitLimitMilliseconds, user: uid_t = geteuid(),
    log: @escaping @Sendable (String) -> Void = ProcessLock.writeToStandardError
  ) {
    self.folder = folder
    self.log = log
    name = purpose.rawValue
    self.user = user
    waitLimit = .milliseconds(waitLimitMilliseconds)
  }

  deinit { release() }

  @Sendable private static func writeToStandardError(_ line: String) {
    FileHandle.standardError.write(Data("\(line)\n".utf8))
  }

  /// Waits for a limited time until no other process has the lock.
  ///
  /// A failure is logged once, until a claim does not fail.
  func claim() async -> ClaimResult {
    let result: ClaimResult
    do throws(Failure) {
      result = try await lock(try openedFile()) ? .claimed : .busy
    } catch {
      result = .failed(error)
    }
    note(result)
    return result
  }

  private func note(_ result: ClaimResult) {
    let failure: Failure? = if case .failed(let failure) = result { failure } else { nil }
    let isNew = lastFailure.withLock { last in
      defer { last = failure }
      return last != failure
    }
    guard let failure, isNew else { return }
    let path = folder.appendingPathComponent(name).path
    log("fieldpass: error: the lock file `\(path)` cannot be used: \(failure.text)")
    log(
      "hint: without it the session is neither renewed nor changed; check the file and its folder")
  }

  /// - Returns: Whether this process has the lock. `false` if the limit passed, or if the task was
  ///   cancelled.
  private func lock(_ opened: Int32) async throws(Failure) -> Bool {
    let limit = hasWaitedTooLong.withLock { $0 ? .zero : waitLimit }
    let end = ContinuousClock.now.advanced(by: limit)
    while flock(opened, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      guard code == EWOULDBLOCK || code == EINTR else {
        close(opened)
        throw .file(code)
      }
      guard ContinuousClock.now < end, await Self.pause() else {
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
  private func openedFile() throws(Failure) -> Int32 {
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .folder(reason: error.localizedDescription)
    }
    let path = folder.appendingPathComponent(name).path
    let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard opened >= 0 else { throw .file(errno) }
    do throws(Failure) { try check(opened) } catch {
      close(opened)
      throw error
    }
    return opened
  }

  private func check(_ opened: Int32) throws(Failure) {
    var status = stat()
    guard fstat(opened, &status) == 0 else { throw .file(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .otherKind }
    guard status.st_uid == user else { throw .otherOwner }
  }
}

import Foundation
import Synchronization
import Testing

@testable import SignInLinux

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Lock between the processes of an app")
struct ProcessLockTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("process-lock-\(UUID())")
  private var file: URL {
    folder.appendingPathComponent(ProcessLock.Purpose.renewal.rawValue)
  }

  private func lock(waitLimitMilliseconds: Int64 = 0) -> ProcessLock {
    ProcessLock(in: folder, for: .renewal, waitLimitMilliseconds: waitLimitMilliseconds)
  }

  private func makeFolder() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func removeFolder() throws { try FileManager.default.removeItem(at: folder) }

  @Test("L-22 a claim waits for another one until the limit, and is refused then")
  func waitsUntilLimit() async throws {
    let (first, second) = (lock(), lock(waitLimitMilliseconds: 60))
    #expect(await first.claim() == .claimed)

    let start = ContinuousClock.now
    #expect(await second.claim() == .busy)
    #expect(ContinuousClock.now - start >= .milliseconds(60))

    first.release()
    #expect(await second.claim() == .claimed)
    second.release()
    try removeFolder()
  }

  @Test("L-22 after a wait that was too long, claims do not wait until one succeeds")
  func waitsOnce() async throws {
    let (first, second) = (lock(), lock(waitLimitMilliseconds: 1000))
    #expect(await first.claim() == .claimed)
    #expect(await second.claim() == .busy)

    let start = ContinuousClock.now
    #expect(await second.claim() == .busy)
    #expect(ContinuousClock.now - start < .milliseconds(1000))

    first.release()
    #expect(await second.claim() == .claimed)
    second.release()
    #expect(await first.claim() == .claimed)
    let again = ContinuousClock.now
    #expect(await second.claim() == .busy)
    #expect(ContinuousClock.now - again >= .milliseconds(1000))
    first.release()
    try removeFolder()
  }

  @Test("a claim that waits gets the lock when the other one is released")
  func waitsForRelease() async throws {
    let (first, second) = (lock(), lock(waitLimitMilliseconds: 60_000))
    #expect(await first.claim() == .claimed)

    async let claimed = second.claim()
    first.release()

    #expect(await claimed == .claimed)
    second.release()
    try removeFolder()
  }

  @Test("the file of the lock is in the folder of the app, and only its user can open it")
  func ownFile() async throws {
    let lock = lock()
    #expect(await lock.claim() == .claimed)

    var status = stat()
    #expect(stat(file.path, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o600)
    #expect(stat(folder.path, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o700)
    lock.release()
    try removeFolder()
  }

  /// A lock whose lines of the log are collected.
  private func logged(
    user: uid_t = geteuid()
  ) -> (lock: ProcessLock, lines: @Sendable () -> [String]) {
    let lines = LogLines()
    let lock = ProcessLock(in: folder, for: .renewal, waitLimitMilliseconds: 0, user: user) {
      lines.append($0)
    }
    return (lock, { lines.all })
  }

  @Test("a claim fails if the folder cannot be made, and the log says so once")
  func noFolder() async throws {
    let (lock, lines) = logged()
    try Data().write(to: folder)

    for _ in 0..<2 {
      guard case .failed(.folder) = await lock.claim() else {
        Issue.record("a file is no folder")
        return
      }
    }
    #expect(lines().count == 2, "one error and one hint")
    #expect(lines()[0].hasPrefix("fieldpass: error: the lock file `\(file.path)` cannot be used: "))
    #expect(lines()[1].hasPrefix("hint: "))

    try removeFolder()
    #expect(await lock.claim() == .claimed)
    lock.release()
    #expect(lines().count == 2)
    try removeFolder()
    try Data().write(to: folder)
    guard case .failed(.folder) = await lock.claim() else {
      Issue.record("a file is no folder")
      return
    }
    #expect(lines().count == 4, "a failure after a success is logged again")
    try removeFolder()
  }

  @Test("a claim fails if the file cannot be opened, with the reason of the system")
  func notOpened() async throws {
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    let (lock, lines) = logged()

    #expect(
      await lock.claim() == .failed(.file(reason: String(cString: strerror(EISDIR)))))
    #expect(lines().count == 2 && lines()[0].hasSuffix(String(cString: strerror(EISDIR))))
    try removeFolder()
  }

  @Test("a link and a pipe in place of the file are a failure")
  func otherFiles() async throws {
    try makeFolder()
    let target = folder.appendingPathComponent("target")
    try Data().write(to: target)
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
    #expect(await logged().lock.claim() == .failed(.otherKind))

    try FileManager.default.removeItem(at: file)
    #expect(mkfifo(file.path, 0o600) == 0)
    let (lock, lines) = logged()
    #expect(await lock.claim() == .failed(.otherKind))
    #expect(lines().first?.hasSuffix("it is not a regular file") == true)
    try removeFolder()
  }

  @Test("a file of another user is a failure, and a lock that is in use is not")
  func foreignFile() async throws {
    let (foreign, lines) = logged(user: geteuid() + 1)
    #expect(await foreign.claim() == .failed(.otherOwner))
    #expect(lines().first?.hasSuffix("another user made it") == true)

    let ((own, ownLines), second) = (logged(), lock())
    #expect(await second.claim() == .claimed)
    #expect(await own.claim() == .busy)
    #expect(ownLines().isEmpty)
    second.release()
    try removeFolder()
  }
}

private final class LogLines: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func append(_ line: String) { lines.withLock { $0.append(line) } }
}

import Foundation
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
    #expect(await first.claim())

    let start = ContinuousClock.now
    #expect(await !second.claim())
    #expect(ContinuousClock.now - start >= .milliseconds(60))

    first.release()
    #expect(await second.claim())
    second.release()
    try removeFolder()
  }

  @Test("L-22 after a wait that was too long, claims do not wait until one succeeds")
  func waitsOnce() async throws {
    let (first, second) = (lock(), lock(waitLimitMilliseconds: 1000))
    #expect(await first.claim())
    #expect(await !second.claim())

    let start = ContinuousClock.now
    #expect(await !second.claim())
    #expect(ContinuousClock.now - start < .milliseconds(1000))

    first.release()
    #expect(await second.claim())
    second.release()
    #expect(await first.claim())
    let again = ContinuousClock.now
    #expect(await !second.claim())
    #expect(ContinuousClock.now - again >= .milliseconds(1000))
    first.release()
    try removeFolder()
  }

  @Test("a claim that waits gets the lock when the other one is released")
  func waitsForRelease() async throws {
    let (first, second) = (lock(), lock(waitLimitMilliseconds: 60_000))
    #expect(await first.claim())

    async let claimed = second.claim()
    first.release()

    #expect(await claimed)
    second.release()
    try removeFolder()
  }

  @Test("the file of the lock is in the folder of the app, and only its user can open it")
  func ownFile() async throws {
    let lock = lock()
    #expect(await lock.claim())

    var status = stat()
    #expect(stat(file.path, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o600)
    #expect(stat(folder.path, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o700)
    lock.release()
    try removeFolder()
  }

  @Test("a claim is refused if the folder cannot have a file")
  func noFolder() async throws {
    try Data().write(to: folder)
    #expect(await !lock().claim())
    try removeFolder()
  }

  @Test("a link and a pipe in place of the file are refused")
  func otherFiles() async throws {
    try makeFolder()
    let target = folder.appendingPathComponent("target")
    try Data().write(to: target)
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
    #expect(await !lock().claim())

    try FileManager.default.removeItem(at: file)
    #expect(mkfifo(file.path, 0o600) == 0)
    #expect(await !lock().claim())
    try removeFolder()
  }

  @Test("a file of another user is refused")
  func foreignFile() async throws {
    let foreign = ProcessLock(
      in: folder, for: .renewal, waitLimitMilliseconds: 0, user: geteuid() + 1)

    #expect(await !foreign.claim())
    #expect(await lock().claim())
    try removeFolder()
  }
}

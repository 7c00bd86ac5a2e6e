import Foundation
import Glibc
import Testing

@testable import SQLStore

@Suite("Server lock")
struct ServerLockTests {
  private let folder = TemporaryFolder()

  private func makeFolder() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false)
  }

  @Test("L-45 a second server on a folder is refused and learns the process of the first one")
  func second() throws {
    try makeFolder()
    let first = try ServerLock(directory: folder.path)

    let fault = #expect(throws: ServerLockFault.self) {
      _ = try ServerLock(directory: folder.path)
    }

    #expect(fault == .held(processID: getpid()))
    #expect(try folder.permissions(of: "/" + ServerLock.fileName) == 0o600)
    withExtendedLifetime(first) {}
  }

  @Test("L-45 the lock ends with its process, although its file stays")
  func released() throws {
    try makeFolder()
    do { _ = try ServerLock(directory: folder.path) }

    let path = folder.path + "/" + ServerLock.fileName
    #expect(FileManager.default.fileExists(atPath: path))
    withExtendedLifetime(try ServerLock(directory: folder.path)) {}
  }

  @Test("L-45 a server whose lock file was removed still locks the folder")
  func removedFile() throws {
    try makeFolder()
    let first = try ServerLock(directory: folder.path)
    try FileManager.default.removeItem(atPath: folder.path + "/" + ServerLock.fileName)
    let link = folder.path + "-link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
    defer { unlink(link) }

    for path in [folder.path, link] {
      let fault = #expect(throws: ServerLockFault.self) { _ = try ServerLock(directory: path) }
      #expect(fault == .held(processID: nil))
    }
    withExtendedLifetime(first) {}
  }

  @Test(
    "L-45 a lock is still valid when the process identifier in its file cannot be read",
    arguments: ["", "x\n", "0\n", "-1\n", "2147483647\n", "2147483648\n"])
  func unreadableHolder(text: String) throws {
    try makeFolder()
    let first = try ServerLock(directory: folder.path)
    // The largest process identifier of Linux is far below these.
    try text.write(
      toFile: folder.path + "/" + ServerLock.fileName, atomically: false, encoding: .utf8)

    let fault = #expect(throws: ServerLockFault.self) {
      _ = try ServerLock(directory: folder.path)
    }

    #expect(fault == .held(processID: nil))
    withExtendedLifetime(first) {}
  }

  @Test("L-45 a missing folder, or a lock file that is a link, is unusable")
  func unusable() throws {
    func fault() -> ServerLockFault? {
      do throws(ServerLockFault) {
        _ = try ServerLock(directory: folder.path)
        return nil
      } catch {
        return error
      }
    }
    guard case .unusable = fault() else {
      Issue.record("the folder does not exist")
      return
    }
    try makeFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/" + ServerLock.fileName, withDestinationPath: "/dev/null")
    guard case .unusable = fault() else {
      Issue.record("the lock is a link to another file")
      return
    }
  }

  @Test("L-45 commands use the store while a server has the lock")
  func besideStores() throws {
    let server = try SQLiteStore(directory: folder.path)
    let lock = try ServerLock(directory: folder.path)

    try SQLiteStore(directory: folder.path).close()

    withExtendedLifetime(lock) {}
    server.close()
  }
}

import Foundation
import SignInModel
import SignInService
import SignInTesting
import Testing

@testable import SQLStore

@Suite("A backup of a store in use")
struct BackupTests {
  private let folder = TemporaryFolder()
  private let keys = Keyring.storeKeys(master: [UInt8](repeating: 7, count: 32))
  private let caller = Caller(client: nil, peer: nil, proofKeyThumbprint: nil)

  private var copy: String { folder.path + "/it's a copy.db" }

  private func write(_ count: Int, to store: SQLiteStore) async throws {
    for number in 0..<count {
      try await store.transact { [caller] (transaction) throws(StoreFault) in
        try transaction.record(
          .codeSent, about: AccountID("tara"), by: caller, at: Instant(seconds: Int64(number)))
      }
    }
  }

  @Test("A copy made during writes is complete and has the log up to one moment")
  func whileWriting() async throws {
    let store = try SQLiteStore(directory: folder.path, keys: keys)
    defer { store.close() }
    try await write(50, to: store)
    _ = try await linkEvents(in: store, at: Instant(seconds: 50))

    async let more: Void = write(200, to: store)
    try SQLiteBackup.make(of: folder.path, at: copy)
    try await more

    let backup = try SQLiteBackup(file: copy, keys: keys)
    #expect(try backup.integrityProblems() == [])
    #expect(try backup.schema() == SQLiteBackup.newestSchema)
    guard case .unbroken(let count, _) = try await verifyEvents(in: backup, key: keys.events) else {
      Issue.record("the chain of the copy is broken")
      return
    }
    #expect(count == 50)
    let now = Instant(seconds: 200)
    let tail = try await readUnlinkedReport(in: backup, key: keys.events, at: now)
    #expect((0...200).contains(tail.count) && tail.refusedCount == 0)
    _ = try await linkEvents(in: store, at: now)
    #expect(
      try await store.read { transaction throws(StoreFault) in try transaction.lastEvent() }?
        .sequence == 250)
  }

  @Test("A backup is only read and never replaces a file that has content")
  func readOnly() async throws {
    let store = try SQLiteStore(directory: folder.path, keys: keys)
    defer { store.close() }
    try await write(1, to: store)
    try SQLiteBackup.make(of: folder.path, at: copy)
    let backup = try SQLiteBackup(file: copy, keys: keys)

    await #expect(throws: StoreFault.self) {
      try await backup.transact { _ throws(StoreFault) in }
    }
    #expect(throws: StoreFault.self) { try SQLiteBackup.make(of: folder.path, at: copy) }
    #expect(throws: StoreFault.self) { try SQLiteBackup.make(of: "/absent", at: copy + "2") }
  }

  @Test("Files that are not backups, or may lack the last writes, are refused")
  func otherFiles() async throws {
    let store = try SQLiteStore(directory: folder.path, keys: keys)
    try await write(1, to: store)
    store.close()
    let text = folder.path + "/text"
    try Data("SQLite format 3".utf8).write(to: URL(filePath: text))

    for path in [text, folder.path + "/absent", folder.path, folder.database] {
      #expect(throws: StoreFault.self) { try SQLiteBackup(file: path) }
    }
  }
}

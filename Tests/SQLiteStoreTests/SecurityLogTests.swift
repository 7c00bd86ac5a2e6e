import Foundation
import SignInModel
import SignInRules
import SignInService
import SignInTesting
import Testing

@testable import SQLStore

@Suite("The security log on disk")
struct SecurityLogTests {
  private let folder = TemporaryFolder()
  private let caller = Caller(
    client: ClientID("app"), peer: "192.0.2.1", proofKeyThumbprint: "key"
  )

  /// Writes a database with this number of events in its log.
  private func writeLog(_ count: Int64) async throws {
    let store = try SQLiteStore(directory: folder.path)
    for number in 1...count {
      try await store.transact { [caller] (transaction) throws(StoreFault) in
        try transaction.record(
          .passwordRefused, about: AccountID("account-\(number)"), by: caller,
          at: Instant(seconds: number)
        )
      }
    }
    _ = try await linkEvents(in: store, at: Instant(seconds: count))
    store.close()
  }

  private func verify() async throws -> EventChain {
    let store = try SQLiteStore(directory: folder.path)
    defer { store.close() }
    return try await verifyEvents(in: store)
  }

  @Test("The chain continues after a restart")
  func outlives() async throws {
    try await writeLog(3)
    try await writeLog(2)

    guard case .unbroken(let count, _) = try await verify() else {
      Issue.record("the chain is broken")
      return
    }
    #expect(count == 5)
  }

  @Test(
    "The database refuses to change the log",
    arguments: [
      "UPDATE security_events SET account = 'other' WHERE sequence = 2",
      "DELETE FROM security_events WHERE sequence = 2", "DELETE FROM security_events",
      "DELETE FROM security_events WHERE sequence = 1",
    ]
  )
  func refuses(_ sql: String) async throws {
    try await writeLog(3)

    #expect(throws: RawDatabase.Refused.self) { try RawDatabase(folder.database).run(sql) }
  }

  @Test(
    "A change of the log from outside is found at the first event that does not match",
    arguments: [
      ("UPDATE security_events SET account = 'other' WHERE sequence = 2", 2),
      ("UPDATE security_events SET peer = NULL WHERE sequence = 1", 1),
      ("UPDATE security_events SET hash = zeroblob(32) WHERE sequence = 3", 3),
      ("UPDATE security_events SET code = 'sign_in.forged' WHERE sequence = 4", 4),
      ("DELETE FROM security_events WHERE sequence = 2", 2),
      ("DELETE FROM security_events WHERE sequence = 1", 1),
      ("UPDATE security_events SET sequence = 9 WHERE sequence = 5", 5),
    ]
  )
  func found(_ sql: String, _ sequence: Int64) async throws {
    try await writeLog(5)
    let raw = try RawDatabase(folder.database)
    try raw.run("DROP TRIGGER security_events_are_not_changed")
    try raw.run("DROP TRIGGER security_events_are_not_removed")

    try raw.run(sql)

    #expect(try await verify() == .broken(at: sequence))
  }
}

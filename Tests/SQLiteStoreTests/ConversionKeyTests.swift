import Foundation
import SignInModel
import SignInService
import Testing

@testable import SQLStore

@Suite("Policy values under the earlier names of their keys")
struct ConversionKeyTests {
  private let folder = TemporaryFolder()
  private let earlier = #"""
    {"messages":{"brake_after":5,"per_day":9,"brake_percent":20},\#
    "texts":{"sign_in":"{code} é \"brake_after\":"}}
    """#
  private let later = #"""
    {"messages":{"conversion_checked_after":5,"per_day":9,"minimum_conversion_percent":20},\#
    "texts":{"sign_in":"{code} é \"brake_after\":"}}
    """#

  @Test("L-16 an upgrade of a file keeps the changed values under the later names of their keys")
  func upgrade() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false)
    #expect(FileManager.default.createFile(atPath: folder.database, contents: Data()))
    let raw = try RawDatabase(folder.database)
    let before = try #require(Schema.migrations.firstIndex(of: Schema.conversionKeys))
    for migration in Schema.migrations[..<before] { try raw.run(migration) }
    try raw.run("PRAGMA user_version = \(before)")
    try raw.run("INSERT INTO policies VALUES ('client', 'app', CAST('\(earlier)' AS BLOB))")

    let store = try SQLiteStore(directory: folder.path)

    #expect(
      try raw.number("SELECT count(*) FROM policies WHERE changes = CAST('\(later)' AS BLOB)") == 1)
    let found = try await store.read { (transaction) throws(StoreFault) in
      try transaction.policyChanges(of: .client(ClientID("app")))
    }
    #expect(!found.isEmpty)
    store.close()
  }
}

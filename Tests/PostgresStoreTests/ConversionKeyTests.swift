import JSONText
import SignInModel
import SignInService
import Testing

@testable import SQLStore

@Suite("Policy values under the earlier names of their keys in PostgreSQL")
struct ConversionKeyTests {
  private let earlier = #"""
    {"messages":{"brake_after":5,"per_day":9,"brake_percent":20},\#
    "texts":{"sign_in":"{code} é \"brake_after\":"}}
    """#
  private let later = #"""
    {"messages":{"conversion_checked_after":5,"per_day":9,"minimum_conversion_percent":20},\#
    "texts":{"sign_in":"{code} é \"brake_after\":"}}
    """#

  @Test("L-16 an upgrade of PostgreSQL keeps the changed values under the later names of the keys")
  func upgrade() async throws {
    let server = try PostgresCluster.shared.get().emptySchema()
    let raw = try PostgresConnection(server, limits: .small, damage: DamageLog())
    let before = try #require(
      PostgresSchema.migrations.firstIndex { $0.statements == [PostgresSchema.conversionKeys] })
    try raw.execute("CREATE SCHEMA \(server.schema)")
    for migration in PostgresSchema.migrations[..<before] {
      for statement in migration.statements { try raw.execute(statement) }
    }
    try raw.execute(
      """
      CREATE TABLE schema_versions (version bigint PRIMARY KEY, oldest_user bigint NOT NULL);
      INSERT INTO schema_versions VALUES (\(before), 1);
      INSERT INTO policies VALUES ('client', 'app', convert_to('\(earlier)', 'UTF8'));
      INSERT INTO policies VALUES ('client', 'damaged', '\\xff00');
      """)

    let store = try PostgresStore(server, limits: .small)

    let found = try await store.read { (transaction: any Transaction) throws(StoreFault) in
      try transaction.policyChanges(of: .client(ClientID("app")))
    }
    #expect(String(decoding: found.json.utf8, as: UTF8.self) == later)
    let isUnchanged = try raw.first("SELECT changes FROM policies WHERE subject = 'damaged'") {
      row in row.bytes() == [0xff, 0]
    }
    #expect(isUnchanged == true)
    store.close()
  }
}

import Foundation
import SignInModel
import SignInService
import Testing

@testable import SQLStore

@Suite("Connections to PostgreSQL")
struct PostgresServerTests {
  private let cluster: PostgresCluster

  init() throws { cluster = try PostgresCluster.shared.get() }

  @Test("nodes that start at once create the tables once")
  func createsTablesOnce() async throws {
    let schema = cluster.emptySchema()

    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { try PostgresStore(schema, limits: .small).close() }
      }
      try await group.waitForAll()
    }

    let connection = try PostgresConnection(schema, limits: .small, damage: DamageLog())
    let count = try connection.first("SELECT count(*) FROM schema_steps") { $0.number() }
    #expect(count == Schema.version)
  }

  private func connection(_ schema: PostgresServer) throws(StoreFault) -> PostgresConnection {
    try PostgresConnection(schema, limits: .small, damage: DamageLog())
  }

  @Test("nodes that start at once apply a new step once")
  func appliesStepOnce() async throws {
    let schema = cluster.emptySchema()
    try PostgresStore(schema, limits: .small).close()
    let steps =
      Schema.steps + [
        SchemaStep(postgres: ["CREATE TABLE added (id bigint)"], oldestUser: Schema.version)
      ]

    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { try PostgresSchema.apply(steps, to: connection(schema), schema) }
      }
      try await group.waitForAll()
    }

    let raw = try connection(schema)
    let count = try raw.first("SELECT count(*) FROM schema_steps") { $0.number() }
    #expect(count == Schema.version + 1)
    #expect(try raw.first("SELECT count(*) FROM added") { $0.number() } == 0)
    // A node of the version before still starts.
    try PostgresStore(schema, limits: .small).close()
  }

  @Test("a step that fails changes nothing, not even with the steps before it")
  func appliesStepsTogether() throws {
    let schema = cluster.emptySchema()
    try PostgresStore(schema, limits: .small).close()
    let steps =
      Schema.steps + [
        SchemaStep(postgres: ["CREATE TABLE added (id bigint)"]),
        SchemaStep(postgres: ["CREATE TABLE further (id bigint)", "DROP TABLE missing"]),
      ]

    #expect(throws: StoreFault.self) {
      try PostgresSchema.apply(steps, to: connection(schema), schema)
    }

    let raw = try connection(schema)
    let count = try raw.first("SELECT count(*) FROM schema_steps") { $0.number() }
    #expect(count == Schema.version)
    let tables = try raw.first(
      """
      SELECT count(*) FROM pg_tables
      WHERE tablename IN ('added', 'further') AND schemaname = current_schema()
      """
    ) { $0.number() }
    #expect(tables == 0)
  }

  @Test("a database of a newer program is refused only if that program says so")
  func refusesNewerSchema() throws {
    let schema = cluster.emptySchema()
    try PostgresStore(schema, limits: .small).close()
    let connection = try PostgresConnection(schema, limits: .small, damage: DamageLog())
    let newer = Schema.version + 1

    try connection.execute("INSERT INTO schema_steps VALUES (\(newer), 1)")
    try PostgresStore(schema, limits: .small).close()

    try connection.execute("UPDATE schema_steps SET oldest_user = \(newer)")
    let fault = #expect(throws: StoreFault.self) { try PostgresStore(schema, limits: .small) }
    #expect(String(describing: fault).contains("install the newer program"))
  }

  @Test("P-09 a database with another encoding than UTF-8 is refused before it is used")
  func refusesOtherEncoding() throws {
    let connection = try PostgresConnection(
      cluster.server(), limits: .small, damage: DamageLog())
    try connection.execute(
      "CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    let server = cluster.server()
    var latin = PostgresServer(
      host: server.host, port: server.port, database: "latin", credential: server.credential,
      encryption: .none)
    latin.schema = "public"

    let fault = #expect(throws: StoreFault.self) { try PostgresStore(latin, limits: .small) }

    #expect(String(describing: fault).contains("the encoding LATIN1, not UTF8"))
    let other = try PostgresConnection(latin, limits: .small, damage: DamageLog())
    #expect(
      try other.first("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") { $0.number() }
        == 0)
    try connection.execute("DROP DATABASE latin WITH (FORCE)")
  }

  @Test("the certificate of the server is checked")
  func checksCertificate() throws {
    let right = cluster.server(
      host: "localhost", encryption: .verified(authorities: cluster.folder + "/server.pem"))
    _ = try PostgresConnection(right, limits: .small, damage: DamageLog())

    for file in ["other.pem", "missing.pem"] {
      let wrong = cluster.server(
        host: "localhost", encryption: .verified(authorities: cluster.folder + "/" + file))
      #expect(throws: StoreFault.self) {
        try PostgresConnection(wrong, limits: .small, damage: DamageLog())
      }
    }
    let otherName = cluster.server(
      host: "127.0.0.1", encryption: .verified(authorities: cluster.folder + "/server.pem"))
    #expect(throws: StoreFault.self) {
      try PostgresConnection(otherName, limits: .small, damage: DamageLog())
    }
  }

  @Test("a wrong password is refused, and the message does not contain it")
  func refusesPassword() throws {
    let wrong = cluster.server(password: "wrong-password")

    let fault = #expect(throws: StoreFault.self) { try PostgresStore(wrong, limits: .small) }

    let text = String(describing: fault)
    #expect(text.contains("password authentication failed"))
    #expect(!text.contains("wrong-password"))
  }

  @Test("a database that only can be read is passed over for the next one in the list")
  func passesOverReplica() throws {
    let schema = cluster.emptySchema()
    let owner = try PostgresConnection(schema, limits: .small, damage: DamageLog())
    try owner.execute(
      """
      CREATE ROLE only_reads LOGIN PASSWORD '\(PostgresCluster.password)';
      ALTER ROLE only_reads SET default_transaction_read_only = on
      """)
    defer { #expect(throws: Never.self) { try owner.execute("DROP ROLE only_reads") } }

    let fault = #expect(throws: StoreFault.self) {
      try PostgresConnection(
        cluster.server(user: "only_reads"), limits: .small, damage: DamageLog())
    }
    #expect(String(describing: fault).contains("read-only"))
    // No server listens in the first folder.
    let list = cluster.server(host: "/nonexistent,\(cluster.folder)")
    _ = try PostgresConnection(list, limits: .small, damage: DamageLog())
  }

  @Test(
    "a connection on which no answer comes in time is lost", arguments: [(10, false), (0, true)])
  func endsSilentConnection(_ limitSeconds: Int64, _ isLost: Bool) throws {
    var limits = PostgresLimits.small
    limits.answerMilliseconds = limitSeconds * 1000 + 200
    let deadlines = PostgresDeadlines(limits)
    deadlines.start()
    defer { deadlines.close() }
    let connection = try PostgresConnection(
      cluster.server(), limits: limits, damage: DamageLog(), deadlines: deadlines)

    let fault = Result { () throws(StoreFault) in
      try connection.execute("SELECT pg_sleep(1)")
    }

    #expect(connection.isLost == isLost)
    switch fault {
    case .success: #expect(!isLost)
    case .failure(let fault):
      #expect(fault == .unavailable("the connection to the database was lost"))
      #expect(isLost)
    }
  }

  @Test("a transaction that sends nothing gives its locks back before others stop to wait for them")
  func endsIdleTransaction() throws {
    let standard = PostgresLimits()
    #expect(standard.idleMilliseconds < standard.lockMilliseconds)
    #expect(standard.answerMilliseconds > standard.statementMilliseconds)
    var limits = PostgresLimits.small
    limits.idleMilliseconds = 200
    let silent = try PostgresConnection(cluster.server(), limits: limits, damage: DamageLog())
    let other = try PostgresConnection(cluster.server(), limits: limits, damage: DamageLog())
    try silent.execute("BEGIN; SELECT pg_advisory_xact_lock(4711)")

    try other.execute("BEGIN; SELECT pg_advisory_xact_lock(4711); COMMIT")

    #expect(throws: StoreFault.unavailable("the connection to the database was lost")) {
      try silent.execute("COMMIT")
    }
  }

  @Test(
    "a text is read as it was stored", arguments: ["", "a\0b\0", "\u{10FFFF}0\0\u{10FFFF}", "é"])
  func storesText(_ text: String) {
    let stored = PostgresText.stored(text)

    #expect(!stored.utf8.contains(0))
    #expect(Array(stored.utf8).withUnsafeBytes { PostgresText.read($0) } == text)
  }

  @Test(
    "a statement is translated",
    arguments: [
      ("SELECT 1 WHERE a = ? AND b = ?", "SELECT 1 WHERE a = $1 AND b = $2"),
      ("SELECT ?2, ?1, '?'", "SELECT $2, $1, '?'"),
      ("SELECT id FROM jobs INDEXED BY some_index WHERE a = ?", "SELECT id FROM jobs WHERE a = $1"),
    ])
  func translates(_ statement: StaticStringText, _ expected: String) {
    #expect(PostgresDialect.translate(statement.text) == expected)
  }
}

/// A statement as an argument of a test.
struct StaticStringText: ExpressibleByStringLiteral, Sendable {
  let text: StaticString

  init(stringLiteral text: StaticString) { self.text = text }
}

import Foundation
import SignInModel

@testable import SQLStore

/// A database that writes each statement of its user into its log.
///
/// Other users of the same server do not change the counts.
struct CountedDatabase {
  /// What some work cost.
  ///
  /// Several statements can have one round trip.
  struct Cost: Equatable {
    var transactions = 0
    var locks = 0
    var statements = 0
    var roundTrips = 0

    static func + (one: Cost, other: Cost) -> Cost {
      Cost(
        transactions: one.transactions + other.transactions, locks: one.locks + other.locks,
        statements: one.statements + other.statements,
        roundTrips: one.roundTrips + other.roundTrips)
    }
  }

  let server: PostgresServer
  private let roundTrips = RoundTripCount()
  private let log: URL
  private let cluster: PostgresCluster

  init(_ cluster: PostgresCluster) throws {
    self.cluster = cluster
    let administrator = try PostgresConnection(
      cluster.server(), limits: .small, damage: DamageLog())
    try administrator.execute(
      """
      CREATE ROLE counted LOGIN PASSWORD '\(PostgresCluster.password)';
      GRANT CREATE ON DATABASE postgres TO counted;
      ALTER ROLE counted SET log_statement = 'all'
      """)
    var server = PostgresServer(
      host: cluster.folder, port: cluster.port, database: "postgres",
      credential: .init(user: "counted", readPassword: { Secret(PostgresCluster.password) }),
      encryption: .none)
    server.schema = "counted"
    server.roundTrips = roundTrips
    self.server = server
    log = URL(fileURLWithPath: cluster.folder + "/data/server.log")
  }

  /// Removes all records.
  func empty() throws {
    let administrator = try PostgresConnection(
      cluster.server(), limits: .small, damage: DamageLog())
    try administrator.execute("DROP SCHEMA IF EXISTS counted CASCADE")
  }

  /// What the work costs, without the preparation of statements, which happens once for each
  /// connection.
  ///
  /// The server writes a statement before it runs it, so the log is complete after the work.
  func cost(of work: () async throws -> Void) async throws -> Cost {
    let (before, tripsBefore) = (try Data(contentsOf: log).count, roundTrips.value)
    try await work()
    let text = String(decoding: try Data(contentsOf: log).dropFirst(before), as: UTF8.self)
    var cost = Cost(roundTrips: roundTrips.value - tripsBefore)
    for line in text.split(separator: "\n") {
      guard let statement = Self.statement(in: line) else { continue }
      if statement.hasPrefix("BEGIN") {
        cost.transactions += 1
      } else if statement.contains("pg_advisory_xact_lock") {
        cost.locks += 1
      } else if statement != "COMMIT", statement != "ROLLBACK" {
        cost.statements += 1
      }
    }
    return cost
  }

  /// The first line of a statement, if this line of the log begins with one.
  private static func statement(in line: Substring) -> Substring? {
    if let simple = line.firstRange(of: "LOG:  statement: ") { return line[simple.upperBound...] }
    guard let prepared = line.firstRange(of: "LOG:  execute "),
      let name = line[prepared.upperBound...].firstRange(of: ": ")
    else { return nil }
    return line[name.upperBound...]
  }
}

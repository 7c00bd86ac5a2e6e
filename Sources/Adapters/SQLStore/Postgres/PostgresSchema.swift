internal import SignInService

/// The tables in PostgreSQL, and the migrations from earlier versions.
///
/// A released migration is never changed. Servers of the previous version run during an update, so
/// a migration must not break them: it adds tables, columns with a default, and indexes. What it no
/// longer needs is removed one version later.
enum PostgresSchema {
  struct Migration {
    let statements: [String]
    /// The oldest version that a program must know to use the database after this migration.
    let oldestUser: Int64
  }

  static let migrations = [
    Migration(
      statements: [functions, firstTables, moreTables, firstIndexes, triggers], oldestUser: 1),
    Migration(statements: [deviceNames, usedProofs], oldestUser: 1),
    Migration(statements: [visitDetails], oldestUser: 1),
    Migration(statements: [workOrganizations], oldestUser: 1),
    Migration(statements: [overview], oldestUser: 1),
    Migration(statements: [eventCodes], oldestUser: 1),
    Migration(statements: [unlinkedEvents], oldestUser: 1),
    Migration(statements: [statusNotes], oldestUser: 1),
    Migration(statements: [sessionPlaces], oldestUser: 1),
    Migration(statements: [signingKeys], oldestUser: 1),
    Migration(statements: [nodeReports], oldestUser: 1),
    Migration(statements: [accountLocks], oldestUser: 1),
    Migration(statements: [accountSearch], oldestUser: 1),
    Migration(statements: [productPhotos], oldestUser: 1),
    Migration(statements: [conversionKeys], oldestUser: 1),
    Migration(statements: [productSearch], oldestUser: 1),
    Migration(statements: [contactProofs], oldestUser: 1),
    Migration(statements: [recordKeys], oldestUser: 1),
    Migration(statements: [CanonicalAddresses.migration], oldestUser: 1),
    Migration(statements: [searchTexts], oldestUser: 1),
    Migration(statements: [journeyEndings], oldestUser: 1),
    Migration(statements: [sessionRenewals], oldestUser: 1),
    Migration(statements: [signOuts], oldestUser: 1),
    Migration(statements: [eventNotes], oldestUser: 1),
    Migration(statements: [revocableChanges], oldestUser: 1),
    Migration(statements: [formerContacts], oldestUser: 1),
  ]

  static var version: Int64 { Int64(migrations.count) }

  /// Creates or migrates the tables in one transaction.
  ///
  /// A lock lets one server migrate at a time. The others then find nothing to do.
  ///
  /// - Throws: `.unusable` if a newer program wrote the database and this program cannot use it.
  static func migrate(
    _ connection: PostgresConnection, _ server: PostgresServer
  ) throws(StoreFault) {
    defer { connection.rollBack() }
    connection.begin(for: .writing)
    try connection.lockForMigration()
    try connection.execute("CREATE SCHEMA IF NOT EXISTS \(server.schema)")
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS schema_versions (
        version     bigint NOT NULL PRIMARY KEY,
        oldest_user bigint NOT NULL
      )
      """)
    let found = try connection.schemaVersion()
    guard found.oldestUser <= version else {
      throw .unusable(
        """
        the database \(server.name) has schema \(found.version), which needs a program that knows \
        schema \(found.oldestUser); this one knows \(version): install the newer program
        """)
    }
    for number in found.version..<max(found.version, version) {
      let migration = migrations[Int(number)]
      for statement in migration.statements {
        try connection.execute(statement)
        if statement == CanonicalAddresses.migration {
          try CanonicalAddresses.write(.postgres(connection))
        }
      }
      try connection.execute(
        "INSERT INTO schema_versions VALUES (\(number + 1), \(migration.oldestUser))")
    }
    if found.version <= version { try MissingSearchTexts.write(.postgres(connection)) }
    try connection.execute("COMMIT")
  }
}

extension PostgresConnection {
  fileprivate func lockForMigration() throws(StoreFault) {
    try run("SELECT pg_advisory_xact_lock(?)") { $0.bind(Self.number("migration")) }
  }

  fileprivate func schemaVersion() throws(StoreFault) -> (version: Int64, oldestUser: Int64) {
    let found = try first(
      """
      SELECT version, oldest_user FROM schema_versions ORDER BY version DESC LIMIT 1
      """,
      read: { row in (version: row.number(), oldestUser: row.number()) })
    return found ?? (0, 0)
  }
}

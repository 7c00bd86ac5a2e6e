internal import Cryptography
public import SignInService

/// Copies all records of a data folder into an empty PostgreSQL database, and compares the two.
public enum StoreCopy {
  /// One table with its number of records.
  public struct Table: Sendable {
    public let name: String
    public let count: Int64
  }

  /// The tables in which a new database already has a record, which the copy replaces.
  private static let begun: Set = ["data_change_bounds", "record_versions", "security_log_start"]

  /// Copies the records in one transaction of the database.
  ///
  /// Nothing else can use the data folder or the tables during the copy. `report` gets each table
  /// that was copied and compared.
  ///
  /// - Throws: `.unavailable` if another program uses the data folder, or a database cannot be
  ///   reached. `.unusable` if the database has records, if the data folder has another schema, or
  ///   if a copied table differs. Then the database has no new record.
  public static func make(
    of directory: String, in server: PostgresServer, report: (Table) -> Void
  ) throws(StoreFault) {
    let damage = DamageLog()
    let source = try openAlone(directory, damage)
    let target = try PostgresConnection(server, limits: PostgresLimits(), damage: damage)
    try server.checkEncoding(target)
    try PostgresSchema.apply(to: target, server)
    try target.execute(
      "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0")
    defer { target.rollBack() }
    let tables = try source.copiedTables()
    for table in tables { try target.take(table.name, mayHaveRecords: begun.contains(table.name)) }
    for table in tables {
      let columns = try target.columns(of: table)
      let sent = try target.fill(table, columns, from: source)
      guard try target.digest(of: table, columns) == sent.digest else {
        throw .unusable("the copy of the table \(table.name) differs: report this")
      }
      report(Table(name: table.name, count: sent.count))
    }
    try target.numberEventsAfterCopy()
    // The planner needs their sizes. Those of other schemas do not change.
    for table in tables { try target.execute("ANALYZE \(table.name)") }
    try target.execute("COMMIT")
  }

  /// Opens the database of a data folder if no other program has opened it.
  private static func openAlone(
    _ directory: String, _ damage: DamageLog
  ) throws(StoreFault) -> SQLiteConnection {
    var limits = SQLiteLimits()
    limits.busyMilliseconds = 1000
    let source = try SQLiteConnection(
      path: directory + "/fieldpass.db", for: .writing, limits: limits, damage: damage)
    do throws(StoreFault) {
      // In this mode, the write-ahead log can be opened only by one program.
      try source.execute("PRAGMA locking_mode = EXCLUSIVE")
      try source.execute("BEGIN IMMEDIATE")
    } catch {
      guard case .unavailable(let why) = error else { throw error }
      throw .unavailable("another program uses \(directory), or \(why)")
    }
    let schema = try source.lines("PRAGMA user_version").first ?? ""
    guard schema == String(Schema.version) else {
      throw .unusable(
        "\(directory) has schema \(schema), and this program needs schema \(Schema.version)")
    }
    return source
  }
}

/// A table that is copied, with the columns that order its records.
struct CopiedTable {
  let name: String
  let columns: [String]
  let order: [String]
}

/// A column with its type in PostgreSQL.
struct CopiedColumn {
  enum Kind: String {
    case text
    case number = "int8"
    case bytes = "bytea"
  }

  let name: String
  let kind: Kind
}

/// The digest of the records in their order, from which the next one follows.
struct CopyDigest: Equatable {
  private var value = [UInt8](repeating: 0, count: SHA256Digest.byteCount)

  mutating func add(_ record: some Sequence<UInt8>) { value = SHA256Digest.of(value + record) }
}

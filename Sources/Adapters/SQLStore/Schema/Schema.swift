/// The tables of both databases, and the steps from one version of them to the next.
///
/// Each area has a file with its tables in the SQL of SQLite, which `PostgresDialect` translates.
/// What only one database has is in `SQLiteSchema` and `PostgresSchema`.
///
/// Moments are in milliseconds since 1970, and days are numbered from 1970-01-01. Lists are words
/// with a space between them. Indexes for lists have every column of their conditions, so that a
/// count or a search reads nothing but the index.
enum Schema {
  /// The first step makes version 1 of an empty database, a second one would make version 2.
  ///
  /// A released step is never changed; a further change is a further step.
  static let steps = [
    SchemaStep(
      sqlite: tables + SQLiteSchema.additions,
      postgres: [PostgresSchema.functions] + tables.map(PostgresDialect.translate(tables:))
        + PostgresSchema.additions)
  ]

  static var version: Int64 { Int64(steps.count) }

  private static let tables = [
    accounts, contacts, signIns, providerSignIns, limits, sessions, messages, events, fieldData,
    dataChanges, products, operation,
  ]
}

/// A change from one version of the tables to the next.
///
/// It is applied in one transaction with the number of its version.
///
/// PostgreSQL servers of the previous version run during an update, so its step must not break
/// them: it adds tables, columns that are null or have a default, and indexes. What it no longer
/// needs is removed one version later.
struct SchemaStep: Sendable {
  var sqlite: [String] = []
  var postgres: [String] = []
  /// The oldest version that a program must know to use a PostgreSQL database after this step.
  var oldestUser: Int64 = 1
}

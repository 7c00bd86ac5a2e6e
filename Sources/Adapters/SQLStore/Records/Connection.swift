internal import SignInService

/// One connection to one of the two databases.
///
/// The statements are written for both. Only one thread uses a connection at a time.
enum Connection {
  case sqlite(SQLiteConnection)
  case postgres(PostgresConnection)

  /// Runs a statement and ignores its result rows.
  func run(
    _ sql: StaticString, bind: (inout Parameters) -> Void = { _ in }
  ) throws(StoreFault) {
    switch self {
    case .sqlite(let connection): try connection.run(sql, bind: bind)
    case .postgres(let connection): try connection.run(sql, bind: bind)
    }
  }

  /// The first row, or `nil` if there is none.
  func first<Answer>(
    _ sql: StaticString, bind: (inout Parameters) -> Void = { _ in },
    read: (inout Row) throws(StoreFault) -> Answer
  ) throws(StoreFault) -> Answer? {
    switch self {
    case .sqlite(let connection): try connection.first(sql, bind: bind, read: read)
    case .postgres(let connection): try connection.first(sql, bind: bind, read: read)
    }
  }

  func all<Answer>(
    _ sql: StaticString, bind: (inout Parameters) -> Void = { _ in },
    read: (inout Row) throws(StoreFault) -> Answer
  ) throws(StoreFault) -> [Answer] {
    switch self {
    case .sqlite(let connection): try connection.all(sql, bind: bind, read: read)
    case .postgres(let connection): try connection.all(sql, bind: bind, read: read)
    }
  }

  /// All rows that can be read.
  ///
  /// An unreadable row is skipped and counted, so that the other rows stay available.
  func allReadable<Answer>(
    _ sql: StaticString, bind: (inout Parameters) -> Void = { _ in },
    read: (inout Row) throws(StoreFault) -> Answer
  ) throws(StoreFault) -> [Answer] {
    try all(sql, bind: bind) { (row: inout Row) throws(StoreFault) -> Answer? in
      do throws(StoreFault) { return try read(&row) } catch {
        damage.noteUnreadable()
        return nil
      }
    }.compactMap { $0 }
  }

  private var damage: DamageLog {
    switch self {
    case .sqlite(let connection): connection.damage
    case .postgres(let connection): connection.damage
    }
  }

  /// The number of rows that the last statement changed.
  var changeCount: Int {
    switch self {
    case .sqlite(let connection): connection.changeCount
    case .postgres(let connection): connection.changeCount
    }
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool {
    switch self {
    case .sqlite(let connection): connection.isInTransaction
    case .postgres(let connection): connection.isInTransaction
    }
  }

  /// Ends the open transaction, unless a failure has already ended it.
  func rollBack() {
    switch self {
    case .sqlite(let connection): connection.rollBack()
    case .postgres(let connection): connection.rollBack()
    }
  }
}

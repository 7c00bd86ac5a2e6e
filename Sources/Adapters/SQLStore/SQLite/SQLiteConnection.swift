internal import CSQLite
internal import SignInService

/// One connection to an SQLite database.
///
/// Only one thread uses it at a time.
final class SQLiteConnection {
  let handle: OpaquePointer
  let damage: DamageLog
  /// The prepared statements.
  ///
  /// The key is the address of the SQL literal, because hashing a pointer is faster than hashing
  /// the text.
  private var statements: [UnsafePointer<UInt8>: OpaquePointer] = [:]

  init(
    path: String, for purpose: SQLTransaction.Purpose, limits: SQLiteLimits, damage: DamageLog
  ) throws(StoreFault) {
    self.damage = damage
    SQLiteLibrary.start()
    let access = purpose == .writing ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    var opened: OpaquePointer?
    let status = sqlite3_open_v2(path, &opened, access | SQLITE_OPEN_NOMUTEX, nil)
    guard status == SQLITE_OK, let opened else {
      sqlite3_close(opened)
      let reason = String(cString: sqlite3_errstr(status))
      throw .unusable("\(path) cannot be opened (\(reason)): check that this user may write it")
    }
    handle = opened
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, limits.busyMilliseconds)
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close(handle)
  }

  /// Runs SQL without caching the prepared statement.
  ///
  /// For SQL that runs rarely.
  func execute(_ sql: String) throws(StoreFault) {
    let status = sqlite3_exec(handle, sql, nil, nil, nil)
    guard status == SQLITE_OK else { throw fault(status) }
  }

  /// The first column of each result row.
  ///
  /// Does not cache the prepared statement.
  func lines(_ sql: String) throws(StoreFault) -> [String] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let status = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard status == SQLITE_OK, let statement else { throw fault(status) }
    var lines: [String] = []
    while let line = try next(statement, { row in row.text() }) { lines.append(line) }
    return lines
  }

  /// Runs a statement and ignores its result rows.
  func run(
    _ sql: StaticString, bind: (inout Parameters) -> Void = { _ in }
  ) throws(StoreFault) {
    let statement = try prepared(sql, bind)
    let status = sqlite3_step(statement)
    // The status of the step decides. The reset only repeats that status.
    sqlite3_reset(statement)
    guard status == SQLITE_DONE || status == SQLITE_ROW else { throw fault(status) }
  }

  /// The first row, or `nil` if there is none.
  func first<Answer>(
    _ sql: StaticString, bind: (inout Parameters) -> Void = { _ in },
    read: (inout Row) throws(StoreFault) -> Answer
  ) throws(StoreFault) -> Answer? {
    let statement = try prepared(sql, bind)
    defer { sqlite3_reset(statement) }
    return try next(statement, read)
  }

  func all<Answer>(
    _ sql: StaticString, bind: (inout Parameters) -> Void = { _ in },
    read: (inout Row) throws(StoreFault) -> Answer
  ) throws(StoreFault) -> [Answer] {
    let statement = try prepared(sql, bind)
    defer { sqlite3_reset(statement) }
    var answers: [Answer] = []
    while let answer = try next(statement, read) { answers.append(answer) }
    return answers
  }

  /// The number of rows that the last statement changed.
  var changeCount: Int { Int(sqlite3_changes(handle)) }

  /// Whether a transaction is open.
  ///
  /// SQLite ends a transaction by itself after some failures.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Ends the open transaction, unless a failure has already ended it.
  func rollBack() {
    guard isInTransaction else { return }
    do throws(StoreFault) { try run("ROLLBACK") } catch {
      preconditionFailure("an open transaction cannot be rolled back: \(error)")
    }
  }
}

extension SQLiteConnection {
  private func next<Answer>(
    _ statement: OpaquePointer, _ read: (inout Row) throws(StoreFault) -> Answer
  ) throws(StoreFault) -> Answer? {
    let status = sqlite3_step(statement)
    switch status {
    case SQLITE_ROW:
      var row = Row(.sqlite(statement))
      do throws(StoreFault) { return try read(&row) } catch {
        damage.noteUnreadable()
        throw error
      }
    case SQLITE_DONE: return nil
    default: throw fault(status)
    }
  }

  private func prepared(
    _ sql: StaticString, _ bind: (inout Parameters) -> Void
  ) throws(StoreFault) -> OpaquePointer {
    let statement = try prepared(sql)
    var parameters = Parameters(.sqlite(statement))
    bind(&parameters)
    return statement
  }

  private func prepared(_ sql: StaticString) throws(StoreFault) -> OpaquePointer {
    if let known = statements[sql.utf8Start] { return known }
    var made: OpaquePointer?
    let status = sql.withUTF8Buffer { text in
      text.withMemoryRebound(to: CChar.self) { text in
        sqlite3_prepare_v3(
          handle, text.baseAddress, Int32(text.count), UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil
        )
      }
    }
    guard status == SQLITE_OK, let made else { throw fault(status) }
    statements[sql.utf8Start] = made
    return made
  }

  /// The store fault for an SQLite status.
  func fault(_ status: Int32) -> StoreFault {
    let reason = String(cString: sqlite3_errmsg(handle))
    switch status {
    case fp_constraint_unique, fp_constraint_primary_key: return .conflict
    default: break
    }
    switch status & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: return .unavailable("the database is busy: \(reason)")
    case SQLITE_FULL: return .unavailable("the disk is full: make room for the database")
    case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_NOMEM, SQLITE_READONLY, SQLITE_INTERRUPT:
      return .unavailable("the database cannot be reached: \(reason)")
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      damage.note(reason)
      return .unusable("the database is damaged (\(reason)): restore the last backup")
    default: return .unusable("the database refused a statement: \(reason)")
    }
  }
}

import CSQLite

@testable import SQLStore

/// The database as another program sees it.
final class RawDatabase {
  struct Refused: Error {
    let sql: String
    let status: Int32
  }

  private let handle: OpaquePointer

  init(_ path: String) throws {
    SQLiteLibrary.start()
    var opened: OpaquePointer?
    let status = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE, nil)
    guard status == SQLITE_OK, let opened else { throw Refused(sql: "open", status: status) }
    handle = opened
  }

  deinit { sqlite3_close(handle) }

  func run(_ sql: String) throws {
    let status = sqlite3_exec(handle, sql, nil, nil, nil)
    guard status == SQLITE_OK else { throw Refused(sql: sql, status: status) }
  }

  func number(_ sql: String) throws -> Int64 {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW
    else { throw Refused(sql: sql, status: sqlite3_errcode(handle)) }
    return sqlite3_column_int64(statement, 0)
  }

  /// The texts of a column, in the order of the rows.
  func texts(_ sql: String, column: Int32) throws -> [String] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
      throw Refused(sql: sql, status: sqlite3_errcode(handle))
    }
    var texts: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      texts.append(sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "")
    }
    return texts
  }
}

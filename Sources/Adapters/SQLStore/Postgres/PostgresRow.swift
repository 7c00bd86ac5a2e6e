internal import CPostgres

/// One row of a result, in the binary format of PostgreSQL.
struct PostgresRow {
  let result: OpaquePointer
  let index: Int32
  /// The first column that belongs to the record.
  private var start: Int32 = 0

  init(result: OpaquePointer, index: Int32) {
    self.result = result
    self.index = index
  }

  /// The same row without its first columns.
  func dropping(columns count: Int32) -> PostgresRow {
    var row = self
    row.start += count
    return row
  }

  /// A whole number of any width, or a truth value; 0 for NULL.
  func number(at column: Int32) -> Int64 {
    let bytes = bytes(at: column)
    guard let first = bytes.first, bytes.count <= 8 else { return 0 }
    let start: Int64 = bytes.count > 1 && first >= 0x80 ? -1 : 0
    return bytes.reduce(start) { $0 << 8 | Int64($1) }
  }

  /// The bytes of a text or a byte string.
  ///
  /// They are valid until the result is cleared.
  func bytes(at column: Int32) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: PQgetvalue(result, index, start + column),
      count: Int(PQgetlength(result, index, start + column)))
  }

  func isNull(at column: Int32) -> Bool { PQgetisnull(result, index, start + column) == 1 }

  func columnName(at column: Int32) -> String {
    PQfname(result, start + column).map { String(cString: $0) } ?? "?"
  }
}

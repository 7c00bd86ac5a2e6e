internal import CPostgres

/// Rows that were read before a decision asked for them.
struct RowsAhead {
  /// The address of the SQL literal that would read the same rows.
  let sql: UnsafePointer<UInt8>
  /// The first value of the rows, or `nil` if there may be further rows with other values.
  let first: [UInt8]?
  let read: KeyedRead
  let result: OpaquePointer

  /// The rows that the statement would find, or `nil` if that is not known.
  func rows(_ values: PostgresValues) -> [PostgresRow]? {
    if let first, values.bytes(at: 0) != first[...] { return nil }
    var rows: [PostgresRow] = []
    for index in 0..<PQntuples(result) {
      let row = PostgresRow(result: result, index: index)
      let isFound = (0..<read.keyCount).allSatisfy { key in
        guard let value = values.bytes(at: Int(key)), !row.isNull(at: key) else { return false }
        return row.bytes(at: key).elementsEqual(value)
      }
      if isFound { rows.append(row.dropping(columns: read.keyCount)) }
    }
    return first == nil && rows.isEmpty ? nil : rows
  }
}

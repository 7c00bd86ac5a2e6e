internal import CPostgres

/// Rows that were read before a decision asked for them.
struct RowsAhead {
  /// The address of the SQL literal that would read the same rows.
  let sql: UnsafePointer<UInt8>
  /// The first values whose rows were all read, or `nil` if that is not known.
  var firsts: Set<[UInt8]>?
  /// Whether the first values are the accounts that a statement found.
  let isForFoundAccounts: Bool
  let read: KeyedRead
  let result: OpaquePointer

  /// The rows that the statement would find, or `nil` if that is not known.
  func rows(_ values: PostgresValues) -> [PostgresRow]? {
    if let firsts, !(values.bytes(at: 0).map { firsts.contains(Array($0)) } ?? false) { return nil }
    var rows: [PostgresRow] = []
    for index in 0..<PQntuples(result) {
      let row = PostgresRow(result: result, index: index)
      let isFound = (0..<read.keyCount).allSatisfy { key in
        guard let value = values.bytes(at: Int(key)), !row.isNull(at: key) else { return false }
        return row.bytes(at: key).elementsEqual(value)
      }
      if isFound { rows.append(row.dropping(columns: read.keyCount)) }
    }
    return firsts == nil && rows.isEmpty ? nil : rows
  }
}

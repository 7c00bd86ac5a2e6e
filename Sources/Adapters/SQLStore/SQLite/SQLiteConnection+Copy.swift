internal import CSQLite
internal import SignInService

extension SQLiteConnection {
  /// The tables with records, by name.
  func copiedTables() throws(StoreFault) -> [CopiedTable] {
    let names = try lines(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name
      """
    )
    var tables: [CopiedTable] = []
    for name in names {
      let columns = try lines("SELECT name FROM pragma_table_info('\(name)') ORDER BY cid")
      let key = try lines(
        "SELECT name FROM pragma_table_info('\(name)') WHERE pk > 0 ORDER BY pk")
      tables.append(CopiedTable(name: name, columns: columns, order: key.isEmpty ? columns : key))
    }
    return tables
  }

  /// Calls `take` with each record, in the binary form of PostgreSQL's COPY.
  func forEachRecord(
    of table: CopiedTable, _ columns: [CopiedColumn],
    take: ([UInt8]) throws(StoreFault) -> Void
  ) throws(StoreFault) {
    let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let order = table.order.map { "\"\($0)\"" }.joined(separator: ", ")
    let sql = "SELECT \(names) FROM \"\(table.name)\" ORDER BY \(order)"
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let prepared = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard prepared == SQLITE_OK, let statement else { throw fault(prepared) }
    while true {
      let status = sqlite3_step(statement)
      guard status != SQLITE_DONE else { return }
      guard status == SQLITE_ROW else { throw fault(status) }
      var row = Row(.sqlite(statement))
      var record = CopyRecord(fields: columns.count)
      for column in columns { record.append(column.kind, of: &row) }
      try take(record.bytes)
    }
  }
}

/// One record in the binary form of PostgreSQL's COPY (PostgreSQL 15, `sql-copy.html`).
private struct CopyRecord {
  private(set) var bytes: [UInt8] = []

  init(fields: Int) { append(bigEndian: Int16(fields)) }

  /// Appends the next column of the row.
  mutating func append(_ kind: CopiedColumn.Kind, of row: inout Row) {
    switch kind {
    case .number:
      guard let number = row.numberIfAny() else { return appendNull() }
      append(bigEndian: Int32(MemoryLayout<Int64>.size))
      append(bigEndian: number)
    case .text:
      guard let text = row.textIfAny() else { return appendNull() }
      append(Array(PostgresText.stored(text).utf8))
    case .bytes:
      let content = row.bytes()
      if row.isNull { appendNull() } else { append(content) }
    }
  }

  private mutating func appendNull() { append(bigEndian: Int32(-1)) }

  private mutating func append(_ content: [UInt8]) {
    append(bigEndian: Int32(content.count))
    bytes += content
  }

  private mutating func append(bigEndian number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
  }
}

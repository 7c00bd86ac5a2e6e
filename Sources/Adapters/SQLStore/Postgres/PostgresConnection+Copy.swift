internal import CPostgres
internal import SignInService

extension PostgresConnection {
  /// The first bytes of a binary copy: a signature, no flags, and no extension.
  private static let copyHead: [UInt8] =
    Array("PGCOPY\n".utf8) + [0xFF] + Array("\r\n\0".utf8) + [UInt8](repeating: 0, count: 8)
  /// The number of fields that says that no record follows.
  private static let copyEnd: [UInt8] = [0xFF, 0xFF]
  /// How many bytes are sent at once.
  private static let copyPart = 1 << 16

  /// Locks a table for the copy.
  ///
  /// - Throws: `.unusable` if it has records, unless it may have some; then they are removed.
  func take(_ table: String, mayHaveRecords: Bool) throws(StoreFault) {
    try execute("LOCK TABLE \"\(table)\" IN ACCESS EXCLUSIVE MODE")
    if mayHaveRecords { return try execute("DELETE FROM \"\(table)\"") }
    let counts = try texts("SELECT count(*) FROM (SELECT 1 FROM \"\(table)\" LIMIT 1) AS found")
    guard counts == ["0"] else {
      throw .unusable("the database has records already, for example in the table \(table)")
    }
  }

  /// Lets the numbers of new unlinked events begin after those of the copied ones.
  func numberEventsAfterCopy() throws(StoreFault) {
    try execute(
      """
      SELECT setval(pg_get_serial_sequence('unlinked_events', 'id'),
        (SELECT coalesce(max(id), 0) + 1 FROM unlinked_events), false)
      """)
  }

  /// The columns of a table in the order of the copied table.
  func columns(of table: CopiedTable) throws(StoreFault) -> [CopiedColumn] {
    var columns: [CopiedColumn] = []
    for name in table.columns {
      let types = try texts(
        """
        SELECT udt_name FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = '\(table.name)'
          AND column_name = '\(name)'
        """)
      guard let kind = types.first.flatMap({ CopiedColumn.Kind(rawValue: $0) }) else {
        throw .unusable("the database has no column \(table.name).\(name)")
      }
      columns.append(CopiedColumn(name: name, kind: kind))
    }
    return columns
  }

  /// Fills an empty table, and returns how many records it got and their digest.
  func fill(
    _ table: CopiedTable, _ columns: [CopiedColumn], from source: SQLiteConnection
  ) throws(StoreFault) -> (count: Int64, digest: CopyDigest) {
    let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
    PQclear(
      try checked(
        PQexec(handle, "COPY \"\(table.name)\" (\(names)) FROM STDIN (FORMAT binary)"),
        awaiting: PGRES_COPY_IN))
    var (count, digest, part): (Int64, CopyDigest, [UInt8]) = (0, CopyDigest(), Self.copyHead)
    do throws(StoreFault) {
      try source.forEachRecord(of: table, columns) { (record) throws(StoreFault) in
        digest.add(record)
        count += 1
        part += record
        guard part.count >= Self.copyPart else { return }
        try send(part)
        part.removeAll(keepingCapacity: true)
      }
      try send(part + Self.copyEnd)
    } catch {
      PQputCopyEnd(handle, "the source cannot be read")
      PQclear(PQgetResult(handle))
      throw error
    }
    PQputCopyEnd(handle, nil)
    let result = PQgetResult(handle)
    while let further = PQgetResult(handle) { PQclear(further) }
    PQclear(try checked(result))
    return (count, digest)
  }

  private func send(_ part: [UInt8]) throws(StoreFault) {
    let isSent = part.withUnsafeBytes { bytes in
      PQputCopyData(
        handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count)) == 1
    }
    guard isSent else { throw .unavailable("the connection to the database was lost") }
  }

  /// The digest of the records of a table.
  func digest(
    of table: CopiedTable, _ columns: [CopiedColumn]
  ) throws(StoreFault) -> CopyDigest {
    let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let order = table.order.map { "\"\($0)\" NULLS FIRST" }.joined(separator: ", ")
    PQclear(
      try checked(
        PQexec(
          handle,
          """
          COPY (SELECT \(names) FROM "\(table.name)" ORDER BY \(order)) TO STDOUT (FORMAT binary)
          """), awaiting: PGRES_COPY_OUT))
    var (digest, isFirst) = (CopyDigest(), true)
    var bytes: UnsafeMutablePointer<CChar>?
    while true {
      let length = PQgetCopyData(handle, &bytes, 0)
      guard length > 0 else { break }
      defer { PQfreemem(bytes) }
      var record = UnsafeRawBufferPointer(start: bytes, count: Int(length))[...]
      // The server sends the head together with the first record.
      if isFirst { record = record.dropFirst(Self.copyHead.count) }
      isFirst = false
      if !record.elementsEqual(Self.copyEnd) { digest.add(record) }
    }
    let result = PQgetResult(handle)
    while let further = PQgetResult(handle) { PQclear(further) }
    PQclear(try checked(result))
    return digest
  }

  /// The first column of each result row.
  private func texts(_ sql: String) throws(StoreFault) -> [String] {
    let result = try checked(PQexec(handle, sql))
    defer { PQclear(result) }
    return (0..<PQntuples(result)).map { String(cString: PQgetvalue(result, $0, 0)) }
  }
}

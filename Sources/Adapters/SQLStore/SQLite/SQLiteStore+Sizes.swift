internal import SignInModel
public import SignInService

extension SQLiteStore: MeasuredStore {
  public func tableSizes() throws(StoreFault) -> [TableSize] {
    try readers.read { transaction throws(StoreFault) in
      guard case .sqlite(let connection) = transaction.connection else { return [] }
      return try connection.tableSizes()
    }
  }
}

extension SQLiteConnection {
  /// The pages of a table and of its indexes, and its records.
  fileprivate func tableSizes() throws(StoreFault) -> [TableSize] {
    // Debian's SQLite has `dbstat`.
    let pages = try lines(
      """
      SELECT s.tbl_name || ' ' || sum(d.pgsize) FROM dbstat AS d
      JOIN sqlite_schema AS s ON s.name = d.name
      WHERE s.tbl_name NOT LIKE 'sqlite%' GROUP BY s.tbl_name ORDER BY s.tbl_name
      """)
    var sizes: [TableSize] = []
    for line in pages {
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 2, let bytes = WholeNumber.read(words[1], in: 0...Int64.max)
      else { continue }
      let count = try lines("SELECT '' || count(*) FROM \"\(words[0])\"").first.flatMap {
        WholeNumber.read($0, in: 0...Int64.max)
      }
      sizes.append(TableSize(table: words[0], records: count ?? 0, bytes: bytes))
    }
    return sizes
  }
}

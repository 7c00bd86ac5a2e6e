internal import JSONText
internal import SignInModel
internal import SignInService

extension SearchWords {
  /// The words as a JSON array; `nil` if there are none.
  var list: String? {
    guard !isEmpty else { return nil }
    let json = JSON.array(words.map { JSON.string(String(decoding: $0, as: UTF8.self)) })
    return String(decoding: json.utf8, as: UTF8.self)
  }

  var joinedText: String? { joined.isEmpty ? nil : String(decoding: joined, as: UTF8.self) }
}

/// The folded texts of records that an earlier version wrote without them.
enum MissingSearchTexts {
  /// How many records are changed at once.
  private static let batch: Int64 = 500

  /// Writes them in the open transaction.
  ///
  /// In PostgreSQL a server of the version before can write such records as long as it runs, so
  /// each start of a server writes them.
  static func write(_ connection: Connection) throws(StoreFault) {
    try write(
      connection,
      reading: """
        SELECT id, name, coalesce(email, '') FROM accounts
        WHERE search_text IS NULL AND id > ? ORDER BY id LIMIT ?
        """, writing: "UPDATE accounts SET search_text = ? WHERE id = ?"
    ) { row in FoldedText.searched([row.text(), row.text()]) }
    try write(
      connection,
      reading: """
        SELECT id, name, model, serial_number, category, coalesce(warranty_provider, '')
        FROM products WHERE search_text IS NULL AND id > ? ORDER BY id LIMIT ?
        """, writing: "UPDATE products SET search_text = ? WHERE id = ?"
    ) { row in
      let fields = (0..<5).map { _ in row.text() }
      return FoldedText.searched(fields, number: fields[2])
    }
  }

  private static func write(
    _ connection: Connection, reading read: StaticString, writing update: StaticString,
    _ text: (inout Row) -> [UInt8]
  ) throws(StoreFault) {
    var last = ""
    while true {
      let records = try connection.all(
        read,
        bind: {
          $0.bind(last)
          $0.bind(batch)
        },
        read: { row in (id: row.text(), text: text(&row)) })
      for record in records {
        try connection.run(update) {
          $0.bind(String(decoding: record.text, as: UTF8.self))
          $0.bind(record.id)
        }
      }
      guard let end = records.last?.id else { break }
      last = end
    }
  }
}

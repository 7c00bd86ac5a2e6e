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
    var last = ""
    while true {
      let accounts = try connection.all(
        """
        SELECT id, name, coalesce(email, '') FROM accounts
        WHERE search_text IS NULL AND id > ? ORDER BY id LIMIT ?
        """,
        bind: {
          $0.bind(last)
          $0.bind(batch)
        },
        read: { row in
          (id: row.text(), text: FoldedText.searched([row.text(), row.text()]))
        })
      for account in accounts {
        try connection.run("UPDATE accounts SET search_text = ? WHERE id = ?") {
          $0.bind(String(decoding: account.text, as: UTF8.self))
          $0.bind(account.id)
        }
      }
      guard let end = accounts.last?.id else { break }
      last = end
    }
    try writeOfProducts(connection)
  }

  private static func writeOfProducts(_ connection: Connection) throws(StoreFault) {
    var last = ""
    while true {
      let products = try connection.all(
        """
        SELECT id, name, model, serial_number, category, coalesce(warranty_provider, '')
        FROM products WHERE search_text IS NULL AND id > ? ORDER BY id LIMIT ?
        """,
        bind: {
          $0.bind(last)
          $0.bind(batch)
        },
        read: { row in
          let id = row.text()
          let fields = (0..<5).map { _ in row.text() }
          return (id: id, text: FoldedText.searched(fields, number: fields[2]))
        })
      for product in products {
        try connection.run("UPDATE products SET search_text = ? WHERE id = ?") {
          $0.bind(String(decoding: product.text, as: UTF8.self))
          $0.bind(product.id)
        }
      }
      guard let end = products.last?.id else { break }
      last = end
    }
  }
}

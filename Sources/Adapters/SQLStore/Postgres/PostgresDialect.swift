/// Translates the statements of the records into those of PostgreSQL.
///
/// The statements use only what both databases know, except for two things: the marks of the
/// parameters, and the name of the index to use, which PostgreSQL chooses by itself. The functions
/// of SQLite that the statements call exist in the schema, too (`PostgresSchema`).
enum PostgresDialect {
  private static let indexName = Array(" INDEXED BY ".utf8)

  /// What differs in the description of tables.
  ///
  /// Texts are ordered by their bytes, as in SQLite.
  private static let tableWords = [
    (" TEXT", " text COLLATE \"C\""), (" INTEGER", " bigint"), (" BLOB", " bytea"),
    (") STRICT, WITHOUT ROWID;", ");"), (") STRICT;", ");"), (" VIRTUAL", " STORED"),
  ]

  /// Translates the tables and indexes of `Schema`.
  static func translate(tables: String) -> String {
    tableWords.reduce(tables) { text, words in text.replacing(words.0, with: words.1) }
  }

  static func translate(_ sql: StaticString) -> String {
    let text = sql.withUTF8Buffer { Array($0) }
    var translated: [UInt8] = []
    var place = 0
    var lastNumber = 0
    var isQuoted = false
    while place < text.count {
      let byte = text[place]
      if byte == UInt8(ascii: "'") { isQuoted.toggle() }
      if !isQuoted, text[place...].starts(with: indexName) {
        place += indexName.count
        while place < text.count, isNameByte(text[place]) { place += 1 }
        continue
      }
      place += 1
      guard byte == UInt8(ascii: "?"), !isQuoted else {
        translated.append(byte)
        continue
      }
      translated.append(UInt8(ascii: "$"))
      // `?` is the next parameter, and `?2` is the second.
      guard place == text.count || !isDigit(text[place]) else { continue }
      lastNumber += 1
      translated += Array(String(lastNumber).utf8)
    }
    return String(decoding: translated, as: UTF8.self)
  }

  /// An `INSERT … VALUES (?, …)` that inserts many rows: each value is a list of a column's values.
  static func inserting(_ sql: StaticString) -> String {
    let text = translate(sql)
    guard let values = text.firstRange(of: "VALUES (") else {
      preconditionFailure("a statement that does not insert the values of a row: \(sql)")
    }
    return text[..<values.lowerBound] + "SELECT * FROM unnest(" + text[values.upperBound...]
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte == UInt8(ascii: "_")
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
}

/// A read of the rows with certain values in certain columns, and how to read them in advance.
///
/// The statement has the form `SELECT … FROM table WHERE column = ? AND column = ? …`.
struct KeyedRead {
  /// The statement that reads all rows with the first value.
  ///
  /// The columns with the values come first.
  let ahead: String
  /// The same for the rows with a value that another table has, whose rows belong to an account.
  let aheadOfCodes: String
  /// The statement before the condition for the first value, and after it.
  private let parts: (start: String, end: String)
  let keyCount: Int32
  let table: String

  /// Returns `nil` if the statement has another form.
  init?(_ sql: StaticString) {
    var words = sql.description.split(whereSeparator: \.isWhitespace).map(String.init)[...]
    guard words.popFirst() == "SELECT", let from = words.firstIndex(of: "FROM") else { return nil }
    var columns = Array(words[..<from])
    let prefix = columns.first == "DISTINCT" ? "DISTINCT " : ""
    if !prefix.isEmpty { columns.removeFirst() }
    words = words[(from + 1)...]
    guard let table = words.popFirst() else { return nil }
    // PostgreSQL chooses the index by itself.
    if words.first == "INDEXED" { words = words.dropFirst(3) }
    guard words.popFirst() == "WHERE" else { return nil }
    var keys: [String] = []
    var end = ""
    while words.count >= 3, Array(words.dropFirst().prefix(2)) == ["=", "?"] {
      keys.append(words.removeFirst())
      words = words.dropFirst(2)
      guard words.first == "AND" else { break }
      words.removeFirst()
      end = " AND"
    }
    if words.isEmpty || words.first == "ORDER" { end = "" }
    guard let first = keys.first, !words.joined().utf8.contains(UInt8(ascii: "?")) else {
      return nil
    }
    self.table = table
    keyCount = Int32(keys.count)
    let list = (keys + [columns.joined(separator: " ")]).joined(separator: ", ")
    let rest = ([end] + words).joined(separator: " ")
    let start = "SELECT \(prefix)\(list) FROM \(table) WHERE \(first)"
    parts = (start, rest)
    ahead = "\(start) = $1\(rest)"
    aheadOfCodes = "\(start) IN (SELECT id FROM code_challenges WHERE account = $1)\(rest)"
  }

  /// The statement for the accounts that another statement finds.
  func ahead(ofCodes isOfCodes: Bool, in search: String) -> String {
    let codes = "SELECT id FROM code_challenges WHERE account IN (\(search))"
    return "\(parts.start) IN (\(isOfCodes ? codes : search))\(parts.end)"
  }
}

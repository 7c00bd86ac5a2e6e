/// A statement that a connection has prepared.
///
/// A failed statement ends the whole transaction in PostgreSQL. A decision may catch a conflict and
/// continue, so a conflict must be found in another way.
struct PostgresStatement {
  /// How a unique value that exists is found.
  enum Conflict {
    /// The statement inserts no row.
    case noRow
    /// The statement fails, so it runs after a savepoint.
    case failure
    /// The statement finds none.
    case none
  }

  let name: String
  let text: String
  let conflict: Conflict
  /// The table whose rows the statement changes, if it changes any.
  let changedTable: String?

  init(_ name: String, _ text: String) {
    self.name = name
    changedTable = Self.changedTable(text)
    if text.hasPrefix("INSERT "), !text.contains("ON CONFLICT") {
      self.text = text + " ON CONFLICT DO NOTHING"
      conflict = .noRow
    } else {
      self.text = text
      // No other update changes a unique value that another record can have.
      conflict = text.hasPrefix("UPDATE accounts") ? .failure : .none
    }
  }

  /// A statement that other statements follow before its result is known.
  ///
  /// It fails if it finds a conflict, so that none of the following is kept.
  init(_ name: String, _ text: String, sentLaterFor expectation: Expectation) {
    self.name = name
    changedTable = Self.changedTable(text)
    conflict = .none
    switch expectation {
    case .success: self.text = text
    case .oneRow:
      // A division by zero is the fault if no row was changed.
      self.text = "WITH changed AS (\(text) RETURNING 1) SELECT 1 / count(*) FROM changed"
    }
  }

  /// What a statement that is sent later must do.
  enum Expectation: Int {
    /// It must not fail.
    case success
    /// It must not fail, and it must change a row.
    case oneRow
  }

  private static func changedTable(_ text: String) -> String? {
    let words = text.split(maxSplits: 3, whereSeparator: \.isWhitespace).map(String.init)
    guard words.count > 2 else { return nil }
    return switch words[0] {
    case "INSERT", "DELETE": words[2]
    case "UPDATE": words[1]
    default: nil
    }
  }
}

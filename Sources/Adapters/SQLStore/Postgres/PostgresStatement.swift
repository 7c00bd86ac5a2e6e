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

  init(_ name: String, _ text: String) {
    self.name = name
    if text.hasPrefix("INSERT INTO unlinked_events") {
      self.text = text
      // The database gives its only unique value.
      conflict = .none
    } else if text.hasPrefix("INSERT "), !text.contains("ON CONFLICT") {
      self.text = text + " ON CONFLICT DO NOTHING"
      conflict = .noRow
    } else {
      self.text = text
      // No other update changes a unique value that another record can have.
      conflict = text.hasPrefix("UPDATE accounts") ? .failure : .none
    }
  }
}

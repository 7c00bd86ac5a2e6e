internal import SignInModel
internal import SignInService

/// What a decision or a look sees of one connection.
///
/// It serves them one after the other.
final class SQLiteTransaction: Transaction {
  let connection: Connection
  let keys: StoreKeys?
  private let purpose: Connection.Purpose
  private var savepoint = Savepoint.unwanted

  /// Taking back one decision of many needs a savepoint, but only once it writes.
  private enum Savepoint {
    case unwanted
    case wanted
    case open
  }

  /// The transaction ended under its decisions' feet.
  static let ended = StoreFault.unavailable(
    "the database took the writes back: make room on its disk")

  init(
    _ connection: Connection, for purpose: Connection.Purpose, keys: StoreKeys? = nil
  ) {
    self.connection = connection
    self.keys = keys
    self.purpose = purpose
  }

  func begin(withSavepoint isWanted: Bool) { savepoint = isWanted ? .wanted : .unwanted }

  func keep() throws(StoreFault) {
    if savepoint == .open { try connection.run("RELEASE decision") }
    savepoint = .unwanted
  }

  func undo() throws(StoreFault) {
    if savepoint == .open {
      try connection.run("ROLLBACK TO decision")
      try connection.run("RELEASE decision")
    }
    savepoint = .unwanted
  }

  /// Runs a statement that changes rows, and answers how many.
  @discardableResult
  func write(
    _ sql: StaticString, bind: (inout Parameters) -> Void
  ) throws(StoreFault) -> Int {
    precondition(purpose == .writing, "a look writes nothing: use transact")
    // Outside a transaction SQLite would commit this write alone, whatever becomes of the decision.
    guard connection.isInTransaction else { throw Self.ended }
    if savepoint == .wanted {
      try connection.run("SAVEPOINT decision")
      savepoint = .open
    }
    try connection.run(sql, bind: bind)
    return connection.changeCount
  }

  /// Runs a statement that removes rows from before `moment`, the oldest first and at most `limit`.
  func removeOldest(
    _ sql: StaticString, before moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try write(sql) {
      $0.bind(moment)
      $0.bind(Int64(limit))
    }
  }

  /// Changes the one row that must be there.
  func rewrite(_ sql: StaticString, bind: (inout Parameters) -> Void) throws(StoreFault) {
    guard try write(sql, bind: bind) == 1 else { throw .conflict }
  }
}

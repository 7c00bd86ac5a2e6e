internal import SignInModel
internal import SignInRules
internal import SignInService

/// The transaction that a decision or a read uses, on one connection.
///
/// It serves one decision or one read at a time.
final class SQLTransaction: Transaction {
  let connection: Connection
  let keys: StoreKeys?
  let purpose: Purpose
  /// The counts of rate limits that the decision has read, and locked in PostgreSQL.
  var heldThrottles: [String: HeldThrottle] = [:]
  private var savepoint = Savepoint.unwanted

  enum Purpose {
    case writing
    case reading
  }

  /// The savepoint with which SQLite can undo one decision of a batch.
  ///
  /// It is opened at the decision's first write.
  private enum Savepoint {
    case unwanted
    case wanted
    case open
  }

  /// The fault if SQLite ended the transaction before all its decisions ran.
  static let ended = StoreFault.unavailable(
    "the database took the writes back: make room on its disk")

  init(_ connection: Connection, for purpose: Purpose, keys: StoreKeys? = nil) {
    self.connection = connection
    self.keys = keys
    self.purpose = purpose
  }

  var isPostgres: Bool { if case .postgres = connection { true } else { false } }

  /// Begins a decision or a read.
  func begin(withSavepoint isWanted: Bool) {
    savepoint = isWanted ? .wanted : .unwanted
    heldThrottles = [:]
  }

  func release() throws(StoreFault) {
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

  /// Waits until no other decision on another connection uses the counter, and keeps the others
  /// waiting until this decision ends.
  ///
  /// Decisions without a common subject may change one counter. SQLite runs one decision after
  /// another, so it needs no lock.
  func lock(_ counter: SharedCounter) throws(StoreFault) {
    guard purpose == .writing, case .postgres(let connection) = connection else { return }
    try connection.lock(counter)
  }

  /// Takes the lock of the counter only if no other decision has it.
  ///
  /// - Returns: Whether this decision has it now.
  func tryLock(_ counter: SharedCounter) throws(StoreFault) -> Bool {
    guard purpose == .writing, case .postgres(let connection) = connection else { return true }
    return try connection.tryLock(counter)
  }

  /// Runs a statement that changes rows.
  ///
  /// Returns the number of changed rows.
  @discardableResult
  func write(
    _ sql: StaticString, bind: (inout Parameters) -> Void
  ) throws(StoreFault) -> Int {
    try checkWriting()
    if savepoint == .wanted {
      try connection.run("SAVEPOINT decision")
      savepoint = .open
    }
    try connection.run(sql, bind: bind)
    return connection.changeCount
  }

  /// Runs a statement that changes rows.
  ///
  /// PostgreSQL runs it together with the next read or the commit, which fails if this one fails.
  /// So use it if a conflict is a defect, for example because an identifier is random.
  func writeLater(
    _ sql: StaticString, bind: (inout Parameters) -> Void
  ) throws(StoreFault) {
    guard case .postgres(let database) = connection else {
      try write(sql, bind: bind)
      return
    }
    try checkWriting()
    try database.runLater(sql, bind: bind)
  }

  /// Inserts several rows with an `INSERT … VALUES (?, …)`, as `writeLater` does.
  ///
  /// PostgreSQL runs the statement once for all rows.
  func writeLater<Content>(
    _ sql: StaticString, rows: [Content], bind: (Content, inout Parameters) -> Void
  ) throws(StoreFault) {
    guard case .postgres(let database) = connection else {
      for row in rows { try write(sql) { bind(row, &$0) } }
      return
    }
    try checkWriting()
    try database.runLater(
      sql, rows: rows.map { row in PostgresConnection.values { bind(row, &$0) } })
  }

  /// Changes exactly one row, as `writeLater` does.
  ///
  /// The decision fails with `.conflict` if the row does not exist.
  func rewriteLater(
    _ sql: StaticString, bind: (inout Parameters) -> Void
  ) throws(StoreFault) {
    guard case .postgres(let database) = connection else { return try rewrite(sql, bind: bind) }
    try checkWriting()
    try database.runLater(sql, expecting: .oneRow, bind: bind)
  }

  func checkWriting() throws(StoreFault) {
    precondition(purpose == .writing, "a read must not write: use transact")
    // Outside a transaction the database would commit this write even if the decision fails.
    guard connection.isInTransaction else { throw Self.ended }
  }

  /// Removes rows from before `moment`, the oldest first and at most `limit`.
  func removeOldest(
    _ sql: StaticString, before moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try write(sql) {
      $0.bind(moment)
      $0.bind(Int64(limit))
    }
  }

  /// Changes exactly one row.
  ///
  /// Throws `.conflict` if the row does not exist.
  func rewrite(_ sql: StaticString, bind: (inout Parameters) -> Void) throws(StoreFault) {
    guard try write(sql, bind: bind) == 1 else { throw .conflict }
  }
}

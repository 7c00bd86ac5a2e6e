internal import CPostgres
internal import Glibc
internal import SignInModel
internal import SignInService

/// One connection to a PostgreSQL database.
///
/// Only one thread uses it at a time.
final class PostgresConnection {
  let handle: OpaquePointer
  let damage: DamageLog
  /// The prepared statements.
  private var statements: [Purpose: PostgresStatement] = [:]
  /// The number of rows that the last statement changed.
  private(set) var changeCount = 0
  /// Whether a statement of this transaction met a change of another transaction, so that the
  /// decision can succeed if it runs again.
  private(set) var mustRepeat = false
  /// The statements that are sent together with the next one.
  private var unsent: [Unsent] = []
  private var rowsAhead: [RowsAhead] = []
  private let roundTrips: RoundTripCount?
  private let deadlines: PostgresDeadlines?

  /// The use of an SQL literal.
  private struct Purpose: Hashable {
    enum Time: Hashable {
      case now
      case later(PostgresStatement.Expectation)
      case ahead(isOfCodes: Bool, search: UnsafePointer<UInt8>?)
      case locking
      case rows
    }

    /// The address of the literal.
    let sql: UnsafePointer<UInt8>
    let time: Time
  }

  /// Without `deadlines`, a call waits until the connection is lost.
  init(
    _ server: PostgresServer, limits: PostgresLimits, damage: DamageLog,
    deadlines: PostgresDeadlines? = nil
  ) throws(StoreFault) {
    self.damage = damage
    self.deadlines = deadlines
    roundTrips = server.roundTrips
    let password = try server.credential.readPassword()
    guard let opened = Self.open(server.keywords(limits), password) else {
      throw .unavailable("there is no memory for a connection to the database")
    }
    guard PQstatus(opened) == CONNECTION_OK else {
      let reason = Self.line(PQerrorMessage(opened))
      PQfinish(opened)
      throw .unavailable("the database \(server.name) cannot be reached: \(reason)")
    }
    handle = opened
    // The server's notices, such as about a table that exists, are not for the log.
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    try execute(
      """
      SET search_path TO \(server.schema);
      SET statement_timeout = \(limits.statementMilliseconds);
      SET lock_timeout = \(limits.lockMilliseconds);
      SET idle_in_transaction_session_timeout = \(limits.idleMilliseconds);
      SET bytea_output = hex
      """)
  }

  deinit {
    forgetRowsAhead()
    PQfinish(handle)
  }

  /// A connection that could not leave the pipeline mode cannot be used either.
  var isLost: Bool {
    PQstatus(handle) != CONNECTION_OK || PQpipelineStatus(handle) != PQ_PIPELINE_OFF
  }

  var isInTransaction: Bool {
    if !unsent.isEmpty { return true }
    return switch PQtransactionStatus(handle) {
    case PQTRANS_INTRANS, PQTRANS_INERROR, PQTRANS_ACTIVE: true
    default: false
    }
  }

  /// Whether a transaction is open in which no statement failed.
  var isUnbroken: Bool {
    if case .command = unsent.first { return true }
    return PQtransactionStatus(handle) == PQTRANS_INTRANS
  }

  /// Begins the transaction of a decision or of a read.
  ///
  /// A decision sees what others have committed before each of its statements, so that it sees
  /// everything that was committed before it got its locks. A read sees one moment. The transaction
  /// begins with its first statement, so that it costs no round trip of its own.
  func begin(for purpose: SQLTransaction.Purpose) {
    mustRepeat = false
    forgetRowsAhead()
    switch purpose {
    case .writing: unsent = [.command("BEGIN ISOLATION LEVEL READ COMMITTED")]
    case .reading: unsent = [.command("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")]
    }
  }

  func rollBack() {
    unsent = []
    forgetRowsAhead()
    guard isInTransaction, !isLost else { return }
    // If this fails, the connection is lost, and the server rolls back by itself. No caller waits
    // for it, so it is not counted as a round trip.
    PQclear(awaitAnswer { PQexec(handle, "ROLLBACK") })
  }

  /// Makes the changes of the transaction durable, together with the statements before it.
  func commit() throws(StoreFault) {
    unsent.append(.command("COMMIT"))
    _ = try flush()
  }

  /// Runs SQL that is not prepared, and ignores its result rows.
  func execute(_ sql: String) throws(StoreFault) {
    if !unsent.isEmpty { _ = try flush() }
    noteRoundTrip()
    PQclear(try checked(awaitAnswer { PQexec(handle, sql) }))
  }

  /// Runs a statement together with the next one, which sees what this one did, and everything that
  /// was committed before it got its lock.
  ///
  /// If this statement fails, the next one or the commit fails.
  func runLater(
    _ sql: StaticString, expecting expectation: PostgresStatement.Expectation = .success,
    bind: (inout Parameters) -> Void
  ) throws(StoreFault) {
    let values = Self.values(bind)
    let statement = try prepared(sql, values, .later(expectation))
    noteChange(statement)
    unsent.append(.statement(statement, values))
    if unsent.count >= Self.unsentLimit { _ = try flush() }
  }

  /// Inserts all rows with one statement, together with the next one.
  func runLater(_ sql: StaticString, rows: [PostgresValues]) throws(StoreFault) {
    guard !rows.isEmpty else { return }
    let values = PostgresValues(columnsOf: rows)
    let statement = try prepared(sql, values, .rows)
    noteChange(statement)
    unsent.append(.statement(statement, values))
    if unsent.count >= Self.unsentLimit { _ = try flush() }
  }

  /// The largest number of statements that wait for the next one.
  static let unsentLimit = 256

  /// Reads rows together with the locks of a decision.
  ///
  /// - Returns: The results of `reads`, which the caller clears.
  func flush(_ reads: [Bound], ahead: [ReadAhead]) throws(StoreFault) -> [OpaquePointer] {
    var known: [(ReadAhead, KeyedRead, Bound)] = []
    for read in ahead {
      guard let keyed = KeyedRead(read.sql) else {
        preconditionFailure("a statement that cannot be read in advance: \(read.sql)")
      }
      let values = Self.values(read.bind)
      let purpose = Purpose.Time.ahead(
        isOfCodes: read.isOfCodes, search: read.search?.utf8Start)
      let statement = try prepared(read.sql, values, purpose) { keyed.text(for: read) }
      known.append((read, keyed, (statement, values)))
    }
    let results = try flush(reads + known.map(\.2))
    for ((read, keyed, bound), result) in zip(known, results.dropFirst(reads.count)) {
      rowsAhead.append(
        RowsAhead(
          sql: read.sql.utf8Start,
          firsts: read.isOfCodes || read.search != nil
            ? nil : bound.values.bytes(at: 0).map { [Array($0)] },
          isForFoundAccounts: read.search != nil && !read.isOfCodes, read: keyed, result: result))
    }
    return Array(results.prefix(reads.count))
  }

  /// Runs a statement and ignores its result rows.
  func run(
    _ sql: StaticString, bind: (inout Parameters) -> Void = { _ in }
  ) throws(StoreFault) {
    PQclear(try result(sql, Self.values(bind)))
  }

  /// The first row, or `nil` if there is none.
  func first<Answer>(
    _ sql: StaticString, bind: (inout Parameters) -> Void = { _ in },
    read: (inout Row) throws(StoreFault) -> Answer
  ) throws(StoreFault) -> Answer? {
    let values = Self.values(bind)
    if let known = knownRows(sql, values) {
      guard let row = known.first else { return nil }
      return try answer(row, read)
    }
    let result = try result(sql, values)
    defer { PQclear(result) }
    guard PQntuples(result) > 0 else { return nil }
    return try answer(PostgresRow(result: result, index: 0), read)
  }

  func all<Answer>(
    _ sql: StaticString, bind: (inout Parameters) -> Void = { _ in },
    read: (inout Row) throws(StoreFault) -> Answer
  ) throws(StoreFault) -> [Answer] {
    try all(sql, Self.values(bind), read: read)
  }

  func all<Answer>(
    _ sql: StaticString, _ values: PostgresValues,
    read: (inout Row) throws(StoreFault) -> Answer
  ) throws(StoreFault) -> [Answer] {
    var answers: [Answer] = []
    if let known = knownRows(sql, values) {
      for row in known { answers.append(try answer(row, read)) }
      return answers
    }
    let result = try result(sql, values)
    defer { PQclear(result) }
    for index in 0..<PQntuples(result) {
      answers.append(try answer(PostgresRow(result: result, index: index), read))
    }
    return answers
  }

  func noteRoundTrip() { roundTrips?.increase() }

  func takeUnsent() -> [Unsent] {
    defer { unsent = [] }
    return unsent
  }

  private func knownRows(_ sql: StaticString, _ values: PostgresValues) -> [PostgresRow]? {
    for ahead in rowsAhead where ahead.sql == sql.utf8Start {
      if let rows = ahead.rows(values) { return rows }
    }
    return nil
  }

  /// Call it with the accounts that were found in the same round trip.
  func noteFound(_ accounts: Set<AccountID>) {
    let firsts = Set(accounts.map { Array(PostgresText.stored($0.text).utf8) })
    for index in rowsAhead.indices where rowsAhead[index].isForFoundAccounts {
      rowsAhead[index].firsts = firsts
    }
  }

  private func forgetRowsAhead() {
    for ahead in rowsAhead { PQclear(ahead.result) }
    rowsAhead = []
  }

  /// After a change of a table, its rows are read again.
  private func noteChange(_ statement: PostgresStatement) {
    guard let table = statement.changedTable, !rowsAhead.isEmpty else { return }
    for ahead in rowsAhead where ahead.read.table == table { PQclear(ahead.result) }
    rowsAhead.removeAll { $0.read.table == table }
  }
}

extension PostgresConnection {
  /// Runs a call that waits for the database, for a limited time.
  func awaitAnswer<Answer>(_ call: () -> Answer) -> Answer {
    guard let deadlines else { return call() }
    return deadlines.limit(PQsocket(handle), call)
  }

  /// Connects, and then overwrites the copies of the password that were made for libpq.
  ///
  /// libpq keeps a copy of its own as long as the connection exists.
  private static func open(
    _ keywords: [(String, String)], _ password: Secret?
  ) -> OpaquePointer? {
    var texts = keywords.flatMap { [strdup($0.0), strdup($0.1)] }
    if let password { texts += [strdup("password"), strdup(password.revealed)] }
    defer {
      for text in texts.compactMap(\.self) {
        explicit_bzero(text, strlen(text))
        free(text)
      }
    }
    var names: [UnsafePointer<CChar>?] = []
    var values: [UnsafePointer<CChar>?] = []
    for index in stride(from: 0, to: texts.count, by: 2) {
      names.append(texts[index].map { UnsafePointer($0) })
      values.append(texts[index + 1].map { UnsafePointer($0) })
    }
    return PQconnectdbParams(names + [nil], values + [nil], 0)
  }

  private func answer<Answer>(
    _ row: PostgresRow, _ read: (inout Row) throws(StoreFault) -> Answer
  ) throws(StoreFault) -> Answer {
    var row = Row(.postgres(row))
    do throws(StoreFault) { return try read(&row) } catch {
      damage.noteUnreadable()
      throw error
    }
  }

  static func values(_ bind: (inout Parameters) -> Void) -> PostgresValues {
    let values = PostgresValues()
    var parameters = Parameters(.postgres(values))
    bind(&parameters)
    return values
  }

  /// A prepared statement and its values.
  func bound(
    _ sql: StaticString, _ bind: (inout Parameters) -> Void
  ) throws(StoreFault) -> Bound {
    let values = Self.values(bind)
    return (try prepared(sql, values, .now), values)
  }

  /// The statement that locks the accounts of a search, in the order of their locks.
  func bound(locking search: Search) throws(StoreFault) -> Bound {
    let values = Self.values(search.bind)
    let statement = try prepared(search.sql, values, .locking) {
      """
      SELECT id, pg_advisory_xact_lock(number)
      FROM (SELECT id, account_lock(id) AS number
        FROM (\(PostgresDialect.translate(search.sql))) AS found (id)
        ORDER BY number OFFSET 0) AS ordered
      """
    }
    return (statement, values)
  }

  private func result(
    _ sql: StaticString, _ values: PostgresValues
  ) throws(StoreFault) -> OpaquePointer {
    let statement = try prepared(sql, values, .now)
    let isGuarded = statement.conflict == .failure && isInTransaction
    if isGuarded { try execute("SAVEPOINT change") }
    let result: OpaquePointer
    do throws(StoreFault) { result = try execute(statement, values) } catch {
      if isGuarded, error == .conflict { try execute("ROLLBACK TO change; RELEASE change") }
      throw error
    }
    if isGuarded { try execute("RELEASE change") }
    noteChange(statement)
    let count = String(cString: PQcmdTuples(result))
    changeCount = count.isEmpty ? 0 : Int(WholeNumber.read(count.utf8, in: Row.numbers) ?? 0)
    guard statement.conflict != .noRow || changeCount > 0 else {
      PQclear(result)
      throw .conflict
    }
    return result
  }

  private func execute(
    _ statement: PostgresStatement, _ values: PostgresValues
  ) throws(StoreFault) -> OpaquePointer {
    if !unsent.isEmpty, let result = try flush([(statement, values)]).first { return result }
    noteRoundTrip()
    return try checked(
      awaitAnswer {
        values.withPointers { addresses, lengths, formats in
          PQexecPrepared(handle, statement.name, values.count, addresses, lengths, formats, 1)
        }
      })
  }

  private func prepared(
    _ sql: StaticString, _ values: PostgresValues, _ time: Purpose.Time,
    text: () -> String = { "" }
  ) throws(StoreFault) -> PostgresStatement {
    let purpose = Purpose(sql: sql.utf8Start, time: time)
    if let known = statements[purpose] { return known }
    let name = "s\(statements.count)"
    let statement =
      switch time {
      case .now: PostgresStatement(name, PostgresDialect.translate(sql))
      case .later(let expectation):
        PostgresStatement(name, PostgresDialect.translate(sql), sentLaterFor: expectation)
      case .rows:
        PostgresStatement(name, PostgresDialect.inserting(sql), sentLaterFor: .success)
      case .ahead, .locking: PostgresStatement(name, text())
      }
    PQclear(
      try checked(
        awaitAnswer {
          PQprepare(handle, statement.name, statement.text, values.count, values.types)
        }))
    statements[purpose] = statement
    return statement
  }

  /// The result, if the statement succeeded, or has the awaited status.
  func checked(
    _ result: OpaquePointer?, awaiting status: ExecStatusType? = nil
  ) throws(StoreFault) -> OpaquePointer {
    if let result {
      let isAwaited = status.map { PQresultStatus(result) == $0 } ?? Self.isSuccess(result)
      if isAwaited { return result }
    }
    defer { PQclear(result) }
    throw fault(result)
  }

  /// The fault of a failed statement (PostgreSQL 15, appendix A).
  ///
  /// Only the primary message is used, because the details contain values of records.
  private func fault(_ result: OpaquePointer?) -> StoreFault {
    guard !isLost else { return .unavailable("the connection to the database was lost") }
    let state = PQresultErrorField(result, fp_diagnostic_state).map { String(cString: $0) } ?? ""
    let reason = Self.line(PQresultErrorField(result, fp_diagnostic_message))
    switch state {
    // A unique value that exists, and a statement that should have changed a row.
    case "23505", "22012": return .conflict
    // A serialization failure, and a deadlock.
    case "40001", "40P01":
      mustRepeat = true
      return .unavailable("the database is busy: \(reason)")
    // A lock that could not be taken in time, and a statement that took too long.
    case "55P03", "57014": return .unavailable("the database is busy: \(reason)")
    default: break
    }
    switch state.prefix(2) {
    // Connections, resources, the operator, the system, and a database that only can be read.
    case "08", "53", "57", "58", "25":
      return .unavailable("the database cannot do it now: \(reason)")
    case "XX":
      damage.note(reason)
      return .unusable("the database is damaged (\(reason)): restore the last backup")
    default: return .unusable("the database refused a statement (\(state)): \(reason)")
    }
  }

  /// A message as one line.
  private static func line(_ text: UnsafePointer<CChar>?) -> String {
    guard let text else { return "no reason was given" }
    return String(cString: text).split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

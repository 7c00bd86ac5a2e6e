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
  ///
  /// The key is the address of the SQL literal.
  private var statements: [UnsafePointer<UInt8>: PostgresStatement] = [:]
  /// The number of rows that the last statement changed.
  private(set) var changeCount = 0
  /// Whether a statement of this transaction met a change of another transaction, so that the
  /// decision can succeed if it runs again.
  private(set) var mustRepeat = false
  /// The statements that are sent together with the next one.
  private var unsent: [Unsent] = []
  private let roundTrips: RoundTripCount?
  private let deadlines: PostgresDeadlines?

  /// A statement whose result is only success or failure.
  private enum Unsent {
    /// The beginning or the end of the transaction.
    case text(String)
    case statement(PostgresStatement, PostgresValues)
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

  deinit { PQfinish(handle) }

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
    if case .text = unsent.first { return true }
    return PQtransactionStatus(handle) == PQTRANS_INTRANS
  }

  /// Begins the transaction of a decision or of a read.
  ///
  /// A decision sees what others have committed before each of its statements, so that it sees
  /// everything that was committed before it got its locks. A read sees one moment. The transaction
  /// begins with its first statement, so that it costs no round trip of its own.
  func begin(for purpose: SQLTransaction.Purpose) {
    mustRepeat = false
    switch purpose {
    case .writing: unsent = [.text("BEGIN ISOLATION LEVEL READ COMMITTED")]
    case .reading: unsent = [.text("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")]
    }
  }

  /// Commits, in one round trip with the statements that are not sent yet.
  ///
  /// After a statement that fails, the database does not commit.
  func commit() throws(StoreFault) {
    unsent.append(.text("COMMIT"))
    PQclear(try pipeline())
  }

  func rollBack() {
    unsent = []
    guard isInTransaction, !isLost else { return }
    // If this fails, the connection is lost, and the server rolls back by itself.
    roundTrips?.increase()
    PQclear(awaitAnswer { PQexec(handle, "ROLLBACK") })
  }

  /// Runs SQL that is not prepared, and ignores its result rows.
  func execute(_ sql: String) throws(StoreFault) {
    if !unsent.isEmpty { PQclear(try pipeline()) }
    roundTrips?.increase()
    PQclear(try checked(awaitAnswer { PQexec(handle, sql) }))
  }

  /// Runs a statement together with the next one, which sees what this one did, and everything that
  /// was committed before it got its lock.
  ///
  /// If this statement fails, the next one or the commit fails.
  func runLater(
    _ sql: StaticString, bind: (inout Parameters) -> Void
  ) throws(StoreFault) {
    let values = PostgresValues()
    var parameters = Parameters(.postgres(values))
    bind(&parameters)
    let statement = try prepared(sql, values)
    precondition(statement.conflict == .none, "a conflict must be found at once")
    unsent.append(.statement(statement, values))
  }

  /// Runs a statement and ignores its result rows.
  func run(
    _ sql: StaticString, bind: (inout Parameters) -> Void = { _ in }
  ) throws(StoreFault) {
    PQclear(try result(sql, bind))
  }

  /// The first row, or `nil` if there is none.
  func first<Answer>(
    _ sql: StaticString, bind: (inout Parameters) -> Void = { _ in },
    read: (inout Row) throws(StoreFault) -> Answer
  ) throws(StoreFault) -> Answer? {
    let result = try result(sql, bind)
    defer { PQclear(result) }
    return PQntuples(result) > 0 ? try row(0, of: result, read) : nil
  }

  func all<Answer>(
    _ sql: StaticString, bind: (inout Parameters) -> Void = { _ in },
    read: (inout Row) throws(StoreFault) -> Answer
  ) throws(StoreFault) -> [Answer] {
    let result = try result(sql, bind)
    defer { PQclear(result) }
    var answers: [Answer] = []
    for index in 0..<PQntuples(result) { answers.append(try row(index, of: result, read)) }
    return answers
  }
}

extension PostgresConnection {
  /// Runs a call that waits for the database, for a limited time.
  private func awaitAnswer<Answer>(_ call: () -> Answer) -> Answer {
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

  private func row<Answer>(
    _ index: Int32, of result: OpaquePointer, _ read: (inout Row) throws(StoreFault) -> Answer
  ) throws(StoreFault) -> Answer {
    var row = Row(.postgres(PostgresRow(result: result, index: index)))
    do throws(StoreFault) { return try read(&row) } catch {
      damage.noteUnreadable()
      throw error
    }
  }

  private func result(
    _ sql: StaticString, _ bind: (inout Parameters) -> Void
  ) throws(StoreFault) -> OpaquePointer {
    let values = PostgresValues()
    var parameters = Parameters(.postgres(values))
    bind(&parameters)
    let statement = try prepared(sql, values)
    let isGuarded = statement.conflict == .failure && isInTransaction
    if isGuarded { try execute("SAVEPOINT change") }
    let result: OpaquePointer
    do throws(StoreFault) { result = try execute(statement, values) } catch {
      if isGuarded, error == .conflict { try execute("ROLLBACK TO change; RELEASE change") }
      throw error
    }
    if isGuarded { try execute("RELEASE change") }
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
    guard unsent.isEmpty else { return try pipeline((statement, values)) }
    roundTrips?.increase()
    return try checked(
      awaitAnswer {
        values.withPointers { addresses, lengths, formats in
          PQexecPrepared(handle, statement.name, values.count, addresses, lengths, formats, 1)
        }
      })
  }

  /// Sends the unsent statements and then `last` in one round trip.
  ///
  /// After a statement that fails, the database runs none of the following.
  ///
  /// - Returns: The result of the last statement.
  private func pipeline(
    _ last: (statement: PostgresStatement, values: PostgresValues)? = nil
  ) throws(StoreFault) -> OpaquePointer {
    let lost = StoreFault.unavailable("the connection to the database was lost")
    let first = unsent
    unsent = []
    roundTrips?.increase()
    guard PQenterPipelineMode(handle) == 1 else { throw lost }
    var isSent = true
    for statement in first {
      switch statement {
      case .text(let text):
        isSent = isSent && PQsendQueryParams(handle, text, 0, nil, nil, nil, nil, 1) == 1
      case .statement(let statement, let values): isSent = isSent && send(statement, values)
      }
    }
    if let last { isSent = isSent && send(last.statement, last.values) }
    guard isSent, PQpipelineSync(handle) == 1 else { throw lost }
    let count = first.count + (last == nil ? 0 : 1)
    let results = awaitAnswer {
      let results = (0..<count).map { _ in nextResult() }
      // The end of the pipeline has a result, too.
      PQclear(PQgetResult(handle))
      return results
    }
    guard PQexitPipelineMode(handle) == 1 else {
      for result in results { PQclear(result) }
      throw lost
    }
    let shown = results.firstIndex { !Self.isSuccess($0) } ?? count - 1
    for index in results.indices where index != shown { PQclear(results[index]) }
    return try checked(results[shown])
  }

  private func send(_ statement: PostgresStatement, _ values: PostgresValues) -> Bool {
    values.withPointers { addresses, lengths, formats in
      PQsendQueryPrepared(handle, statement.name, values.count, addresses, lengths, formats, 1)
    } == 1
  }

  /// The result of the next statement of a pipeline.
  private func nextResult() -> OpaquePointer? {
    let result = PQgetResult(handle)
    while let further = PQgetResult(handle) { PQclear(further) }
    return result
  }

  private static func isSuccess(_ result: OpaquePointer?) -> Bool {
    let status = PQresultStatus(result)
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK
  }

  private func prepared(
    _ sql: StaticString, _ values: PostgresValues
  ) throws(StoreFault) -> PostgresStatement {
    if let known = statements[sql.utf8Start] { return known }
    let statement = PostgresStatement("s\(statements.count)", PostgresDialect.translate(sql))
    PQclear(
      try checked(
        awaitAnswer {
          PQprepare(handle, statement.name, statement.text, values.count, values.types)
        }))
    statements[sql.utf8Start] = statement
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
    case "23505": return .conflict
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

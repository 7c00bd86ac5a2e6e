internal import CPostgres
internal import SignInService

/// Statements that are sent together, so that they have one round trip.
extension PostgresConnection {
  /// A statement whose result is only success or failure.
  enum Unsent {
    case command(String)
    case statement(PostgresStatement, PostgresValues)
  }

  /// A statement and its values.
  typealias Bound = (statement: PostgresStatement, values: PostgresValues)

  /// Sends the unsent statements and then `last` in one round trip.
  ///
  /// After a statement that fails, the database runs none of the following.
  ///
  /// - Returns: The results of `last`, which the caller clears.
  func flush(_ last: [Bound] = []) throws(StoreFault) -> [OpaquePointer] {
    let first = takeUnsent()
    let results = try exchange(first, last)
    guard let failed = results.firstIndex(where: { !Self.isSuccess($0) }) else {
      for result in results.prefix(first.count) { PQclear(result) }
      return results.dropFirst(first.count).compactMap(\.self)
    }
    for index in results.indices where index != failed { PQclear(results[index]) }
    PQclear(try checked(results[failed]))
    preconditionFailure("the result of a failed statement is a fault")
  }

  /// The results of all statements, in their order.
  private func exchange(
    _ first: [Unsent], _ last: [Bound]
  ) throws(StoreFault) -> [OpaquePointer?] {
    let lost = StoreFault.unavailable("the connection to the database was lost")
    noteRoundTrip()
    guard PQenterPipelineMode(handle) == 1 else { throw lost }
    var isSent = true
    for statement in first {
      switch statement {
      case .command(let text):
        isSent = isSent && PQsendQueryParams(handle, text, 0, nil, nil, nil, nil, 1) == 1
      case .statement(let statement, let values): isSent = isSent && send(statement, values)
      }
    }
    for (statement, values) in last { isSent = isSent && send(statement, values) }
    guard isSent, PQpipelineSync(handle) == 1 else { throw lost }
    let results = awaitAnswer {
      let results = (0..<(first.count + last.count)).map { _ in nextResult() }
      // The end of the pipeline has a result, too.
      PQclear(PQgetResult(handle))
      return results
    }
    guard PQexitPipelineMode(handle) == 1 else {
      for result in results { PQclear(result) }
      throw lost
    }
    return results
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

  static func isSuccess(_ result: OpaquePointer?) -> Bool {
    let status = PQresultStatus(result)
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK
  }
}

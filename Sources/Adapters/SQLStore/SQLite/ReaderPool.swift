internal import SignInService
internal import Threads

/// A pool of read-only connections.
///
/// A read takes some microseconds and waits for nothing outside, so it runs on the calling thread.
/// If all connections are in use, the caller blocks until one is returned. `@unchecked Sendable`:
/// each connection is behind the monitor's lock, or in use by one thread.
final class ReaderPool: @unchecked Sendable {
  private struct Idle {
    var transactions: [SQLTransaction]
    var inUseCount = 0
    var isClosed = false
  }

  private let idle: Monitor<Idle>

  init(
    path: String, count: Int, limits: SQLiteLimits, damage: DamageLog, keys: StoreKeys? = nil
  ) throws(StoreFault) {
    precondition(count > 0, "a store needs at least one reader")
    var transactions: [SQLTransaction] = []
    for _ in 0..<count {
      let connection = try SQLiteConnection(
        path: path, for: .reading, limits: limits, damage: damage)
      transactions.append(SQLTransaction(.sqlite(connection), for: .reading, keys: keys))
    }
    idle = Monitor(Idle(transactions: transactions))
  }

  /// Runs `body` on one consistent snapshot.
  ///
  /// Commits during the read do not change what it sees.
  func read<Answer>(
    _ body: (SQLTransaction) throws(StoreFault) -> Answer
  ) throws(StoreFault) -> Answer {
    guard let transaction = take() else { throw .unavailable("the store is closed") }
    defer { returnReader(transaction) }
    try transaction.connection.run("BEGIN")
    // The read wrote nothing. A rollback ends the transaction and, unlike a commit, cannot fail.
    defer { transaction.connection.rollBack() }
    return try body(transaction)
  }

  /// Waits until the current reads are finished, then closes the connections.
  func close() {
    idle.withLock { $0.isClosed = true }
    idle.wakeAll()
    idle.wait { idle -> Void? in idle.inUseCount == 0 ? () : nil }
    idle.withLock { $0.transactions = [] }
  }

  private func take() -> SQLTransaction? {
    idle.wait { idle -> SQLTransaction?? in
      if idle.isClosed { return .some(nil) }
      guard let transaction = idle.transactions.popLast() else { return nil }
      idle.inUseCount += 1
      return transaction
    }
  }

  private func returnReader(_ transaction: SQLTransaction) {
    idle.withLock { idle in
      idle.transactions.append(transaction)
      idle.inUseCount -= 1
    }
    idle.wakeAll()
  }
}

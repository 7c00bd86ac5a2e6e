internal import SignInService
internal import Threads

/// Read-only connections, lent to whoever looks.
///
/// A look is some microseconds of work without waiting for anything outside, so it runs on the
/// calling thread; when all connections are lent out, the caller waits for one that long.
/// `@unchecked Sendable`: the connections are behind the monitor's lock, or lent to one thread.
final class ReaderPool: @unchecked Sendable {
  private struct Idle {
    var transactions: [SQLiteTransaction]
    var lentCount = 0
    var isClosed = false
  }

  private let idle: Monitor<Idle>

  init(
    path: String, count: Int, limits: SQLiteLimits, damage: DamageLog, keys: StoreKeys? = nil
  ) throws(StoreFault) {
    precondition(count > 0, "a store needs a reader")
    var transactions: [SQLiteTransaction] = []
    for _ in 0..<count {
      let connection = try Connection(path: path, for: .reading, limits: limits, damage: damage)
      transactions.append(SQLiteTransaction(connection, for: .reading, keys: keys))
    }
    idle = Monitor(Idle(transactions: transactions))
  }

  /// Runs `look` on one consistent state, whatever is committed meanwhile.
  func read<Answer>(
    _ look: (SQLiteTransaction) throws(StoreFault) -> Answer
  ) throws(StoreFault) -> Answer {
    guard let transaction = take() else { throw .unavailable("the store is closed") }
    defer { giveBack(transaction) }
    try transaction.connection.run("BEGIN")
    // Nothing was written, so that rolling back is the end that cannot fail.
    defer { transaction.connection.rollBack() }
    return try look(transaction)
  }

  /// Waits for the looks under way and closes the connections.
  func close() {
    idle.withLock { $0.isClosed = true }
    idle.wakeAll()
    idle.wait { idle -> Void? in idle.lentCount == 0 ? () : nil }
    idle.withLock { $0.transactions = [] }
  }

  private func take() -> SQLiteTransaction? {
    idle.wait { idle -> SQLiteTransaction?? in
      if idle.isClosed { return .some(nil) }
      guard let transaction = idle.transactions.popLast() else { return nil }
      idle.lentCount += 1
      return transaction
    }
  }

  private func giveBack(_ transaction: SQLiteTransaction) {
    idle.withLock { idle in
      idle.transactions.append(transaction)
      idle.lentCount -= 1
    }
    idle.wakeAll()
  }
}

internal import SignInService
internal import Threads

/// Makes decisions durable.
///
/// All waiting decisions go into one transaction (group commit).
///
/// A commit waits once for the disk, regardless of its size. During that wait, further decisions
/// queue up and share the next commit. So the cost of one decision falls as the load grows.
/// `@unchecked Sendable`: `queue` has a lock. Only the writer's thread uses the connection.
final class Writer: @unchecked Sendable {
  private struct Queue {
    var waiting: [any PendingDecision] = []
    var isClosed = false
    var counts = Counts()
    var thread: WorkerThread?
  }

  /// Totals since the store was opened, for metrics and tests.
  struct Counts: Equatable, Sendable {
    var batches = 0
    var decisions = 0
  }

  let connection: SQLiteConnection
  private let limits: SQLiteLimits
  private let transaction: SQLTransaction
  private let queue = Monitor(Queue())

  init(_ connection: SQLiteConnection, limits: SQLiteLimits, keys: StoreKeys? = nil) {
    self.connection = connection
    self.limits = limits
    transaction = SQLTransaction(.sqlite(connection), for: .writing, keys: keys)
  }

  var counts: Counts { queue.withLock { $0.counts } }

  var waitingCount: Int { queue.withLock { $0.waiting.count } }

  /// Starts the thread.
  ///
  /// The thread ends after `close` and then releases the writer.
  func start() {
    let thread = WorkerThread { self.serve() }
    queue.withLock { $0.thread = thread }
  }

  /// Adds a decision to the queue.
  ///
  /// Returns a fault if the queue is full or closed.
  func enqueue(_ decision: any PendingDecision) -> StoreFault? {
    let (fault, isFirst) = queue.withLock { queue -> (StoreFault?, Bool) in
      if queue.isClosed { return (.unavailable("the store is closed"), false) }
      guard queue.waiting.count < limits.queueLimit else {
        return (.unavailable("the store has too much to write: try again in a moment"), false)
      }
      queue.waiting.append(decision)
      return (nil, queue.waiting.count == 1)
    }
    if isFirst { queue.wakeOne() }
    return fault
  }

  /// Finishes the waiting decisions and ends the thread.
  func close() {
    let thread = queue.withLock { queue in
      defer { queue.thread = nil }
      queue.isClosed = true
      return queue.thread
    }
    queue.wakeAll()
    thread?.join()
  }

  private func serve() {
    while let batch = nextBatch() { commit(batch) }
  }

  private func nextBatch() -> [any PendingDecision]? {
    queue.wait { queue in
      if queue.waiting.isEmpty { return queue.isClosed ? .some(nil) : nil }
      let batch = Array(queue.waiting.prefix(limits.batchLimit))
      queue.waiting.removeFirst(batch.count)
      queue.counts.batches += 1
      queue.counts.decisions += batch.count
      return batch
    }
  }
}

extension Writer {
  /// Runs the batch in one transaction.
  ///
  /// The callers get their answers only after the commit.
  private func commit(_ batch: [any PendingDecision]) {
    var fault: StoreFault?
    do throws(StoreFault) {
      try connection.run("BEGIN IMMEDIATE")
      try run(batch)
      if connection.isInTransaction { try connection.run("COMMIT") }
    } catch {
      fault = Self.unavailable(error)
      connection.rollBack()
    }
    for decision in batch { decision.finish(fault) }
  }

  /// If a decision throws, its own writes are undone.
  ///
  /// The writes of the other decisions remain.
  private func run(_ batch: [any PendingDecision]) throws(StoreFault) {
    let isAlone = batch.count == 1
    for decision in batch {
      transaction.begin(withSavepoint: !isAlone)
      let isKept = decision.run(in: transaction)
      // A full disk or a failed read ends the whole transaction, with the writes of all decisions.
      guard connection.isInTransaction else { throw SQLTransaction.ended }
      if isKept {
        try transaction.release()
      } else if isAlone {
        return connection.rollBack()
      } else {
        try transaction.undo()
      }
    }
  }

  /// A fault of the whole transaction must not look like a conflict of one decision.
  private static func unavailable(_ fault: StoreFault) -> StoreFault {
    switch fault {
    case .unavailable: fault
    case .conflict: .unavailable("the database could not commit")
    case .unusable(let reason): .unavailable(reason)
    }
  }
}

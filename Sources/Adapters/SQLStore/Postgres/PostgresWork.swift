internal import Glibc
internal import SignInService

/// Threads that each have a connection, and run waiting decisions or reads.
final class PostgresWork: Sendable {
  private struct Waiting: Sendable {
    let subjects: [Subject]
    let decision: any PendingDecision
  }

  private let purpose: SQLTransaction.Purpose
  private let connector: PostgresConnector
  private let limits: PostgresLimits
  private let keys: StoreKeys?
  private let queue: WorkQueue<Waiting>

  init(
    _ connector: PostgresConnector, for purpose: SQLTransaction.Purpose, limits: PostgresLimits,
    keys: StoreKeys?
  ) {
    self.connector = connector
    self.purpose = purpose
    self.limits = limits
    self.keys = keys
    queue = WorkQueue(limit: limits.queueLimit)
  }

  func start(threads count: Int) {
    queue.start(threads: count) { self.serve() }
  }

  /// Adds a decision or a read to the queue.
  ///
  /// Returns a fault if the queue is full or closed.
  func enqueue(_ decision: any PendingDecision, about subjects: [Subject]) -> StoreFault? {
    switch queue.add(Waiting(subjects: subjects, decision: decision)) {
    case .waiting: nil
    case .closed: .unavailable("the store is closed")
    case .full: .unavailable("the store has too much to do: try again in a moment")
    }
  }

  /// Finishes what waits and ends the threads.
  func close() { queue.close() }

  private func serve() {
    var transaction: PostgresTransaction?
    while let next = queue.next() { run(next, in: &transaction) }
  }
}

extension PostgresWork {
  /// Runs a decision, and again if it met another one in the wrong order or lost its connection
  /// before its commit.
  private func run(_ waiting: Waiting, in transaction: inout PostgresTransaction?) {
    var fault = StoreFault.unavailable("the database is busy: too many others change the same")
    for attempt in 0..<limits.tries {
      if attempt > 0 { pause(before: attempt) }
      let current: PostgresTransaction
      do throws(StoreFault) { current = try connected(transaction) } catch {
        transaction = nil
        return waiting.decision.finish(error)
      }
      transaction = current
      let outcome = current.run(waiting.decision, about: waiting.subjects)
      // A caller does not wait for the end of a read, or of a decision that changed nothing.
      switch outcome {
      case .finished: waiting.decision.finish(nil)
      case .failed(let reason): waiting.decision.finish(reason)
      case .unfinished(let reason): fault = reason
      }
      current.end()
      if current.isLost { transaction = nil }
      guard case .unfinished = outcome else { return }
    }
    waiting.decision.finish(fault)
  }

  /// Waits longer before each further try, and not equally long on each thread.
  private func pause(before attempt: Int) {
    let milliseconds = limits.pauseMilliseconds << Int64(min(attempt, 6))
    usleep(UInt32(clamping: .random(in: (milliseconds / 2)...milliseconds) * 1000))
  }

  private func connected(
    _ transaction: PostgresTransaction?
  ) throws(StoreFault) -> PostgresTransaction {
    if let transaction { return transaction }
    return PostgresTransaction(try connector.connect(), for: purpose, keys: keys)
  }
}

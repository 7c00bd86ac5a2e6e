internal import SignInModel
internal import SignInService
internal import Threads

/// Runs long reads one after another, with their own connection and thread.
///
/// A search can use a processor for tens of milliseconds. On the thread of an event loop, all other
/// connections of that thread would wait for it. The thread has a low priority, so that a search
/// does not make a sign-in longer when all processors are in use.
/// `@unchecked Sendable`: all mutable state is in `queue`, behind its lock.
final class LongReads: @unchecked Sendable {
  private struct Queue {
    /// `reader` is nil for a command of the operator.
    var waiting: [(reader: AccountID?, run: @Sendable () -> Void)] = []
    var isClosed = false
    var thread: WorkerThread?
  }

  private let queue = Monitor(Queue())
  private let readers: ReaderPool
  private let limit: Int
  private let limitPerAccount: Int

  init(
    path: String, limits: SQLiteLimits, damage: DamageLog, keys: StoreKeys?
  ) throws(StoreFault) {
    limit = limits.longReadLimit
    limitPerAccount = limits.longReadLimitPerAccount
    readers = try ReaderPool(path: path, count: 1, limits: limits, damage: damage, keys: keys)
  }

  deinit { close() }

  /// The number of reads that wait behind the one that runs.
  var waitingCount: Int { queue.withLock { $0.waiting.count } }

  /// Starts the thread.
  ///
  /// The thread ends after `close`.
  func start() {
    let queue = queue
    let thread = WorkerThread(isBackground: true) {
      while let read = Self.next(queue) { read() }
    }
    queue.withLock { $0.thread = thread }
  }

  /// Runs `body` on one consistent snapshot.
  ///
  /// - Throws: `.unavailable` at once if the queue is full or closed, or if too many reads of the
  ///   same account wait.
  func read<Answer: Sendable>(
    by reader: AccountID?,
    _ body: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    let outcome: Result<Answer, StoreFault> = await withUnsafeContinuation { continuation in
      let readers = readers
      let run = { @Sendable in
        do throws(StoreFault) {
          continuation.resume(returning: .success(try readers.read(body)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
      let fault = queue.withLock { queue -> StoreFault? in
        if let fault = refusal(of: reader, queue) { return fault }
        queue.waiting.append((reader, run))
        return nil
      }
      if let fault { continuation.resume(returning: .failure(fault)) } else { queue.wakeOne() }
    }
    return try outcome.get()
  }

  /// The reason why no further read of an account may wait; `nil` if it may.
  private func refusal(of reader: AccountID?, _ queue: Queue) -> StoreFault? {
    if queue.isClosed { return .unavailable("the store is closed") }
    guard queue.waiting.count < limit else {
      return .unavailable("the store has too much to search: try again in a moment")
    }
    guard let reader else { return nil }
    let own = queue.waiting.count { $0.reader == reader }
    return own < limitPerAccount
      ? nil : .unavailable("an account has too many searches: try again in a moment")
  }

  /// Finishes the accepted reads, then closes the connection.
  func close() {
    let thread = queue.withLock { queue in
      defer { queue.thread = nil }
      queue.isClosed = true
      return queue.thread
    }
    queue.wakeAll()
    thread?.join()
    readers.close()
  }

  private static func next(_ queue: Monitor<Queue>) -> (@Sendable () -> Void)? {
    queue.wait { queue in
      guard !queue.waiting.isEmpty else { return queue.isClosed ? .some(nil) : nil }
      return queue.waiting.removeFirst().run
    }
  }
}

internal import Threads

/// The pool is full, and the work did not start.
public struct HashingPoolFull: Error, Equatable, Sendable {
  public init() {}
}

/// Runs slow work that needs much memory on its own few threads, with a limited queue.
///
/// A password hash takes milliseconds of processor time and 19 MiB. Without a limit, many sign-ins
/// at once would use up the memory and block the event loops. So a call beyond the limit is refused
/// at once. `@unchecked Sendable`: all mutable state is in `queue`, behind its lock.
public final class HashingPool: @unchecked Sendable {
  private struct Queue {
    var waiting: [@Sendable () -> Void] = []
    var running = 0
    var busy = Duration.zero
    var isStopped = false
  }

  /// The maximum number of running and waiting calls.
  private let callLimit: Int
  private let queue = Monitor(Queue())
  private var threads: [WorkerThread] = []

  /// - Parameters:
  ///   - threads: Calls that run at the same time.
  ///   - queueLimit: Calls that wait beyond those that run.
  public init(threads: Int, queueLimit: Int) {
    precondition(threads > 0 && queueLimit >= 0, "a hashing pool needs a thread")
    callLimit = threads + queueLimit
    let queue = queue
    self.threads = (0..<threads).map { _ in
      WorkerThread { Self.serve(queue) }
    }
  }

  deinit { stop() }

  /// Runs `work` on a thread of the pool.
  ///
  /// - Throws: `HashingPoolFull` at once if the queue is full or the pool was stopped.
  public func run<Answer: Sendable>(
    _ work: @escaping @Sendable () -> Answer
  ) async throws(HashingPoolFull) -> Answer {
    let answer: Answer? = await withUnsafeContinuation { continuation in
      let isAccepted = queue.withLock { queue in
        guard !queue.isStopped, queue.waiting.count + queue.running < callLimit else {
          return false
        }
        queue.waiting.append { continuation.resume(returning: work()) }
        return true
      }
      if isAccepted { queue.wakeOne() } else { continuation.resume(returning: nil) }
    }
    guard let answer else { throw HashingPoolFull() }
    return answer
  }

  /// The current number of running and waiting calls, for metrics.
  public var callCount: Int { queue.withLock { $0.waiting.count + $0.running } }

  /// The total working time of all threads, for metrics.
  public var busy: Duration { queue.withLock { $0.busy } }

  /// Accepts no more calls, finishes the accepted ones, and ends the threads.
  public func stop() {
    let isFirst = queue.withLock { queue in
      defer { queue.isStopped = true }
      return !queue.isStopped
    }
    guard isFirst else { return }
    queue.wakeAll()
    for thread in threads { thread.join() }
  }

  private static func serve(_ queue: Monitor<Queue>) {
    while let work = next(queue) {
      let began = ContinuousClock.now
      work()
      let took = began.duration(to: .now)
      queue.withLock { queue in
        queue.running -= 1
        queue.busy += took
      }
    }
  }

  private static func next(_ queue: Monitor<Queue>) -> (@Sendable () -> Void)? {
    queue.wait { queue in
      guard !queue.waiting.isEmpty else { return queue.isStopped ? .some(nil) : nil }
      queue.running += 1
      return queue.waiting.removeFirst()
    }
  }
}

internal import Threads

/// The pool has as much to do as it may have; nothing was begun.
public struct HashingPoolFull: Error, Equatable, Sendable {
  public init() {}
}

/// Runs slow, memory-hungry work on a few threads of its own, with a bounded queue.
///
/// A password hash takes milliseconds of processor and 19 MiB. Without a bound, a crowd of sign-ins
/// would take the memory and the event loops away from everybody else; so past the bound a call is
/// turned away at once.
/// `@unchecked Sendable`: everything that changes is in `queue`, behind its lock.
public final class HashingPool: @unchecked Sendable {
  private struct Queue {
    var waiting: [@Sendable () -> Void] = []
    var running = 0
    var busy = Duration.zero
    var isStopped = false
  }

  /// Calls that run or wait, at most.
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
  /// - Throws: At once when the queue is full, or when the pool was stopped.
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

  /// Calls that run or wait just now, for metrics.
  public var callCount: Int { queue.withLock { $0.waiting.count + $0.running } }

  /// For how long its threads have worked, added up, for metrics.
  public var busy: Duration { queue.withLock { $0.busy } }

  /// Accepts nothing more, finishes what was accepted, and gives the threads back.
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

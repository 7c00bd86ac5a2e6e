internal import Threads

/// Work that waits for one of several threads.
///
/// A call waits for the database on one of these threads, never on a thread of Swift's own pool.
final class WorkQueue<Work: Sendable>: Sendable {
  /// Whether work was added.
  enum Entry {
    case waiting
    case full
    case closed
  }

  private struct State {
    var waiting: ArraySlice<Work> = []
    var isClosed = false
    var threads: [WorkerThread] = []
  }

  private let limit: Int
  private let state = Monitor(State())

  /// Creates a queue that holds at most `limit` pieces of work.
  init(limit: Int) { self.limit = limit }

  /// Starts threads, which should take work until there is none.
  func start(threads count: Int, _ serve: @escaping @Sendable () -> Void) {
    let threads = (0..<count).map { _ in WorkerThread(serve) }
    state.withLock { $0.threads += threads }
  }

  func add(_ work: Work) -> Entry {
    let entry = state.withLock { state -> Entry in
      if state.isClosed { return .closed }
      guard state.waiting.count < limit else { return .full }
      state.waiting.append(work)
      return .waiting
    }
    if entry == .waiting { state.wakeOne() }
    return entry
  }

  /// The oldest work, as soon as there is some; `nil` if the queue is closed and empty.
  func next() -> Work? {
    state.wait { state -> Work?? in
      if let work = state.waiting.popFirst() { return .some(work) }
      return state.isClosed ? .some(nil) : nil
    }
  }

  /// The oldest pieces of work, at most `limit`, as soon as there are some.
  ///
  /// None if the queue is closed and empty.
  func next(upTo limit: Int) -> [Work] {
    state.wait { state -> [Work]? in
      guard !state.waiting.isEmpty else { return state.isClosed ? [] : nil }
      let oldest = Array(state.waiting.prefix(limit))
      state.waiting.removeFirst(oldest.count)
      return oldest
    }
  }

  /// Accepts no further work, and returns when the threads have finished the rest.
  func close() {
    let threads = state.withLock { state in
      defer { state.threads = [] }
      state.isClosed = true
      return state.threads
    }
    state.wakeAll()
    for thread in threads { thread.join() }
  }
}

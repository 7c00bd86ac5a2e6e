import Threads

/// A barrier: threads wait until all of them have arrived.
final class ThreadBarrier: Sendable {
  private struct State {
    var waiting = 0
    var meetings = 0
    var isDispersed = false
  }

  private let size: Int
  private let state = Monitor(State())

  init(size: Int) { self.size = size }

  /// Returns when all threads have arrived.
  func wait() throws(BenchFault) {
    let meeting = state.withLock { state in
      state.waiting += 1
      if state.waiting == size {
        state.waiting = 0
        state.meetings += 1
      }
      // The number of the meeting for which this thread waits, or that it completed.
      return state.waiting == 0 ? state.meetings : state.meetings + 1
    }
    state.wakeAll()
    let isHeld = state.wait { state -> Bool? in
      if state.isDispersed { return false }
      return state.meetings >= meeting ? true : nil
    }
    if !isHeld { throw BenchFault("another connection failed") }
  }

  /// Ends the wait of all threads after one has failed.
  func disperse() {
    state.withLock { $0.isDispersed = true }
    state.wakeAll()
  }
}

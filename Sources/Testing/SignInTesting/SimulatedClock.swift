public import SignInModel
public import SignInService
internal import Synchronization

/// A clock that moves only when a test moves it.
public final class SimulatedClock: Clock {
  private struct Sleeper {
    let number: Int
    let wakesAt: Instant
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now: Instant
    var sleepers: [Sleeper] = []
    var nextNumber = 0
    var cancelled: Set<Int> = []
  }

  private let state: Mutex<State>

  /// Creates a clock.
  ///
  /// Its default start is 1 January 2030.
  public init(_ start: Instant = Instant(seconds: 1_893_456_000)) {
    state = Mutex(State(now: start))
  }

  public func now() -> Instant { state.withLock { $0.now } }

  /// The number of pauses in progress.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  public func advance(seconds: Int64) { advance(milliseconds: seconds * 1000) }

  public func advance(milliseconds: Int64) { set(now().adding(milliseconds: milliseconds)) }

  /// Moves to `moment` and ends the pauses before it, the earliest first.
  public func set(_ moment: Instant) {
    let awake = state.withLock { state -> [Sleeper] in
      precondition(state.now <= moment, "a clock never runs backwards")
      state.now = moment
      let awake = state.sleepers.filter { $0.wakesAt <= moment }
      state.sleepers.removeAll { $0.wakesAt <= moment }
      return awake.sorted { ($0.wakesAt, $0.number) < ($1.wakesAt, $1.number) }
    }
    for sleeper in awake { sleeper.continuation.resume() }
  }

  public func pause(milliseconds: Int64) async {
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        addSleeper(number, milliseconds: milliseconds, continuation)
      }
    } onCancel: {
      wake(number)
    }
    state.withLock { _ = $0.cancelled.remove(number) }
  }

  private func addSleeper(
    _ number: Int, milliseconds: Int64, _ continuation: CheckedContinuation<Void, Never>
  ) {
    let isAwake = state.withLock { state in
      if milliseconds <= 0 || state.cancelled.contains(number) { return true }
      state.sleepers.append(
        Sleeper(
          number: number, wakesAt: state.now.adding(milliseconds: milliseconds),
          continuation: continuation))
      return false
    }
    if isAwake { continuation.resume() }
  }

  /// The task was cancelled, possibly before its pause began.
  private func wake(_ number: Int) {
    let sleeper = state.withLock { state -> Sleeper? in
      guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else {
        state.cancelled.insert(number)
        return nil
      }
      return state.sleepers.remove(at: index)
    }
    sleeper?.continuation.resume()
  }
}

import Synchronization

/// Requests that get no answer for a long time.
final class HangingAnswers: Sendable {
  /// Longer than the server waits.
  static let milliseconds = 10_000

  private struct State {
    var pauses: [Task<Void, Never>] = []
    var isReleased = false
  }

  private let state = Mutex(State())

  /// Waits, with one pause per request: polling would use the processors that are measured.
  func wait() async {
    let rest = Duration.milliseconds(Self.milliseconds)
    let pause = Task {
      do { try await Task.sleep(for: rest) } catch { return }
    }
    let isReleased = state.withLock { state in
      state.pauses.append(pause)
      return state.isReleased
    }
    if isReleased { pause.cancel() }
    await pause.value
  }

  /// Ends the waiting requests.
  func release() {
    let pauses = state.withLock { state in
      state.isReleased = true
      return state.pauses
    }
    for pause in pauses { pause.cancel() }
  }
}

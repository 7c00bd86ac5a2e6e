import SignInModel
import Synchronization

/// The moment at which one step of a sign-in stops waiting for its provider, all calls together.
struct ProviderDeadline: Sendable {
  private let endsAt: Instant
  private let clock: any Clock

  init(from start: Instant, _ clock: any Clock) {
    endsAt = start.adding(milliseconds: ProviderDirectory.Limits.waitMilliseconds)
    self.clock = clock
  }

  /// Never less than one, because a call needs a time.
  var millisecondsLeft: Int64 { max(1, endsAt.milliseconds - clock.now().milliseconds) }
}

extension Task where Failure == Never {
  /// The value of the task; nil if there is none after `milliseconds`.
  ///
  /// The task continues, because others may wait for it.
  func value(within milliseconds: Int64, _ clock: any Clock) async -> Success? {
    await withCheckedContinuation { continuation in
      let first = FirstValue(continuation)
      let pause = Task<Void, Never> {
        await clock.pause(milliseconds: milliseconds)
        first.resume(nil)
      }
      Task<Void, Never> {
        first.resume(await value)
        pause.cancel()
      }
    }
  }
}

/// Resumes a continuation once, with the first value.
private final class FirstValue<Value: Sendable>: Sendable {
  private let continuation: Mutex<CheckedContinuation<Value?, Never>?>

  init(_ continuation: CheckedContinuation<Value?, Never>) {
    self.continuation = Mutex(continuation)
  }

  func resume(_ value: Value?) {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(returning: value)
  }
}

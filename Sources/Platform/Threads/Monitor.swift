internal import Glibc

/// State behind a lock, with a way to wait for a change.
///
/// `Synchronization.Mutex` has no condition variable, which a thread that serves a queue needs.
/// `@unchecked Sendable`: `state` is used only while `lock` is held.
public final class Monitor<State>: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state: State

  public init(_ state: State) {
    self.state = state
    pthread_mutex_init(lock, nil)
    // Waiting must not depend on a clock that can be set.
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(lock)
    changed.deallocate()
    lock.deallocate()
  }

  public func withLock<Answer, Fault: Error>(
    _ body: (inout State) throws(Fault) -> Answer
  ) throws(Fault) -> Answer {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&state)
  }

  /// Blocks this thread until `body` returns a value.
  ///
  /// `body` runs again after each change.
  public func wait<Answer>(until body: (inout State) -> Answer?) -> Answer {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while true {
      if let answer = body(&state) { return answer }
      pthread_cond_wait(changed, lock)
    }
  }

  /// The same, or `nil` after this time.
  public func wait<Answer>(
    milliseconds: Int64, until body: (inout State) -> Answer?
  ) -> Answer? {
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    end.tv_sec += Int(milliseconds / 1000)
    end.tv_nsec += Int(milliseconds % 1000) * 1_000_000
    if end.tv_nsec >= 1_000_000_000 {
      end.tv_sec += 1
      end.tv_nsec -= 1_000_000_000
    }
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while true {
      if let answer = body(&state) { return answer }
      let status = pthread_cond_timedwait(changed, lock, &end)
      if status == ETIMEDOUT { return body(&state) }
    }
  }

  /// Wakes one waiting thread.
  public func wakeOne() { pthread_cond_signal(changed) }

  /// Wakes every waiting thread.
  public func wakeAll() { pthread_cond_broadcast(changed) }
}

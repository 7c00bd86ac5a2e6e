internal import Glibc

/// Some state behind a lock, and a way to wait until it changes.
///
/// `Synchronization.Mutex` has no condition to wait on, which a thread that serves a queue needs.
/// `@unchecked Sendable`: `state` is touched only while `lock` is held.
public final class Monitor<State>: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state: State

  public init(_ state: State) {
    self.state = state
    pthread_mutex_init(lock, nil)
    pthread_cond_init(changed, nil)
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

  /// Blocks this thread until `body` answers something, asking again after each change.
  public func wait<Answer>(until body: (inout State) -> Answer?) -> Answer {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while true {
      if let answer = body(&state) { return answer }
      pthread_cond_wait(changed, lock)
    }
  }

  /// Lets one waiting thread look again.
  public func wakeOne() { pthread_cond_signal(changed) }

  /// Lets every waiting thread look again.
  public func wakeAll() { pthread_cond_broadcast(changed) }
}

internal import Glibc

/// Asynchronous work, waited for by a thread that may stand still.
public enum Blocking {
  /// Answers once `work` is done; never to be called from a thread of Swift's own pool.
  public static func run(_ work: @escaping @Sendable () async -> Void) {
    let done = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(done, 0, 0)
    nonisolated(unsafe) let semaphore = done
    Task.detached {
      await work()
      sem_post(semaphore)
    }
    while sem_wait(done) != 0 {}
    sem_destroy(done)
    done.deallocate()
  }
}

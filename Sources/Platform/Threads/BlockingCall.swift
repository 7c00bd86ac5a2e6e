internal import Glibc

/// Runs asynchronous work for a thread that may block.
public enum BlockingCall {
  /// Returns the result of `work`.
  ///
  /// Never call it on a thread of Swift's own pool.
  @discardableResult
  public static func run<Answer: Sendable, Fault>(
    _ work: @escaping @Sendable () async throws(Fault) -> Answer
  ) throws(Fault) -> Answer {
    let done = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    let answer = UnsafeMutablePointer<Result<Answer, Fault>>.allocate(capacity: 1)
    sem_init(done, 0, 0)
    // The semaphore orders the write before the read.
    nonisolated(unsafe) let (semaphore, place) = (done, answer)
    Task.detached {
      do throws(Fault) { place.initialize(to: .success(try await work())) } catch {
        place.initialize(to: .failure(error))
      }
      sem_post(semaphore)
    }
    while sem_wait(done) != 0 {}
    sem_destroy(done)
    done.deallocate()
    defer { answer.deallocate() }
    return try answer.move().get()
  }
}

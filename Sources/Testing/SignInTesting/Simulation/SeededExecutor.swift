/// Runs the tasks of one simulated world on the calling thread, one job at a time.
///
/// After every `await` the rest of its task returns here, and a random number decides which job
/// continues. So an interleaving is a sequence of numbers, and the same seed gives the same
/// interleaving.
///
/// `@unchecked Sendable`: a world runs on one thread, and only that thread uses `jobs`.
final class SeededExecutor: TaskExecutor, @unchecked Sendable {
  private var jobs: [UnownedJob] = []

  var readyCount: Int { jobs.count }

  func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

  /// Runs one ready job up to its next `await`.
  func run(_ index: Int) {
    jobs.swapAt(index, jobs.count - 1)
    jobs.removeLast().runSynchronously(on: asUnownedTaskExecutor())
  }
}

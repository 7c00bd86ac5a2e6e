/// Runs the tasks of one simulated world on whoever calls it, one job at a time.
///
/// Every `await` inside puts the rest of its task back here, and the world's chance decides which
/// goes on: so an interleaving is a number, and the same number is the same interleaving.
///
/// `@unchecked Sendable`: a world lives on one thread, which alone touches `jobs`.
final class SeededExecutor: TaskExecutor, @unchecked Sendable {
  private var jobs: [UnownedJob] = []

  var readyCount: Int { jobs.count }

  func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

  /// Runs one of the ready jobs up to its next `await`.
  func run(_ index: Int) {
    jobs.swapAt(index, jobs.count - 1)
    jobs.removeLast().runSynchronously(on: asUnownedTaskExecutor())
  }
}

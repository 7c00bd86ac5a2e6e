internal import CLinux
internal import Glibc
internal import Synchronization

/// Runs tasks on the thread of one event loop.
///
/// A job from the loop's own thread goes into an array. A job from another thread goes into
/// `remote`, behind a mutex, and wakes the loop through an event descriptor.
///
/// `@unchecked Sendable`: `local` and `batch` belong to the loop's thread, which `owner` names. All
/// other state is atomic or behind the mutex `remote`.
final class LoopExecutor: TaskExecutor, @unchecked Sendable {
  private struct Remote {
    var jobs: [UnownedJob] = []
    var isSignalled = false
    var hasEnded = false
  }

  /// The maximum rounds between polls.
  ///
  /// Jobs that enqueue further jobs must not keep the loop from its sockets.
  private static let roundsBetweenPolls = 64

  let wakeDescriptor: Int32
  private let owner = Atomic<UInt>(0)
  private let remote = Mutex(Remote())
  private var local: [UnownedJob] = []
  private var batch: [UnownedJob] = []

  init() { wakeDescriptor = fp_eventfd() }

  deinit { Glibc.close(wakeDescriptor) }

  var isOnLoop: Bool { owner.load(ordering: .relaxed) == UInt(pthread_self()) }
  var hasWork: Bool { !local.isEmpty }

  func bindToCurrentThread() { owner.store(UInt(pthread_self()), ordering: .relaxed) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isOnLoop {
      local.append(job)
      return
    }
    let (wakes, hasEnded) = remote.withLock { remote in
      if remote.hasEnded { return (false, true) }
      remote.jobs.append(job)
      defer { remote.isSignalled = true }
      return (!remote.isSignalled, false)
    }
    if wakes { wake() }
    // The loop has ended and cannot run the job. A job that never runs is a task that never ends.
    if hasEnded { globalConcurrentExecutor.enqueue(job) }
  }

  private func wake() {
    var one: UInt64 = 1
    _ = Glibc.write(wakeDescriptor, &one, 8)
  }

  /// Runs the jobs of this thread and the jobs that they enqueue.
  func run() {
    var rounds = 0
    let executor = asUnownedTaskExecutor()
    while !local.isEmpty, rounds < Self.roundsBetweenPolls {
      swap(&local, &batch)
      for job in batch { job.runSynchronously(on: executor) }
      batch.removeAll(keepingCapacity: true)
      rounds += 1
    }
  }

  /// Collects the jobs of other threads.
  func collect() {
    var count: UInt64 = 0
    _ = Glibc.read(wakeDescriptor, &count, 8)
    let jobs = remote.withLock { remote in
      defer {
        remote.isSignalled = false
        remote.jobs = []
      }
      return remote.jobs
    }
    local.append(contentsOf: jobs)
  }

  /// Ends the executor.
  ///
  /// It is the last call of the loop's thread; later jobs run elsewhere.
  func end() {
    remote.withLock { $0.hasEnded = true }
    owner.store(0, ordering: .relaxed)
    collect()
    run()
  }
}

internal import CLinux
internal import Glibc
internal import Synchronization

/// Runs tasks on the thread of one event loop.
///
/// A job enqueued by the loop's own thread goes into a plain array; one from elsewhere goes
/// through `remote` (a mutex) and wakes the loop through an event descriptor.
///
/// `@unchecked Sendable`: `local` and `batch` belong to the loop's thread alone, which `owner`
/// names; everything else is atomic or under the mutex `remote`.
final class LoopExecutor: TaskExecutor, @unchecked Sendable {
  private struct Remote {
    var jobs: [UnownedJob] = []
    var isSignalled = false
    var hasEnded = false
  }

  /// Jobs that keep enqueueing jobs must not keep the loop from its sockets for ever.
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
    // Nobody is left to run it here, and a job that never runs is a task that never ends.
    if hasEnded { globalConcurrentExecutor.enqueue(job) }
  }

  private func wake() {
    var one: UInt64 = 1
    _ = Glibc.write(wakeDescriptor, &one, 8)
  }

  /// Runs what this thread has enqueued, and what that enqueues.
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

  /// Takes over what other threads have enqueued.
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

  /// Called last by the loop's thread: later jobs run elsewhere.
  func end() {
    remote.withLock { $0.hasEnded = true }
    owner.store(0, ordering: .relaxed)
    collect()
    run()
  }
}

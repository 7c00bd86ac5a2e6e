public import SignInService
import Synchronization

/// Answers the requests that wait for changes of their session, outside the event loops.
public final class SessionWatchWorker: Sendable {
  private struct Wakes {
    var isStopped = false
    /// Whether a check waits for the one before it.
    ///
    /// It then also finds what is new now.
    var isWaiting = false
    /// The last check, which ends after all before it.
    var last: Task<Void, Never>?
  }

  private let watch: SessionWatch
  private let world: World
  private let task: Task<Void, Never>
  private let wakes = Mutex(Wakes())

  /// Starts the task by `startTask`.
  public init(
    _ watch: SessionWatch, world: World,
    pauseMilliseconds: Int64 = SessionWatch.pauseMilliseconds,
    startTask: OutboxSender.TaskStart = OutboxSender.detached
  ) {
    self.watch = watch
    self.world = world
    task = startTask {
      while !Task.isCancelled {
        await world.clock.pause(milliseconds: pauseMilliseconds)
        await watch.check(in: world)
      }
    }
  }

  /// Checks the log now, because there are new events.
  public func wake() {
    guard !watch.waiters.isEmpty else { return }
    wakes.withLock { wakes in
      guard !wakes.isStopped, !wakes.isWaiting else { return }
      wakes.isWaiting = true
      wakes.last = Task.detached { [self, before = wakes.last] in
        await before?.value
        self.wakes.withLock { $0.isWaiting = false }
        await watch.check(in: world)
      }
    }
  }

  /// Answers all waiting requests.
  ///
  /// Call it before the server stops, because the server waits for them.
  public func answerWaiters() { watch.waiters.close() }

  /// Returns after the last use of the store.
  public func stop() async {
    let last = wakes.withLock { wakes in
      wakes.isStopped = true
      return wakes.last
    }
    task.cancel()
    await task.value
    await last?.value
  }
}

public import SignInService

/// Answers the requests that wait for changes of their session, outside the event loops.
public final class SessionWatchWorker: Sendable {
  private let watch: SessionWatch
  private let task: Task<Void, Never>

  /// Starts the task by `startTask`.
  public init(
    _ watch: SessionWatch, world: World,
    startTask: OutboxSender.TaskStart = OutboxSender.detached
  ) {
    self.watch = watch
    task = startTask {
      while !Task.isCancelled {
        await world.clock.pause(milliseconds: SessionWatch.pauseMilliseconds)
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
    task.cancel()
    await task.value
  }
}

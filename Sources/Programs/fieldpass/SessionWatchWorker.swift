import SignInHTTP
import SignInService

/// Answers the requests that wait for changes of their session, outside the event loops.
final class SessionWatchWorker: Sendable {
  private let watch: SessionWatch
  private let task: Task<Void, Never>

  init(_ watch: SessionWatch, world: World) {
    self.watch = watch
    task = Task.detached {
      while !Task.isCancelled {
        await world.clock.pause(milliseconds: SessionWatch.pauseMilliseconds)
        await watch.check(in: world)
      }
    }
  }

  /// Answers all waiting requests.
  ///
  /// Call it before the server stops, because the server waits for them.
  func answerWaiters() { watch.waiters.close() }

  /// Returns after the last use of the store.
  func stop() async {
    task.cancel()
    await task.value
  }
}

import SignInHTTP
import SignInService

/// Looks after the calls that wait for news of their session, off the event loops.
final class SessionWatchWorker: Sendable {
  private let watch: SessionWatch
  private let task: Task<Void, Never>

  init(_ watch: SessionWatch, world: World) {
    self.watch = watch
    task = Task.detached {
      while !Task.isCancelled {
        await world.clock.pause(milliseconds: SessionWatch.restMilliseconds)
        await watch.look(in: world)
      }
    }
  }

  /// Answers the calls that wait; to be called before the server stops, which waits for them.
  func answerWaiters() { watch.waiters.close() }

  /// Returns once nothing here uses the store any more.
  func stop() async {
    task.cancel()
    await task.value
  }
}

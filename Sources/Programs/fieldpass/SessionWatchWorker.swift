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

  /// Answers whoever waits; to be called before the server stops, which waits for their answers.
  func stop() {
    watch.waiters.close()
    task.cancel()
  }
}

/// Links the events that decisions have written, in a task of its own.
///
/// Several servers can use one store. Each of them tries, and one at a time links.
public final class EventLinker: Sendable {
  /// The pause between two attempts, in milliseconds.
  ///
  /// It is a quarter of `EventLimits.unlinkedMilliseconds`, so that events are linked in time even
  /// if one attempt is slow.
  public static let pauseMilliseconds: Int64 = 250

  private let world: World
  private let task: Task<Void, Never>

  /// Starts the task by `startTask`.
  public init(world: World, startTask: OutboxSender.TaskStart = OutboxSender.detached) {
    self.world = world
    task = startTask {
      while !Task.isCancelled {
        await world.clock.pause(milliseconds: Self.pauseMilliseconds)
        await world.linkEvents(waits: false)
      }
    }
  }

  /// Links the last events.
  ///
  /// Call it after everything else has stopped that writes events. After it, nothing here uses the
  /// store.
  public func stop() async {
    task.cancel()
    await task.value
    await world.linkEvents()
  }
}

import SignInModel
import SignInService

/// Wakes the outbox worker; ringing twice before it wakes is ringing once.
final class OutboxBell: Sendable {
  let rings: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (rings, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func ring() { continuation.yield() }
}

/// Sends what waits in the outbox, and tidies up, off the event loops.
final class OutboxWorker: Sendable {
  /// Between two looks for messages nobody rang for, and for sign-ins that are over.
  static let restMilliseconds: Int64 = 1000

  private let tasks: [Task<Void, Never>]

  init(messengers: [any TextMessenger], bell: OutboxBell, world: World) {
    let sender = Task.detached {
      for await _ in bell.rings { await deliverMessages(through: messengers, in: world) }
    }
    let timer = Task.detached {
      while !Task.isCancelled {
        await world.clock.pause(milliseconds: Self.restMilliseconds)
        bell.ring()
        await removeWhatIsOver(in: world)
      }
    }
    tasks = [sender, timer]
  }

  func stop() { for task in tasks { task.cancel() } }
}

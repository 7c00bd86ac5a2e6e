public import SignInService
internal import Synchronization

/// Hands over the waiting messages by the sender of the server, one after another, until no message
/// can be taken.
public func deliverMessages(through messengers: [any TextMessenger], in world: World) async {
  await deliverMessages(
    over: MessengerRouter(messengers.map { MessengerRouter.Entry($0) }), in: world)
}

/// Hands over the waiting messages as `deliverMessages(through:in:)` does, over this router.
public func deliverMessages(over router: MessengerRouter, in world: World) async {
  let handOvers = TaskSequence()
  let sender = OutboxSender(
    router: router, world: world, startTask: { handOvers.start($0) }, roomFreed: {})
  repeat { await sender.send() } while await handOvers.finish()
}

/// Tasks that run one after another, so that a test knows the order of the messages.
private final class TaskSequence: Sendable {
  private let last = Mutex<Task<Void, Never>?>(nil)

  func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    last.withLock { last in
      let earlier = last
      let task = Task {
        await earlier?.value
        await work()
      }
      last = task
      return task
    }
  }

  /// Waits for the tasks.
  ///
  /// - Returns: Whether a task was started since the last call.
  func finish() async -> Bool {
    let started = last.withLock { last in
      defer { last = nil }
      return last
    }
    await started?.value
    return started != nil
  }
}

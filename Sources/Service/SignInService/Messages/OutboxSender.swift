import SignInModel
import Synchronization

/// Takes waiting messages and hands each over in its own task.
///
/// It takes messages as long as the number of concurrent hand-overs is below the limit, and does
/// not wait for a single one. So a provider that does not answer does not delay the messages of
/// others.
public final class OutboxSender: Sendable {
  /// Starts a task.
  ///
  /// The simulation starts its tasks in an order that its seed chooses.
  public typealias TaskStart =
    @Sendable (_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never>

  /// Starts a task that inherits nothing.
  public static let detached: TaskStart = { work in Task.detached { await work() } }

  let handOvers = ActiveHandOvers()
  private let room = ConcurrencyLimit(OutboxLimits.active)
  private let router: MessengerRouter
  private let world: World
  private let startTask: TaskStart
  /// Called when a hand-over has ended and `send` had stopped at the limit.
  private let roomFreed: @Sendable () -> Void

  public init(
    router: MessengerRouter, world: World, startTask: @escaping TaskStart,
    roomFreed: @escaping @Sendable () -> Void
  ) {
    self.router = router
    self.world = world
    self.startTask = startTask
    self.roomFreed = roomFreed
  }

  /// Takes messages until none is waiting or the limit of concurrent hand-overs is reached.
  ///
  /// Returns without waiting for the hand-overs.
  public func send() async {
    while room.left > 0, !handOvers.isStopping {
      let limit = min(OutboxLimits.batch, room.left)
      let taken = await leaseMessages(limit: limit, over: router, in: world)
      for message in taken { start(message) }
      if taken.count < limit { break }
    }
  }

  private func start(_ message: LeasedMessage) {
    room.enter()
    // The hand-over is counted before its task starts, so that `finish` waits for it.
    handOvers.enter()
    _ = startTask { [self] in
      await handOver(message, over: router, in: world, under: handOvers)
      handOvers.leave()
      if room.leave() { roomFreed() }
    }
  }
}

/// Counts the concurrent hand-overs up to a limit.
private final class ConcurrencyLimit: Sendable {
  private let places: Int
  private let taken = Mutex(0)

  init(_ places: Int) { self.places = places }

  var left: Int { taken.withLock { places - $0 } }

  func enter() { taken.withLock { $0 += 1 } }

  /// Returns whether the limit was reached before this call.
  func leave() -> Bool {
    taken.withLock { taken in
      defer { taken -= 1 }
      return taken == places
    }
  }
}

import SignInModel
import SignInService
import Synchronization

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
///
/// It takes messages up as long as there is room for one more hand-over, and waits for none of
/// them: a provider that does not answer keeps nobody else's message.
final class OutboxWorker: Sendable {
  /// Between two looks for messages nobody rang for, and for sign-ins that are over.
  static let restMilliseconds: Int64 = 1000

  private let tasks: [Task<Void, Never>]
  private let handOvers: HandOversUnderWay
  private let world: World

  init(switchboard: Switchboard, bell: OutboxBell, reports: ReportBox, world: World) {
    self.world = world
    let handOvers = HandOversUnderWay()
    self.handOvers = handOvers
    let room = Room(OutboxLimits.underWay)
    let sender = Task.detached {
      for await _ in bell.rings {
        while room.left > 0, !handOvers.isStopping {
          let limit = min(OutboxLimits.batch, room.left)
          let taken = await takeUpMessages(limit: limit, over: switchboard, in: world)
          for message in taken {
            room.enter()
            // Counted before its task runs, so that a stop waits for it.
            handOvers.enter()
            Task.detached {
              _ = await handOver(message, over: switchboard, in: world, under: handOvers)
              handOvers.leave()
              // Whoever found no room left before looks again now.
              if room.leave() { bell.ring() }
            }
          }
          if taken.count < limit { break }
        }
      }
    }
    let timer = Task.detached {
      while !Task.isCancelled {
        await world.clock.pause(milliseconds: Self.restMilliseconds)
        if Task.isCancelled { break }
        bell.ring()
        await removeWhatIsOver(in: world)
      }
    }
    let clerk = Task.detached {
      // A group, so that this task ends after every report that it began to record.
      await withDiscardingTaskGroup { group in
        for await (report, messenger) in reports.entries {
          // One that comes before its message is settled is looked for again, and delays no other.
          group.addTask { _ = await recordReport(report, of: messenger, in: world) }
        }
      }
    }
    tasks = [sender, timer, clerk]
  }

  /// Takes up no more messages, and returns once those being handed over are settled, or after the
  /// grace period; nothing else here uses the store then.
  ///
  /// What a provider without repetition tokens is being asked to take is marked before the wait:
  /// whatever ends the process, the next one does not ask again.
  func stop() async {
    for task in tasks { task.cancel() }
    await markUnfinished(handOvers.stop(), in: world)
    // Cancelled tasks start no new hand-over. Wait for those that are running.
    for task in tasks { await task.value }
    await handOvers.finish(in: world)
  }
}

/// Counts places that are taken.
private final class Room: Sendable {
  private let places: Int
  private let taken = Mutex(0)

  init(_ places: Int) { self.places = places }

  var left: Int { taken.withLock { places - $0 } }

  func enter() { taken.withLock { $0 += 1 } }

  /// Answers whether there was no place until now.
  func leave() -> Bool {
    taken.withLock { taken in
      defer { taken -= 1 }
      return taken == places
    }
  }
}

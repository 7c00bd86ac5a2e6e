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

  init(switchboard: Switchboard, bell: OutboxBell, reports: ReportBox, world: World) {
    let underWay = Room(OutboxLimits.underWay)
    let sender = Task.detached {
      for await _ in bell.rings {
        while underWay.left > 0 {
          let limit = min(OutboxLimits.batch, underWay.left)
          let taken = await takeUpMessages(limit: limit, over: switchboard, in: world)
          for message in taken {
            underWay.enter()
            Task.detached {
              _ = await handOver(message, over: switchboard, in: world)
              // Whoever found no room left before looks again now.
              if underWay.leave() { bell.ring() }
            }
          }
          if taken.count < limit { break }
        }
      }
    }
    let timer = Task.detached {
      while !Task.isCancelled {
        await world.clock.pause(milliseconds: Self.restMilliseconds)
        bell.ring()
        await removeWhatIsOver(in: world)
      }
    }
    let clerk = Task.detached {
      for await (report, messenger) in reports.entries {
        // One that comes before its message is settled is looked for again, and keeps nobody.
        Task.detached { _ = await recordReport(report, of: messenger, in: world) }
      }
    }
    tasks = [sender, timer, clerk]
  }

  func stop() { for task in tasks { task.cancel() } }
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

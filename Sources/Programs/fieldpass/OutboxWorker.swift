import SignInModel
import SignInService
import Synchronization

/// Wakes the outbox worker.
///
/// Several signals before it wakes have the effect of one.
final class OutboxSignal: Sendable {
  let rings: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (rings, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func wake() { continuation.yield() }
}

/// Sends the waiting messages of the outbox and removes expired records, in its own tasks.
///
/// It takes messages as long as the number of concurrent hand-overs is below the limit, and does
/// not wait for a single one. So a provider that does not answer does not delay the messages of
/// others.
final class OutboxWorker: Sendable {
  /// The pause between two checks for expired records, and for messages without a signal.
  static let pauseMilliseconds: Int64 = 1000

  private let tasks: [Task<Void, Never>]
  private let handOvers: ActiveHandOvers
  private let world: World

  init(router: MessengerRouter, signal: OutboxSignal, reports: DeliveryReportBuffer, world: World) {
    self.world = world
    let handOvers = ActiveHandOvers()
    self.handOvers = handOvers
    let room = ConcurrencyLimit(OutboxLimits.active)
    let sender = Task.detached {
      for await _ in signal.rings {
        while room.left > 0, !handOvers.isStopping {
          let limit = min(OutboxLimits.batch, room.left)
          let taken = await leaseMessages(limit: limit, over: router, in: world)
          for message in taken {
            room.enter()
            // The hand-over is counted before its task starts, so that `stop()` waits for it.
            handOvers.enter()
            Task.detached {
              _ = await handOver(message, over: router, in: world, under: handOvers)
              handOvers.leave()
              // The sender stopped taking messages when the limit was reached. It can continue now.
              if room.leave() { signal.wake() }
            }
          }
          if taken.count < limit { break }
        }
      }
    }
    let timer = Task.detached {
      while !Task.isCancelled {
        await world.clock.pause(milliseconds: Self.pauseMilliseconds)
        if Task.isCancelled { break }
        signal.wake()
        await removeExpiredRecords(in: world)
      }
    }
    let reportTask = Task.detached {
      // The task group lets this task end only after every started report is recorded.
      await withDiscardingTaskGroup { group in
        for await (report, messenger) in reports.entries {
          // A report can come before its message is settled. Then it is tried again, and its own
          // task does not delay the other reports.
          group.addTask { _ = await recordReport(report, of: messenger, in: world) }
        }
      }
    }
    tasks = [sender, timer, reportTask]
  }

  /// Stops taking messages.
  ///
  /// Returns after the current hand-overs are settled, or after the grace period. After that,
  /// nothing here uses the store.
  ///
  /// A message is marked before the wait if its provider does not recognise repetitions. Even if
  /// the process is killed then, the next process does not send the message again.
  func stop() async {
    for task in tasks { task.cancel() }
    await markUnfinished(handOvers.stop(), in: world)
    // Cancelled tasks start no new hand-over. Wait for those that are running.
    for task in tasks { await task.value }
    await handOvers.finish(in: world)
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

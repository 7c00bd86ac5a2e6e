import SignInModel
import Synchronization

/// Wakes the outbox worker.
///
/// Several signals before it wakes have the effect of one.
public final class OutboxSignal: Sendable {
  let rings: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  public init() {
    (rings, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  public func wake() { continuation.yield() }
}

/// Sends the waiting messages of the outbox, records receipts and removes expired records, in its
/// own tasks.
public final class OutboxWorker: Sendable {
  /// The pause between two checks for expired records, and for messages without a signal.
  public static let pauseMilliseconds: Int64 = 1000

  /// How often expired records are removed without a pause while more are left, so that what
  /// expired during a long stop is removed soon, and other decisions do not wait long.
  static let sweepsInARow = 10

  private let tasks: [Task<Void, Never>]
  private let sender: OutboxSender
  private let world: World

  /// Starts the tasks by `startTask`, and so does each hand-over later.
  public init(
    router: MessengerRouter, signal: OutboxSignal, reports: DeliveryReportQueue, world: World,
    startTask: @escaping OutboxSender.TaskStart = OutboxSender.detached
  ) {
    let sender = OutboxSender(router: router, world: world, startTask: startTask) { signal.wake() }
    self.sender = sender
    self.world = world
    let sending = startTask {
      for await _ in signal.rings { await sender.send() }
    }
    let timer = startTask {
      while !Task.isCancelled {
        await world.clock.pause(milliseconds: Self.pauseMilliseconds)
        if Task.isCancelled { break }
        signal.wake()
        var sweeps = 1
        while await removeExpiredRecords(in: world), sweeps < Self.sweepsInARow { sweeps += 1 }
      }
    }
    let recording = startTask {
      // The task group lets this task end only after every started report is recorded.
      await withDiscardingTaskGroup { group in
        for await (report, messenger) in reports.entries {
          // A report can come before its message is settled. Then it is tried again, and its own
          // task does not delay the other reports.
          group.addTask { _ = await recordReport(report, of: messenger, in: world) }
        }
      }
    }
    tasks = [sending, timer, recording]
  }

  /// Stops taking messages.
  ///
  /// Returns after the current hand-overs are settled, or after the grace period. After that,
  /// nothing here uses the store.
  ///
  /// A message is marked before the wait if its provider does not recognise repetitions. Even if
  /// the process is killed then, the next process does not send the message again.
  public func stop() async {
    for task in tasks { task.cancel() }
    await markUnfinished(sender.handOvers.stop(), in: world)
    // Cancelled tasks start no new hand-over. Wait for those that are running.
    for task in tasks { await task.value }
    await sender.handOvers.finish(in: world)
  }
}

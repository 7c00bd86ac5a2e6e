import SignInModel
import SignInRules
import SignInWire
import Synchronization

/// The hand-overs in progress in one process.
///
/// The process uses it to end without calling a provider twice.
///
///     handing over ──stop──▶ stopping: no provider is called ──last answer──▶ empty
public final class ActiveHandOvers: Sendable {
  private struct State {
    var count = 0
    var isStopping = false
    /// By message identifier: the messages that are at a provider now, if that provider cannot
    /// recognise a repetition.
    var uncertain: [String: OutboxMessage] = [:]
  }

  private let state = Mutex(State())

  public init() {}

  public var isStopping: Bool { state.withLock { $0.isStopping } }
  public var isEmpty: Bool { state.withLock { $0.count == 0 } }

  /// Prevents any further call to a provider.
  ///
  /// - Returns: The messages that are at a provider now, if that provider cannot recognise a
  ///   repetition.
  public func stop() -> [OutboxMessage] {
    state.withLock { state in
      state.isStopping = true
      return state.uncertain.values.sorted { $0.id < $1.id }
    }
  }

  /// Returns when no hand-over is in progress, or after the grace period.
  public func finish(in world: World) async {
    var left = OutboxLimits.shutdownWaitMilliseconds
    while !isEmpty, left > 0 {
      await world.clock.pause(milliseconds: Self.pollMilliseconds)
      left -= Self.pollMilliseconds
    }
  }

  private static let pollMilliseconds: Int64 = 20

  /// Counts a hand-over that is about to begin.
  ///
  /// Call `leave` at its end.
  public func enter() { state.withLock { $0.count += 1 } }

  public func leave() { state.withLock { $0.count -= 1 } }

  /// Returns false if no provider may be called any more.
  func begin(_ message: OutboxMessage, _ carrier: HandOver.Candidate) -> Bool {
    state.withLock { state in
      guard !state.isStopping else { return false }
      if !carrier.deduplicatesMessages { state.uncertain[message.id] = message }
      return true
    }
  }

  func end(_ message: OutboxMessage) { state.withLock { $0.uncertain[message.id] = nil } }
}

/// Marks messages that a provider may still accept after this process has ended.
///
/// The next process does not send them again, unless the provider's answer was saved in time.
public func markUnfinished(_ messages: [OutboxMessage], in world: World) async {
  if messages.isEmpty { return }
  await world.record(about: messages.map { .message($0.id) }) {
    (transaction: any OutboxRecords) throws in
    for message in messages {
      guard var current = try transaction.message(message.id), current.state == .waiting,
        current.tries == message.tries, current.messenger == message.messenger
      else { continue }
      current.unclearCount = HandOver.unclearLimit
      try transaction.update(current)
    }
  }
}

import SignInModel
import SignInRules
import SignInWire
import Synchronization

/// The hand-overs of one process that are under way, so that it can end without asking a provider
/// twice.
///
///     handing over ──stop──▶ stopping: no provider is asked any more ──last answer──▶ empty
public final class HandOversUnderWay: Sendable {
  private struct State {
    var count = 0
    var isStopping = false
    /// By message: those whose provider is being asked and would not recognise a repetition.
    var doubtful: [String: OutboxMessage] = [:]
  }

  private let state = Mutex(State())

  public init() {}

  public var isStopping: Bool { state.withLock { $0.isStopping } }
  public var isEmpty: Bool { state.withLock { $0.count == 0 } }

  /// Lets no provider be asked from now on.
  ///
  /// - Returns: The messages that a provider without repetition tokens is being asked to take.
  public func stop() -> [OutboxMessage] {
    state.withLock { state in
      state.isStopping = true
      return state.doubtful.values.sorted { $0.id < $1.id }
    }
  }

  /// Returns when nothing is under way, or after the grace period.
  public func finish(in world: World) async {
    var left = OutboxLimits.graceMilliseconds
    while !isEmpty, left > 0 {
      await world.clock.pause(milliseconds: Self.lookMilliseconds)
      left -= Self.lookMilliseconds
    }
  }

  private static let lookMilliseconds: Int64 = 20

  /// Counts a hand-over that is about to begin; `leave` takes it back.
  public func enter() { state.withLock { $0.count += 1 } }

  public func leave() { state.withLock { $0.count -= 1 } }

  /// Answers false when no provider may be asked any more.
  func begin(_ message: OutboxMessage, _ carrier: HandOver.Carrier) -> Bool {
    state.withLock { state in
      guard !state.isStopping else { return false }
      if !carrier.knowsRepetitions { state.doubtful[message.id] = message }
      return true
    }
  }

  func end(_ message: OutboxMessage) { state.withLock { $0.doubtful[message.id] = nil } }
}

/// Marks messages that a provider may still accept after this process has ended.
///
/// The next process does not send them again, unless the provider's answer was still written down.
public func markUnfinished(_ messages: [OutboxMessage], in world: World) async {
  if messages.isEmpty { return }
  let _: Outcome<Bool> = await world.decide { (transaction) throws(StoreFault) in
    for message in messages {
      guard var current = try transaction.message(message.id), current.state == .waiting,
        current.tries == message.tries, current.messenger == message.messenger
      else { continue }
      current.doubts = HandOver.doubtLimit
      try transaction.update(current)
    }
    return .success(true)
  }
}

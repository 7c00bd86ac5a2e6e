public import SignInModel

/// Stops using a messenger that fails, so that no message waits for it.
///
///     closed ──third failure in a row──▶ open ──pause ends──▶ trying, with one message
///        ▲                                ▲                        │
///        └─── success ────────────────────┼────────────────────────┤
///                                         └─── failure: the next pause is twice as long
///
/// If a messenger requests a pause, it gets no message during the pause. The circuit stays closed.
public struct CircuitBreaker: Equatable, Sendable {
  public static let failureLimit: Int64 = 3
  public static let firstPauseSeconds: Int64 = 5
  public static let longestRestSeconds: Int64 = 60
  /// After this time without a result, a trial counts as ended, and another one may start.
  public static let trySeconds: Int64 = 15
  /// A messenger may request a pause up to this length.
  public static let longestPauseSeconds: Int64 = 300

  public enum Event: Equatable, Sendable {
    /// A message was given to the messenger.
    case asked
    case succeeded
    case failed
    /// The messenger requests a pause until this moment.
    case askedToPause(until: Instant)
  }

  private enum State: Equatable, Sendable {
    case closed(failures: Int64)
    case open(until: Instant, restSeconds: Int64)
    case trying(until: Instant, restSeconds: Int64)
  }

  private var state = State.closed(failures: 0)
  private var pausedUntil: Instant?

  public init() {}

  /// The moment from which the messenger may be used, or `nil` if it may be used now.
  public func wait(at now: Instant) -> Instant? {
    var until: Instant?
    switch state {
    case .closed: break
    case .open(let moment, _), .trying(let moment, _): until = moment
    }
    if let pausedUntil, pausedUntil > until ?? pausedUntil.adding(seconds: -1) {
      until = pausedUntil
    }
    guard let until, now < until else { return nil }
    return until
  }

  /// Whether the messenger counts as failing: it failed, and no trial was made after the pause.
  public func isOpen(at now: Instant) -> Bool {
    switch state {
    case .closed: false
    case .open(let until, _), .trying(let until, _): now < until
    }
  }

  public mutating func handle(_ event: Event, at now: Instant) {
    switch (state, event) {
    case (.open(let until, let rest), .asked) where now >= until,
      (.trying(let until, let rest), .asked) where now >= until:
      state = .trying(until: now.adding(seconds: Self.trySeconds), restSeconds: rest)
    case (.closed, .asked), (.open, .asked), (.trying, .asked): break

    case (.closed, .succeeded), (.open, .succeeded), (.trying, .succeeded):
      state = .closed(failures: 0)
      pausedUntil = nil

    case (.closed(let failures), .failed):
      state =
        failures + 1 < Self.failureLimit
        ? .closed(failures: failures + 1) : open(at: now, restSeconds: Self.firstPauseSeconds)
    // A message that was given before the circuit opened says nothing new.
    case (.open(let until, _), .failed) where now < until: break
    case (.open(_, let rest), .failed), (.trying(_, let rest), .failed):
      state = open(at: now, restSeconds: min(2 * rest, Self.longestRestSeconds))

    case (_, .askedToPause(let moment)):
      let longest = now.adding(seconds: Self.longestPauseSeconds)
      pausedUntil = min(moment, longest)
    }
  }

  private func open(at now: Instant, restSeconds: Int64) -> State {
    .open(until: now.adding(seconds: restSeconds), restSeconds: restSeconds)
  }
}

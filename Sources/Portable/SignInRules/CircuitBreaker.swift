public import SignInModel

/// Spares a carrier that fails, and those who would wait for it.
///
///     closed ──third failure in a row──▶ open ──rest is over──▶ trying, with one message
///        ▲                                ▲                         │
///        └─── success ────────────────────┼─────────────────────────┤
///                                         └─── failure: rests twice as long
///
/// A carrier that asks for a pause is left alone for that long and stays closed.
public struct CircuitBreaker: Equatable, Sendable {
  public static let failureLimit: Int64 = 3
  public static let firstRestSeconds: Int64 = 5
  public static let longestRestSeconds: Int64 = 60
  /// A try that says nothing for this long is over, so that another may be made.
  public static let trySeconds: Int64 = 15
  /// A pause that was asked for is kept up to this length.
  public static let longestPauseSeconds: Int64 = 300

  public enum Event: Equatable, Sendable {
    /// A message was given to the carrier.
    case asked
    case succeeded
    case failed
    /// The carrier wants to be left alone until this moment.
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

  /// From when on it may be asked; nil when it may be asked now.
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

  /// Whether it is known to fail: it did, and has not been tried since its rest.
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
        ? .closed(failures: failures + 1) : open(at: now, restSeconds: Self.firstRestSeconds)
    // What was asked before it opened tells nothing new.
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

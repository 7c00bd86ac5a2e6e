public import SignInModel

/// Stops messages to a block of numbers if almost no sent code is entered (L-16).
///
/// Such a block belongs to a person who earns from each message.
///
///     open ──enough sent, too few entered──▶ stopped ──a day passes, or codes are entered─▶ open
public struct LowConversionStop: Equatable, Sendable {
  public static let windowSeconds: Int64 = Throttle.Limit.daySeconds

  /// Fewer messages per day are too few for a decision.
  public let afterSent: Int64
  /// The least number of entered codes per hundred sent codes.
  public let leastPercent: Int64

  public init(afterSent: Int64, leastPercent: Int64) {
    self.afterSent = afterSent
    self.leastPercent = leastPercent
  }

  public func hasLowConversion(sent: Int64, entered: Int64) -> Bool {
    sent >= afterSent && entered * 100 < sent * leastPercent
  }

  /// The first moment when messages may be sent again, or `nil` if they may be sent now.
  ///
  /// Sent messages and entered codes leave the window at different times, so each of these moments
  /// is tried.
  public func end(at now: Instant, sent: Throttle, entered: Throttle) -> Instant? {
    func isStopped(at moment: Instant) -> Bool {
      hasLowConversion(
        sent: sent.count(at: moment, inSeconds: Self.windowSeconds),
        entered: entered.count(at: moment, inSeconds: Self.windowSeconds))
    }
    guard isStopped(at: now) else { return nil }
    let ends = (sent.tallies + entered.tallies).map { $0.at.adding(seconds: Self.windowSeconds) }
    return ends.filter { now < $0 }.sorted().first { !isStopped(at: $0) }
  }
}

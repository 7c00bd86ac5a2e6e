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
}

/// Stops messages to a block of numbers whose codes nobody enters: somebody earns from them (L-16).
///
///     open ──enough sent, too few entered──▶ braking ──a day passes, or codes are entered─▶ open
public struct ConversionBrake: Equatable, Sendable {
  public static let windowSeconds: Int64 = Throttle.Limit.daySeconds

  /// Fewer messages in a day say nothing.
  public var afterSent: Int64 = 100
  /// Of a hundred codes at least so many are entered.
  public var leastPercent: Int64 = 10

  public init() {}

  public func isBraking(sent: Int64, entered: Int64) -> Bool {
    sent >= afterSent && entered * 100 < sent * leastPercent
  }
}

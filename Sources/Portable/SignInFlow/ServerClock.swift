import SignInModel

/// Learns the server's time from its answers, so that a wrong device clock blocks nobody.
///
/// `Date` has whole seconds and is old by the answer's journey, so every estimate is a lower bound:
/// of two close ones the later is nearer the truth, and a countdown never ends too early.
public struct ServerClock: Equatable, Sendable {
  /// Estimates this close differ by rounding only.
  static let toleranceMilliseconds: Int64 = 1500

  public private(set) var offsetMilliseconds: Int64?

  mutating func learn(serverSeconds: Int64, at device: Instant) {
    let estimate = Instant(seconds: serverSeconds).milliseconds - device.milliseconds
    if let known = offsetMilliseconds, estimate < known,
      known - estimate < Self.toleranceMilliseconds
    {
      return
    }
    offsetMilliseconds = estimate
  }

  func now(at device: Instant) -> Instant { device.adding(milliseconds: offsetMilliseconds ?? 0) }
}

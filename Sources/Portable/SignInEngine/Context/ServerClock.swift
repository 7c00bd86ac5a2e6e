import SignInModel

/// Learns the server's time from its answers, so that a wrong device clock prevents no sign-in
/// (L-29).
///
/// `Date` has whole seconds, and the answer took time to arrive, so each estimate is a lower bound.
/// Of two estimates that are close, the later time is nearer to the truth. So a countdown never
/// ends too early.
public struct ServerClock: Equatable, Sendable {
  /// Estimates that differ by less than this differ only because of rounding.
  static let toleranceMilliseconds: Int64 = 1500

  public private(set) var offsetMilliseconds: Int64?
  /// Whether an answer in this run contained the time.
  ///
  /// The value of an earlier run may be out of date.
  private(set) var isLearned = false

  /// Starts with the time difference that an earlier run learned.
  mutating func restore(offsetMilliseconds: Int64) {
    if !isLearned { self.offsetMilliseconds = offsetMilliseconds }
  }

  mutating func learn(serverSeconds: Int64, at device: Instant) {
    let estimate = Instant(seconds: serverSeconds).milliseconds - device.milliseconds
    defer { isLearned = true }
    if isLearned, let known = offsetMilliseconds, estimate < known,
      known - estimate < Self.toleranceMilliseconds
    {
      return
    }
    offsetMilliseconds = estimate
  }

  func now(at device: Instant) -> Instant { device.adding(milliseconds: offsetMilliseconds ?? 0) }
}

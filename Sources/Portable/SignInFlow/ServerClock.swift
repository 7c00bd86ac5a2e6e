import SignInModel

/// Learns the server's time from its answers, so that a wrong device clock blocks nobody.
///
/// `Date` has whole seconds and is old by the answer's journey, so every estimate is a lower bound:
/// of two close ones the later is nearer the truth, and a countdown never ends too early.
public struct ServerClock: Equatable, Sendable {
  /// Estimates this close differ by rounding only.
  static let toleranceMilliseconds: Int64 = 1500

  public private(set) var offsetMilliseconds: Int64?
  /// Whether an answer of this run has told the time; what an earlier one left may be stale.
  private(set) var isLearned = false

  /// Starts from what an earlier run has learned.
  mutating func recall(offsetMilliseconds: Int64) {
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

import SignInModel

/// The time that all decisions use: the wall clock of the machine, without its jumps.
///
/// A steady clock, which cannot be set, gives the progress of time. The followed time is compared
/// with the wall clock regularly, and any difference is removed slowly. So a server that started
/// with a wrong clock gets the right time after the clock is corrected. All times are in
/// milliseconds.
///
/// These rules apply to every behaviour of the wall clock:
/// - A later reading is never earlier. So an expired thing stays expired, and events keep their
///   order.
/// - In any steady period the followed time advances by that period, plus or minus a twentieth. So
///   a jump ends no lockout and makes no expired code valid. It changes a running wait by at most a
///   twentieth (L-15).
/// - Without a jump, every period is exact.
public struct SteadiedTime: Equatable, Sendable {
  /// At most one part in this many of the elapsed time is added or removed.
  public static let slewDivisor: Int64 = 20
  /// Two clocks that are read one after the other can differ by this much without a jump.
  public static let quietMilliseconds: Int64 = 20
  /// A wall clock that changed by this much against the steady clock was set.
  public static let jumpMilliseconds: Int64 = 1000

  /// The followed time at the moment `steady`.
  private var time: Int64
  private var steady: Int64
  /// The wall clock minus the followed time at that moment.
  private var difference: Int64 = 0
  /// The wall clock minus the steady clock at the last comparison.
  private var offset: Int64

  /// Starts with the time of the wall clock, because there is no better source.
  public init(wall: Int64, steady: Int64) {
    time = wall
    self.steady = steady
    offset = wall.minusClamping(steady)
  }

  public func now(steady: Int64) -> Int64 {
    let passed = max(0, steady.minusClamping(self.steady))
    let share = passed / Self.slewDivisor
    return time.plusClamping(passed).plusClamping(difference.clamped(to: -share...share))
  }

  /// The difference that is not removed yet.
  ///
  /// It is positive if the followed time is behind the wall clock.
  public func remaining(steady: Int64) -> Int64 {
    let passed = max(0, steady.minusClamping(self.steady))
    let share = passed / Self.slewDivisor
    return difference.minusClamping(difference.clamped(to: -share...share))
  }

  /// Compares the wall clock with the steady clock.
  ///
  /// Both were read at the same moment.
  ///
  /// - Returns: By how much the wall clock was set since the last comparison, or `nil` if it was
  ///   not.
  public mutating func compare(wall: Int64, steady: Int64) -> Int64? {
    let now = now(steady: steady)
    let jump = wall.minusClamping(steady).minusClamping(offset)
    offset = wall.minusClamping(steady)
    time = now
    self.steady = max(steady, self.steady)
    difference = wall.minusClamping(now)
    if (-Self.quietMilliseconds...Self.quietMilliseconds).contains(difference) { difference = 0 }
    let isNoise = -Self.jumpMilliseconds < jump && jump < Self.jumpMilliseconds
    return isNoise ? nil : jump
  }
}

import SignInModel

/// The time that decisions see: the machine's wall clock, without its jumps.
///
/// A steady clock, which cannot be set, carries the time on. The wall clock is compared with it
/// regularly, and a difference is worked off slowly: so a server that started with a wrong clock
/// becomes right after the clock was corrected. All times are milliseconds.
///
/// Guaranteed, whatever the wall clock does:
/// - A later reading is never earlier, so what expired stays expired, and events keep their order.
/// - In any stretch of steady time the followed time advances by that stretch, give or take a
///   twentieth. A jump therefore opens no lock and revives no code; it shortens or lengthens a wait
///   that is running by a twentieth at most (L-15).
/// - Without a jump every stretch is exact.
public struct FollowedTime: Equatable, Sendable {
  /// At most one part in so many of the time that passes is added or left out.
  public static let slewDivisor: Int64 = 20
  /// Two clocks read one after the other differ by this much without a reason.
  public static let quietMilliseconds: Int64 = 20
  /// A wall clock that moved this much against the steady one between two comparisons was set.
  public static let jumpMilliseconds: Int64 = 1000

  /// The followed time at the moment `steady`.
  private var time: Int64
  private var steady: Int64
  /// What the wall clock was ahead of the followed time at that moment.
  private var difference: Int64 = 0
  /// What the wall clock was ahead of the steady one when they were last compared.
  private var offset: Int64

  /// Begins with the wall clock's time, for there is nothing better.
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

  /// What is still to be worked off: positive while the followed time is behind the wall clock.
  public func remaining(steady: Int64) -> Int64 {
    let passed = max(0, steady.minusClamping(self.steady))
    let share = passed / Self.slewDivisor
    return difference.minusClamping(difference.clamped(to: -share...share))
  }

  /// Compares the wall clock with the steady one, both read at one moment.
  ///
  /// - Returns: By how much the wall clock was set since the last comparison; nil when it was not.
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

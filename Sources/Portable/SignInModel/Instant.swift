/// A moment on the server's clock, in whole milliseconds since 1 January 1970 UTC.
///
/// A number outside the years 1 to 9999 becomes the nearest moment inside. So the difference of two
/// moments never overflows. The type is `Int64`, because `Int` has 32 bits in the browser.
public struct Instant: Comparable, Hashable, Sendable {
  public static let earliest = Instant(milliseconds: range.lowerBound)
  public static let latest = Instant(milliseconds: range.upperBound)

  private static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  public let milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds.clamped(to: Self.range)
  }

  @inline(never) public init(seconds: Int64) {
    self.init(milliseconds: seconds.timesClamping(1000))
  }

  /// Whole seconds since 1970, rounded down: the form of every `…_at` on the wire.
  public var seconds: Int64 {
    milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
  }

  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }

  @inline(never) public func adding(seconds: Int64) -> Instant {
    adding(milliseconds: seconds.timesClamping(1000))
  }

  public func adding(milliseconds more: Int64) -> Instant {
    Instant(milliseconds: milliseconds.plusClamping(more))
  }

  /// Seconds until `later`, rounded up, never below zero: the form of every `…_in` on the wire.
  ///
  /// Rounding up makes sure that a person who waits for this time has waited long enough.
  @inline(never) public func wholeSeconds(until later: Instant) -> Int64 {
    let left = later.milliseconds - milliseconds
    return left <= 0 ? 0 : (left + 999) / 1000
  }
}

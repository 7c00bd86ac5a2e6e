/// A moment on the server's clock, in whole milliseconds since 1 January 1970 UTC.
///
/// `Int64` because `Int` has 32 bits in the browser.
public struct Instant: Comparable, Hashable, Sendable {
  public let milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }
  public init(seconds: Int64) { self.milliseconds = seconds * 1000 }

  /// Whole seconds since 1970, rounded down: the form of every `…_at` on the wire.
  public var seconds: Int64 {
    milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
  }

  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }

  public func adding(seconds: Int64) -> Instant {
    Instant(milliseconds: milliseconds + seconds * 1000)
  }

  public func adding(milliseconds more: Int64) -> Instant {
    Instant(milliseconds: milliseconds + more)
  }

  /// Seconds until `later`, rounded up, never below zero: the form of every `…_in` on the wire.
  ///
  /// Rounded up so that a person who waits as long as they were told has waited long enough.
  public func wholeSeconds(until later: Instant) -> Int64 {
    let left = later.milliseconds - milliseconds
    return left <= 0 ? 0 : (left + 999) / 1000
  }
}

/// Numbers from outside, each with its possible range.
///
/// A number outside the range reads as `nil`.
///
/// The sum of a few of them fits into 64 bits, also in milliseconds.
extension JSON {
  /// The last second of the year 9999.
  ///
  /// Later moments cannot be written in every date format.
  public static let latestUnixSeconds: Int64 = 253_402_300_799
  /// One hundred years.
  public static let longestSeconds: Int64 = 100 * 365 * 24 * 60 * 60
  /// The largest count that fits into a 32-bit `Int`, as in the browser.
  public static let highestCount = Int64(Int32.max)

  public func number(in range: ClosedRange<Int64>) -> Int64? {
    guard case .int(let number) = self, range.contains(number) else { return nil }
    return number
  }

  /// Seconds since 1 January 1970, the form of every `…_at` on the wire.
  public var unixSeconds: Int64? { number(in: 0...Self.latestUnixSeconds) }

  /// Milliseconds since 1 January 1970, on a clock that may be wrong.
  public var unixMilliseconds: Int64? {
    number(in: -Self.latestUnixSeconds * 1000...Self.latestUnixSeconds * 1000)
  }

  /// A duration in seconds.
  public var seconds: Int64? { number(in: 0...Self.longestSeconds) }

  /// A count, an index or a status code.
  public var count: Int64? { number(in: 0...Self.highestCount) }
}

/// Numbers from outside, each read with the range it can have: one outside is as good as absent.
///
/// The sum of any few of them, and any of them in milliseconds, fits into 64 bits.
extension JSON {
  /// The last second of the year 9999: the largest moment that every notation of a date can write.
  public static let latestUnixSeconds: Int64 = 253_402_300_799
  /// One hundred years.
  public static let longestSeconds: Int64 = 100 * 365 * 24 * 60 * 60
  /// What a 32-bit `Int`, as in the browser, can count.
  public static let highestCount = Int64(Int32.max)

  public func number(in range: ClosedRange<Int64>) -> Int64? {
    guard case .int(let number) = self, range.contains(number) else { return nil }
    return number
  }

  /// Seconds since 1 January 1970, the form of every `…_at` on the wire.
  public var unixSeconds: Int64? { number(in: 0...Self.latestUnixSeconds) }

  /// Milliseconds since 1 January 1970, on a clock that may be set wrong.
  public var unixMilliseconds: Int64? {
    number(in: -Self.latestUnixSeconds * 1000...Self.latestUnixSeconds * 1000)
  }

  /// How long something lasts, in seconds.
  public var seconds: Int64? { number(in: 0...Self.longestSeconds) }

  /// How many there are, which one it is, or a status.
  public var count: Int64? { number(in: 0...Self.highestCount) }
}

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

  /// A NumericDate of a JWT (RFC 7519, section 2): seconds since 1 January 1970, without their
  /// fraction.
  ///
  /// Some libraries write fractions of a second, or a number with an exponent.
  public var numericDate: Int64? {
    guard case .decimal(let text) = self else { return unixSeconds }
    return Self.wholePart(of: text).flatMap { JSON.int($0).unixSeconds }
  }

  /// The digits before the decimal point; `nil` for a negative number or exponent, and for a number
  /// that is longer than every moment.
  private static func wholePart(of text: String) -> Int64? {
    var digits: [UInt8] = []
    var point: Int?
    var exponent: [UInt8]?
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9") where exponent == nil: digits.append(byte)
      case UInt8(ascii: "."): point = digits.count
      case UInt8(ascii: "e"), UInt8(ascii: "E"): exponent = []
      case UInt8(ascii: "+") where exponent?.isEmpty == true: continue
      default:
        guard exponent != nil else { return nil }
        exponent?.append(byte)
      }
    }
    var shift: Int64 = 0
    for byte in exponent ?? [] {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), shift < 100 else { return nil }
      shift = shift * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    let count = Int64(point ?? digits.count) + shift
    guard count <= longestMoment else { return nil }
    var number: Int64 = 0
    for index in 0..<Int(count) {
      number = number * 10
      if index < digits.count { number += Int64(digits[index] - UInt8(ascii: "0")) }
    }
    return number
  }

  /// The digits of `latestUnixSeconds`.
  private static let longestMoment: Int64 = 12

  /// Milliseconds since 1 January 1970, on a clock that may be wrong.
  public var unixMilliseconds: Int64? {
    number(in: -Self.latestUnixSeconds * 1000...Self.latestUnixSeconds * 1000)
  }

  /// A duration in seconds.
  public var seconds: Int64? { number(in: 0...Self.longestSeconds) }

  /// A count, an index or a status code.
  public var count: Int64? { number(in: 0...Self.highestCount) }
}

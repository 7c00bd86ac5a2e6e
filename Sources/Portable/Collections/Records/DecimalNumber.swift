public import JSONText
import SignInModel

/// An exact decimal number.
///
/// JSON has it as a number, whose text `JSON` reads and writes without loss. It has at most 15
/// digits, because every system that reads numbers as IEEE 754 doubles returns 15 digits unchanged.
/// A text with such a number is accepted too, as tables and some libraries have it.
public struct DecimalNumber: Hashable, Comparable, Sendable {
  public static let digits = 15

  /// The digits as a whole number, which does not end with a zero after the point.
  private let coefficient: Int64
  /// Digits after the point.
  public let decimals: Int64

  public init(_ number: Int64) {
    (coefficient, decimals) = (number.clamped(to: JSON.safeIntegers), 0)
  }

  /// Reads a number such as `-12.50` or `1.25e1`; `nil` if it has too many digits.
  public init?(_ text: String) {
    var (digits, zeros, power): (Int64, Int64, Int64) = (0, 0, 0)
    var (isFraction, hasDigit, isNegative) = (false, false, false)
    var rest = Array(text.utf8)[...]
    if rest.first == UInt8(ascii: "-") {
      isNegative = true
      rest.removeFirst()
    }
    while let byte = rest.first, byte | 0x20 != UInt8(ascii: "e") {
      rest.removeFirst()
      if byte == UInt8(ascii: "."), hasDigit, !isFraction, !rest.isEmpty {
        isFraction = true
        continue
      }
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      hasDigit = true
      if isFraction { power -= 1 }
      // Zeros count only if another digit follows.
      zeros += 1
      guard byte != UInt8(ascii: "0") else { continue }
      guard let scaled = Self.scaled(digits, by: zeros) else { return nil }
      digits = scaled + Int64(byte - UInt8(ascii: "0"))
      guard digits < Self.bound else { return nil }
      zeros = 0
    }
    guard hasDigit else { return nil }
    power += zeros
    if rest.popFirst() != nil {
      if rest.first == UInt8(ascii: "+") { rest.removeFirst() }
      guard let exponent = WholeNumber.read(rest, in: Self.exponents) else { return nil }
      power += exponent
    }
    self.init(digits: isNegative ? -digits : digits, power: power)
  }

  private init?(digits: Int64, power: Int64) {
    if digits == 0 {
      (coefficient, decimals) = (0, 0)
    } else if power >= 0 {
      guard let whole = Self.scaled(digits, by: power) else { return nil }
      (coefficient, decimals) = (whole, 0)
    } else {
      guard -power <= CollectionLimits.decimals.upperBound else { return nil }
      (coefficient, decimals) = (digits, -power)
    }
  }

  public init?(json: JSON) {
    switch json {
    case .int(let number): self.init(number)
    case .decimal(let text), .string(let text): self.init(text)
    case .null, .bool, .array, .object: return nil
    }
  }

  private static let bound: Int64 = 1_000_000_000_000_000
  private static let exponents: ClosedRange<Int64> = -1000...1000

  /// The number times a power of ten; `nil` if it has too many digits.
  private static func scaled(_ number: Int64, by power: Int64) -> Int64? {
    guard number != 0 else { return 0 }
    guard power <= digits else { return nil }
    var scaled = number
    for _ in 0..<power {
      scaled *= 10
      guard scaled > -bound, scaled < bound else { return nil }
    }
    return scaled
  }

  private static func power(_ exponent: Int64) -> Int64 {
    var power: Int64 = 1
    for _ in 0..<exponent { power *= 10 }
    return power
  }

  public static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
    left.parts < right.parts
  }

  /// The whole part, and the fraction in units of the last possible digit.
  ///
  /// Both are negative for a negative number.
  private var parts: (Int64, Int64) {
    let unit = Self.power(decimals)
    let rest = Self.power(CollectionLimits.decimals.upperBound - decimals)
    return (coefficient / unit, coefficient % unit * rest)
  }

  /// The number in digits, such as `-12.5`, without an exponent.
  public var text: String {
    guard decimals > 0 else { return String(coefficient) }
    var digits = String(coefficient < 0 ? -coefficient : coefficient)
    while digits.utf8.count <= Int(decimals) { digits = "0" + digits }
    let bytes = Array(digits.utf8)
    let point = bytes.count - Int(decimals)
    return (coefficient < 0 ? "-" : "") + String(decoding: bytes[..<point], as: UTF8.self) + "."
      + String(decoding: bytes[point...], as: UTF8.self)
  }

  public var json: JSON { decimals == 0 ? .int(coefficient) : .decimal(text) }
}

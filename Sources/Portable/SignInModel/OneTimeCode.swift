/// A code of decimal digits that a person receives by text message or call, and enters once.
public struct OneTimeCode: Equatable, Sendable, CustomStringConvertible {
  public static let digitLimits = 4...8

  /// The digits.
  ///
  /// Use them only to hash the code and to write the text message.
  public let revealed: String

  /// Parses the digits of any script.
  ///
  /// Blanks, hyphens, quotes and what else separates digits are ignored, because people paste and
  /// dictate them: `123-456` and `«123 456».` are `123456`.
  public init(parsing raw: String) throws(Malformed) {
    var digits: [UInt8] = []
    for scalar in raw.unicodeScalars where !Self.isSeparator(scalar) {
      guard let digit = DecimalDigit.ascii(scalar), digits.count < Self.digitLimits.upperBound
      else { throw Malformed(.oneTimeCode) }
      digits.append(digit)
    }
    guard Self.digitLimits.contains(digits.count) else { throw Malformed(.oneTimeCode) }
    revealed = String(decoding: digits, as: UTF8.self)
  }

  /// Whether the character means nothing between or around digits, as in a phone number.
  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Quotes; commas, colons, semicolons, full stops and middle dots.
    case 0x22, 0x27, 0x60, 0xAB, 0xB4, 0xBB, 0x2018...0x201F, 0x2039, 0x203A, 0x300C...0x300F,
      0x2C, 0x3A, 0x3B, 0xB7, 0x60C, 0x3001, 0x3002, 0xFF0C, 0xFF1A:
      return true
    default:
      guard let byte = WrittenNumber.ascii(scalar) else { return false }
      return byte != UInt8(ascii: "+") && (byte < UInt8(ascii: "0") || byte > UInt8(ascii: "9"))
    }
  }

  /// Makes a code of `digits` digits from random bytes.
  ///
  /// Returns `nil` if these bytes would make some codes more likely than others. The caller then
  /// draws other bytes.
  public init?(digits: Int, random bytes: [UInt8]) {
    precondition(Self.digitLimits.contains(digits) && bytes.count >= 8, "see digitLimits")
    var range: UInt64 = 1
    for _ in 0..<digits { range *= 10 }
    var drawn: UInt64 = 0
    for byte in bytes.prefix(8) { drawn = drawn << 8 | UInt64(byte) }
    let fair = UInt64.max - UInt64.max % range
    guard drawn < fair else { return nil }
    let text = String(drawn % range)
    revealed = String(repeating: "0", count: digits - text.utf8.count) + text
  }

  /// The last `digits` digits.
  ///
  /// If all codes are equally likely, the shorter codes are too.
  public func shortened(to digits: Int) -> OneTimeCode {
    precondition(
      Self.digitLimits.contains(digits) && digits <= revealed.utf8.count, "see digitLimits"
    )
    return OneTimeCode(digits: Array(revealed.utf8.suffix(digits)))
  }

  private init(digits: [UInt8]) {
    revealed = String(decoding: digits, as: UTF8.self)
  }

  public var description: String { "‹code›" }
}

#if !hasFeature(Embedded)
  extension OneTimeCode: CustomReflectable {
    /// `dump` shows only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }
#endif

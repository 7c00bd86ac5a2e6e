/// The digits of a phone number as a person wrote it.
public struct WrittenNumber: Equatable, Sendable {
  private static let zero = UInt8(ascii: "0")

  /// The digits in ASCII, without the sign or the zeros in front of a calling code.
  public private(set) var digits: [UInt8] = []
  /// Whether the number begins with a plus sign or with `00`, so that it has its calling code.
  public private(set) var isWhole = false
  /// How many digits are in front of a zero in brackets.
  private var digitsBeforeBracketedZero: Int?

  /// `nil` if a character does not belong to a number, or if a plus sign is not in front.
  public init?(_ text: String) {
    var bracket: Int?
    for scalar in text.unicodeScalars {
      switch Self.ascii(scalar) {
      case nil: return nil
      case UInt8(ascii: "+"):
        guard digits.isEmpty, !isWhole else { return nil }
        isWhole = true
      case UInt8(ascii: "("): bracket = digits.count
      case UInt8(ascii: ")"):
        if let start = bracket, digits.count == start + 1, digits[start] == Self.zero {
          digitsBeforeBracketedZero = start
        }
        bracket = nil
      case 0x20, UInt8(ascii: "-"), UInt8(ascii: "."): continue
      case let digit?: digits.append(digit)
      }
    }
    if !isWhole, digits.starts(with: [Self.zero, Self.zero]) {
      isWhole = true
      digits.removeFirst(2)
      if let count = digitsBeforeBracketedZero { digitsBeforeBracketedZero = count - 2 }
    }
  }

  /// The digits without a zero in brackets, as a part of a number is searched.
  public var searchedDigits: [UInt8] {
    guard let count = digitsBeforeBracketedZero, digits.indices.contains(count) else {
      return digits
    }
    return Array(digits[..<count]) + digits[(count + 1)...]
  }

  /// The digits as they are dialled from another country.
  ///
  /// - Throws: `Malformed(.phoneZero)` if a zero may or may not belong to the number, and
  ///   `Malformed(.phoneNumber)` if the country has no number with so many digits.
  func dialled() throws(Malformed) -> [UInt8] {
    let country = Country.of(digits, near: nil)
    let code = country?.code.count ?? 0
    if let count = digitsBeforeBracketedZero, country == nil || count != code {
      throw Malformed(.phoneZero)
    }
    guard let country, digits.count > code else { return digits }
    let inside = digits[code...]
    guard inside.first == Self.zero else {
      guard let rest = country.withoutTrunk(inside) else { throw Malformed(.phoneNumber) }
      return Array(digits[..<code]) + rest
    }
    if country.trunk.first == Self.zero, inside.starts(with: country.trunk) {
      let rest = inside.dropFirst(country.trunk.count)
      guard rest.first != Self.zero else { throw Malformed(.phoneZero) }
      guard country.admits(rest.count) else { throw Malformed(.phoneNumber) }
      return Array(digits[..<code]) + rest
    }
    guard country.hasLeadingZeros, digitsBeforeBracketedZero == nil, country.fits(inside) else {
      throw Malformed(.phoneZero)
    }
    return digits
  }

  /// The ASCII form of a character; `nil` if numbers are not written with it.
  ///
  /// Every character without a meaning becomes a space.
  public static func ascii(_ scalar: Unicode.Scalar) -> UInt8? {
    if let digit = DecimalDigit.ascii(scalar) { return digit }
    if TypedText.isSurrounding(scalar) { return 0x20 }
    switch scalar.value {
    case 0x2B, 0xFE62, 0xFF0B: return UInt8(ascii: "+")
    case 0x28, 0x5B, 0xFF08, 0xFF3B: return UInt8(ascii: "(")
    case 0x29, 0x5D, 0xFF09, 0xFF3D: return UInt8(ascii: ")")
    case 0x2E, 0x2F, 0xFF0E, 0xFF0F: return UInt8(ascii: ".")
    // Soft, non-breaking and other hyphens, dashes, the minus sign and the long vowel of kana.
    case 0x2D, 0xAD, 0x2010...0x2015, 0x2212, 0x30FC, 0xFE58, 0xFE63, 0xFF0D, 0xFF70:
      return UInt8(ascii: "-")
    default: return nil
    }
  }
}

import SignInModel

/// A mobile number as a person gives it: a country, and the digits used inside it, or a
/// whole number that begins with `+` or `00`.
///
/// A whole number is never read as one of another country.
public struct MobileNumber: Equatable, Sendable {
  /// More than any number needs, and little enough to be read at every key.
  static let textLimit = 32

  public private(set) var country = Country.standard
  public private(set) var text = ""
  /// Whether the person has chosen the country or typed.
  private var isTouched = false

  var isEmpty: Bool { text.isEmpty }

  /// How a text is to be read.
  private enum Reading {
    /// Digits used inside the country.
    case national([UInt8])
    /// A calling code, and the digits dialled after it.
    case whole([UInt8])
    /// A plus sign that does not begin the number.
    case malformed
  }

  /// Nil until the number is complete.
  var parsed: PhoneNumber? {
    var e164 = "+"
    switch Self.reading(text) {
    case .malformed: return nil
    case .whole(let whole):
      // Of a calling code that is not in the table only the general limits are known.
      if let known = Country.of(whole, near: country) {
        let inside = Array(whole.dropFirst(known.code.count))
        // The digit for calls inside a country is no part of a whole number, and is not left out.
        guard known.national(inside) == inside else { return nil }
      }
      e164 += String(decoding: whole, as: UTF8.self)
    case .national(let digits):
      guard let inside = country.national(digits) else { return nil }
      e164 = country.callingCode + String(decoding: inside, as: UTF8.self)
    }
    do throws(Malformed) { return try PhoneNumber(parsing: e164) } catch { return nil }
  }

  /// The calling code and the digits dialled after it, once the number is complete.
  public var written: String {
    guard let parsed else { return "" }
    if case .whole = Self.reading(text) { return parsed.e164 }
    return country.callingCode + " " + String(parsed.e164.dropFirst(country.callingCode.count))
  }

  /// The country that the server's configuration names, unless the person was faster.
  mutating func fillIn(_ callingCode: String) {
    guard !isTouched, let country = Country.named(callingCode) else { return }
    self.country = country
  }

  /// A region, or a calling code; another text changes nothing.
  mutating func choose(_ name: String) {
    guard let chosen = Country.named(name) else { return }
    isTouched = true
    // The calling code of the other country goes; the rest stays.
    if case .whole(let whole) = Self.reading(text), let other = Country.of(whole, near: country) {
      text = String(decoding: whole.dropFirst(other.code.count), as: UTF8.self)
    }
    country = chosen
  }

  /// Keeps what numbers are written with; a whole number brings its country.
  mutating func edit(_ typed: String) {
    isTouched = true
    var kept: [UInt8] = []
    for scalar in typed.unicodeScalars where kept.count < Self.textLimit {
      if let byte = Self.written(scalar) { kept.append(byte) }
    }
    text = String(decoding: kept, as: UTF8.self)
    guard case .whole(let whole) = Self.reading(text), let found = Country.of(whole, near: country)
    else { return }
    country = found
    if parsed != nil {
      text = String(decoding: whole.dropFirst(found.code.count), as: UTF8.self)
    }
  }

  /// A plus sign, or `00` as it is dialled abroad, begins a whole number.
  private static func reading(_ text: String) -> Reading {
    let digits = digits(of: text)
    let plus = UInt8(ascii: "+")
    if let first = text.utf8.firstIndex(of: plus) {
      let isFirst = !text.utf8[..<first].contains(where: isDigit)
      let isOnly = !text.utf8[text.utf8.index(after: first)...].contains(plus)
      return isFirst && isOnly ? .whole(digits) : .malformed
    }
    let abroad = [UInt8](repeating: UInt8(ascii: "0"), count: 2)
    guard digits.starts(with: abroad) else { return .national(digits) }
    return .whole(Array(digits.dropFirst(abroad.count)))
  }

  private static func digits(of text: String) -> [UInt8] {
    var digits: [UInt8] = []
    for byte in text.utf8 where isDigit(byte) { digits.append(byte) }
    return digits
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  /// What a character is in a number; nil for what numbers are not written with.
  ///
  /// Keyboards for other scripts have digits and a plus sign of their own.
  private static func written(_ scalar: Unicode.Scalar) -> UInt8? {
    switch scalar.value {
    case 0x20, 0x28, 0x29, 0x2B, 0x2D, 0x2E, 0x30...0x39: UInt8(scalar.value)
    case 0xA0, 0x202F: 0x20
    case 0xFF0B: UInt8(ascii: "+")
    // Arabic-Indic, Persian, Devanagari and full-width digits.
    case 0x0660...0x0669: digit(scalar, from: 0x0660)
    case 0x06F0...0x06F9: digit(scalar, from: 0x06F0)
    case 0x0966...0x096F: digit(scalar, from: 0x0966)
    case 0xFF10...0xFF19: digit(scalar, from: 0xFF10)
    default: nil
    }
  }

  private static func digit(_ scalar: Unicode.Scalar, from zero: UInt32) -> UInt8 {
    UInt8(ascii: "0") + UInt8(scalar.value - zero)
  }
}

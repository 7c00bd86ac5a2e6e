import SignInEngine
import SignInModel

/// A mobile number as a person types it.
///
/// It is a country with the digits used inside it, or a whole number that begins with `+` or `00`.
///
/// A whole number is never read as a number of another country (L-44).
public struct MobileNumber: Equatable, Sendable {
  /// More characters than any number needs, and few enough to read the text again at every key
  /// press.
  static let textLimit = 32

  public private(set) var country = Country.standard
  public private(set) var text = ""
  /// Whether the person has chosen the country or typed.
  private var isTouched = false

  var isEmpty: Bool { text.isEmpty }

  /// The meaning of the typed text.
  private enum Reading {
    /// Digits used inside the country.
    case national([UInt8])
    /// A calling code, and the digits dialled after it.
    case whole([UInt8])
    /// A plus sign that is not at the beginning, or more than one.
    case malformed
  }

  /// `nil` until the number is complete.
  var parsed: PhoneNumber? {
    var e164 = "+"
    switch Self.reading(text) {
    case .malformed: return nil
    case .whole(let whole):
      // If the table does not contain the calling code, only the general limits are known.
      if let known = Country.of(whole, near: country) {
        let inside = Array(whole.dropFirst(known.code.count))
        // A whole number has no trunk prefix. One that was typed is an error, and is not removed.
        guard known.national(inside) == inside else { return nil }
      }
      e164 += String(decoding: whole, as: UTF8.self)
    case .national(let digits):
      guard let inside = country.national(digits) else { return nil }
      e164 = country.callingCode + String(decoding: inside, as: UTF8.self)
    }
    do throws(Malformed) { return try PhoneNumber(parsing: e164) } catch { return nil }
  }

  /// The calling code and the digits dialled after it; empty until the number is complete.
  public var written: String {
    guard let parsed else { return "" }
    if case .whole = Self.reading(text) { return parsed.e164 }
    let inside = parsed.e164.utf8.dropFirst(country.callingCode.utf8.count)
    return country.callingCode + " " + String(decoding: inside, as: UTF8.self)
  }

  /// Fills in the country of the server's configuration, unless the person has already typed or
  /// chosen.
  mutating func fillIn(_ callingCode: String) {
    guard !isTouched, let country = Country.named(callingCode) else { return }
    self.country = country
  }

  /// Chooses the country of this region or calling code; an unknown text changes nothing.
  mutating func choose(_ name: String) {
    guard let chosen = Country.named(name) else { return }
    isTouched = true
    // Removes the calling code of the other country, and keeps the rest.
    if case .whole(let whole) = Self.reading(text), let other = Country.of(whole, near: country) {
      text = String(decoding: whole.dropFirst(other.code.count), as: UTF8.self)
    }
    country = chosen
  }

  /// Keeps the characters that numbers are written with.
  ///
  /// A whole number also chooses its country.
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

  /// Finds out what a text contains.
  ///
  /// A text that begins with a plus sign, or with `00` as dialled for calls abroad, contains the
  /// country's calling code.
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

  /// The ASCII form of a character; `nil` if numbers are not written with it.
  ///
  /// Keyboards for other scripts have their own digits and their own plus sign.
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

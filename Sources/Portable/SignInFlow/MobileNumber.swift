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

  /// Nil until the number is complete.
  var parsed: PhoneNumber? {
    var e164 = "+"
    if let whole = Self.whole(text) {
      // Of a calling code that is not in the table only the general limits are known.
      if let known = Country.of(whole, near: country) {
        guard known.fits(whole.dropFirst(known.code.count)) else { return nil }
      }
      e164 += String(decoding: whole, as: UTF8.self)
    } else {
      guard let inside = country.national(Self.digits(of: text)) else { return nil }
      e164 = country.callingCode + String(decoding: inside, as: UTF8.self)
    }
    do throws(Malformed) { return try PhoneNumber(parsing: e164) } catch { return nil }
  }

  /// The calling code and the digits dialled after it, once the number is complete.
  public var written: String {
    guard let parsed else { return "" }
    guard Self.whole(text) == nil else { return parsed.e164 }
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
    if let whole = Self.whole(text), let other = Country.of(whole, near: country) {
      text = String(decoding: whole.dropFirst(other.code.count), as: UTF8.self)
    }
    country = chosen
  }

  /// Keeps what numbers are written with; a whole number brings its country.
  mutating func edit(_ typed: String) {
    isTouched = true
    var kept: [UInt8] = []
    for byte in typed.utf8 where Self.isWritten(byte) && kept.count < Self.textLimit {
      kept.append(byte)
    }
    text = String(decoding: kept, as: UTF8.self)
    guard let whole = Self.whole(text), let found = Country.of(whole, near: country) else { return }
    country = found
    let inside = whole.dropFirst(found.code.count)
    if found.fits(inside) { text = String(decoding: inside, as: UTF8.self) }
  }

  /// The digits of a number that begins with `+`, or with `00` as it is dialled abroad.
  private static func whole(_ text: String) -> [UInt8]? {
    let digits = digits(of: text)
    if text.utf8.first(where: { $0 != 0x20 && $0 != UInt8(ascii: "(") }) == UInt8(ascii: "+") {
      return digits
    }
    let abroad = [UInt8](repeating: UInt8(ascii: "0"), count: 2)
    return digits.starts(with: abroad) ? Array(digits.dropFirst(abroad.count)) : nil
  }

  private static func digits(of text: String) -> [UInt8] {
    var digits: [UInt8] = []
    for byte in text.utf8 where isDigit(byte) { digits.append(byte) }
    return digits
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private static func isWritten(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "("),
      UInt8(ascii: ")"):
      true
    default: isDigit(byte)
    }
  }
}

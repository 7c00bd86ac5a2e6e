import SignInModel

/// A mobile number as a person gives it: a country, and the digits used inside it.
public struct MobileNumber: Equatable, Sendable {
  /// One calling code, and how many digits follow it.
  public struct Country: Equatable, Sendable {
    public let callingCode: String
    public let name: String
    let digitLimits: ClosedRange<Int>
  }

  public static let india = Country(callingCode: "+91", name: "India", digitLimits: 10...10)

  /// In the order they are offered; the first is filled in.
  public static let countries = [
    india,
    Country(callingCode: "+880", name: "Bangladesh", digitLimits: 10...10),
    Country(callingCode: "+977", name: "Nepal", digitLimits: 10...10),
    Country(callingCode: "+65", name: "Singapore", digitLimits: 8...8),
    Country(callingCode: "+94", name: "Sri Lanka", digitLimits: 9...9),
    Country(callingCode: "+971", name: "United Arab Emirates", digitLimits: 8...9),
    Country(callingCode: "+44", name: "United Kingdom", digitLimits: 9...10),
    Country(callingCode: "+1", name: "United States, Canada", digitLimits: 10...10),
  ]

  /// More than anybody needs, and little enough to be read at every key.
  static let textLimit = 32

  public private(set) var country = india
  public private(set) var text = ""

  var isEmpty: Bool { text.isEmpty }

  /// Nil until the number is complete.
  var parsed: PhoneNumber? {
    var digits = Self.digits(of: text)
    // A zero in front is dialled inside the country only.
    if digits.first == UInt8(ascii: "0") { digits.removeFirst() }
    guard country.digitLimits.contains(digits.count) else { return nil }
    let e164 = country.callingCode + String(decoding: digits, as: UTF8.self)
    do throws(Malformed) { return try PhoneNumber(parsing: e164) } catch { return nil }
  }

  /// The calling code and the digits dialled after it, once the number is complete.
  public var written: String {
    guard let parsed else { return "" }
    return country.callingCode + " " + String(parsed.e164.dropFirst(country.callingCode.count))
  }

  mutating func choose(_ callingCode: String) {
    for country in Self.countries where country.callingCode == callingCode {
      self.country = country
    }
  }

  /// Keeps what numbers are written with; a whole number, pasted or filled in, brings its country.
  mutating func edit(_ typed: String) {
    var kept: [UInt8] = []
    for byte in typed.utf8 where Self.isWritten(byte) && kept.count < Self.textLimit {
      kept.append(byte)
    }
    text = String(decoding: kept, as: UTF8.self)
    guard kept.first == UInt8(ascii: "+") else { return }
    let digits = Self.digits(of: text)
    for country in Self.countries {
      let code = Self.digits(of: country.callingCode)
      guard digits.starts(with: code),
        country.digitLimits.contains(digits.count - code.count)
      else { continue }
      self.country = country
      text = String(decoding: digits.dropFirst(code.count), as: UTF8.self)
      return
    }
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

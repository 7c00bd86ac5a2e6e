/// A phone number in E.164 form: `+`, then 8 to 15 digits.
///
/// The first digit is not zero.
public struct PhoneNumber: Hashable, Sendable {
  public static let digitLimits = 8...15

  public let e164: String

  /// Reads a number with its calling code as people type, paste and dictate it.
  ///
  /// Blanks, hyphens, dots, slashes, brackets and direction marks mean nothing. Digits can be those
  /// of any script, and `00` means the same as the plus sign. The zero that is dialled only inside
  /// a country, as in `+44 (0)7700 900123`, is removed, and so is the 8 or 1 of other countries if
  /// the number is too long with it. A number with too many or too few digits for its country is
  /// refused, and so are two numbers in one text.
  ///
  /// - Throws: `Malformed(.phoneZero)` if it is not known whether a zero after the calling code
  ///   belongs to the number.
  public init(parsing raw: String) throws(Malformed) {
    guard let written = WrittenNumber(raw), written.isWhole else { throw Malformed(.phoneNumber) }
    try self.init(digits: try written.dialled())
  }

  /// Reads a number that `e164` wrote.
  public init(stored text: String) throws(Malformed) {
    guard text.utf8.first == UInt8(ascii: "+") else { throw Malformed(.phoneNumber) }
    try self.init(digits: Array(text.utf8.dropFirst()))
  }

  private init(digits: [UInt8]) throws(Malformed) {
    guard Self.digitLimits.contains(digits.count), digits[0] != UInt8(ascii: "0") else {
      throw Malformed(.phoneNumber)
    }
    for digit in digits where digit < UInt8(ascii: "0") || digit > UInt8(ascii: "9") {
      throw Malformed(.phoneNumber)
    }
    e164 = "+" + String(decoding: digits, as: UTF8.self)
  }

  /// The address that makes a device call the number (RFC 3966).
  public var callAddress: String { "tel:" + e164 }

  /// A number of which no digit is shown, in the form of `masked`.
  public static let withoutDigits = "***-***-****"

  /// The number without all digits but the last four: `***-***-1234` (T-10).
  public var masked: String {
    "***-***-" + String(decoding: e164.utf8.suffix(4), as: UTF8.self)
  }
}

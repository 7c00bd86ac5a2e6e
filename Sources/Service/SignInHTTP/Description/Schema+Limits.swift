import HTTPServer
import JSONText
import SignInModel
import SignInRules
import SignInService
import SignInWire

/// What a text of a request may be, as far as a JSON Schema can say it.
///
/// Every number comes from the constant that the server checks. Where the server counts bytes, a
/// text of as many characters may still be too long.
struct TextLimits: Sendable {
  let length: ClosedRange<Int>
  /// A regular expression (ECMA-262) that the whole text fits.
  var pattern: String?

  var members: [JSONMember] {
    [
      length.lowerBound > 0 ? JSONMember("minLength", Int64(length.lowerBound)) : nil,
      JSONMember("maxLength", Int64(length.upperBound)),
      pattern.map { JSONMember("pattern", $0) },
    ].compactMap { $0 }
  }
}

extension Schema {
  /// A text of any content, up to `limit` characters.
  static func text(upTo limit: Int, atLeast least: Int = 0) -> Schema {
    .limited(TextLimits(length: least...limit))
  }

  /// A parameter of a query or a form that has no limit of its own.
  static let value = text(upTo: Form.valueByteLimit)

  static let identifier = limited(
    TextLimits(length: 1...ProductID.lengthLimit, pattern: "^[A-Za-z0-9._-]+$"))

  /// One line without control characters, and with something besides spaces.
  static func line(upTo limit: Int) -> Schema {
    limited(
      TextLimits(length: 1...limit, pattern: "^ *[^ \(controls)][^\(controls)]*$"))
  }

  static let line = line(upTo: TextLine.lengthLimit)
  static let personName = line(upTo: PersonName.lengthLimit)

  static let email = limited(
    TextLimits(
      length: EmailAddress.leastLength...EmailAddress.lengthLimit,
      pattern:
        "^[^\\u0000-\\u0020\\u007F@]+@[^\\u0000-\\u0020\\u007F@.][^\\u0000-\\u0020\\u007F@]*$"
    ))

  /// Spaces and hyphens that people type between digits are tolerated too.
  static let phoneNumber: Schema = {
    let digits = PhoneNumber.digitLimits
    return limited(
      TextLimits(
        length: digits.lowerBound + 1...digits.upperBound + 1,
        pattern: "^\\+[1-9][0-9]{\(digits.lowerBound - 1),\(digits.upperBound - 1)}$"))
  }()

  static let newPassword = text(upTo: NewPassword.byteLimit, atLeast: NewPassword.leastCodePoints)
  static let presentPassword = text(upTo: NewPassword.byteLimit, atLeast: 1)

  static let code = limited(TextLimits(length: OneTimeCode.digitLimits, pattern: "^[0-9]+$"))

  static let day = limited(
    TextLimits(
      length: CalendarDay.textLength...CalendarDay.textLength,
      pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))

  static let moment = whole(0...JSON.latestUnixSeconds)

  static let callingCodes: Schema = {
    let (code, further) = (NumberPrefix.codeDigits, NumberPrefix.furtherDigits)
    let prefix = TextLimits(
      length: 1 + code.lowerBound...2 + code.upperBound + further.upperBound,
      pattern: "^\\+[1-9][0-9]{\(code.lowerBound - 1),\(code.upperBound - 1)}"
        + "(-[0-9]{\(further.lowerBound),\(further.upperBound)})?$")
    // The JSON reader refuses a body with more values, so a list cannot be longer.
    return many(.limited(prefix), 1...JSONLimits.request.values)
  }()

  /// PKCE (RFC 7636, section 4): unreserved characters.
  static func unreserved(_ length: ClosedRange<Int>) -> Schema {
    limited(TextLimits(length: length, pattern: "^[A-Za-z0-9._~-]+$"))
  }

  /// The ETags of a condition, or `*`.
  static let conditionTags = text(upTo: FieldpassHandler.conditionByteLimit, atLeast: 1)

  /// What the server takes for control characters, as the inside of a character class.
  private static let controls = TypedText.controls.map { range in
    "\\u\(hex(range.lowerBound))-\\u\(hex(range.upperBound))"
  }.joined()

  private static func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}

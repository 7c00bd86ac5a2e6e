import HTTPServer
import JSONText
import SignInModel
import SignInRules
import SignInService
import SignInWire

/// The limits of a text in a request, as far as a JSON Schema can express them.
///
/// Every number comes from the constant that the server checks. If the server counts bytes, a text
/// within the limit of characters can still be too long.
struct TextLimits: Sendable {
  let length: ClosedRange<Int>
  /// A regular expression (ECMA-262) that must match the whole text.
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
  /// Any text of up to `limit` characters.
  static func text(upTo limit: Int, atLeast least: Int = 0) -> Schema {
    .limited(TextLimits(length: least...limit))
  }

  /// A parameter of a query or a form without its own limit.
  static let value = text(upTo: Form.valueByteLimit)

  static let identifier = limited(
    TextLimits(length: 1...ProductID.lengthLimit, pattern: "^[A-Za-z0-9._-]+$"))

  /// One line without control characters that does not have only white space.
  static func line(upTo limit: Int) -> Schema {
    limited(
      TextLimits(
        length: 1...limit,
        pattern: "^[\(blanks)\(invisible)]*[^\(blanks)\(invisible)\(controls)][^\(controls)]*$"))
  }

  static let line = line(upTo: TextLine.lengthLimit)
  static let personName = limited(
    TextLimits(
      length: 1...PersonName.lengthLimit,
      pattern: "^[\(blanks)]*[^\(blanks)\(controls)\(invisible)]"
        + "[^\(controls)\(invisible)]*$"))

  /// The canonical form.
  ///
  /// The server also reads other spellings. Letters beyond ASCII must be of one script, which a
  /// pattern cannot express.
  static let email: Schema = {
    let atext = "a-zA-Z0-9!#$%&'*+/=?^_`{|}~\\u00A1-\\uFFFF-"
    let label = "[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?"
    return limited(
      TextLimits(
        length: EmailAddress.leastLength...EmailAddress.lengthLimit,
        pattern: "^[\(atext)]+(\\.[\(atext)]+)*@\(label)(\\.\(label))+$"))
  }()

  /// The server also accepts other spellings.
  ///
  /// The schema does not mention them.
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

  /// Unreserved characters, as PKCE needs them (RFC 7636, section 4).
  static func unreserved(_ length: ClosedRange<Int>) -> Schema {
    limited(TextLimits(length: length, pattern: "^[A-Za-z0-9._~-]+$"))
  }

  /// The ETags of a condition, or `*`.
  static let conditionTags = text(upTo: FieldpassHandler.conditionByteLimit, atLeast: 1)

  /// The control characters of the server, as a part of a regular expression's character class.
  private static let controls = classPart(TypedText.controls)

  /// White space of one unit of UTF-16, without the controls.
  private static let blanks = classPart(
    TypedText.blanks.filter { $0.lowerBound == 0x20 || $0.lowerBound >= 0xA0 })

  /// The invisible characters, without those that need two units of UTF-16.
  private static let invisible = classPart(TypedText.invisible.filter { $0.upperBound <= 0xFFFF })

  private static func classPart(_ ranges: [ClosedRange<UInt32>]) -> String {
    ranges.map { "\\u\(hex($0.lowerBound))-\\u\(hex($0.upperBound))" }.joined()
  }

  private static func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}

/// Why a text is not the value it claims to be.
///
/// It names the kind of value only, never the text itself, so that it may be shown and logged.
public struct Malformed: Error, Equatable, Sendable {
  /// The standard name of the value, such as `e-mail address`.
  public let value: StaticName

  public init(_ value: StaticName) { self.value = value }

  /// The values that can be malformed.
  public enum StaticName: String, Sendable {
    case emailAddress = "e-mail address"
    case phoneNumber = "phone number"
    case oneTimeCode = "one-time code"
    case identifier = "identifier"
    case personName = "name"
    case base64URL = "base64url text"
    case networkAddress = "network address"
    case calendarDay = "date"
    case line = "line of text"
    case description = "description"
  }
}

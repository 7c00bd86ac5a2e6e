/// A text does not have the form of the value that it should be.
///
/// It names only the kind of the value, never the text. So the error may be shown and logged.
public struct Malformed: Error, Equatable, Sendable {
  /// The name of the value, such as `e-mail address`.
  public let value: StaticName

  public init(_ value: StaticName) { self.value = value }

  /// The kinds of values that can be malformed.
  public enum StaticName: String, Sendable {
    case emailAddress = "e-mail address"
    case phoneNumber = "phone number"
    /// It is not known whether the zero belongs to the number.
    case phoneZero = "zero after the calling code"
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

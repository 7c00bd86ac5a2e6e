/// The text of one line of a form: 1 to 200 characters in any script.
public struct TextLine: Equatable, Sendable {
  /// In code points.
  public static let lengthLimit = 200

  public let text: String

  /// Parses a line and removes the white space at both ends.
  public init(parsing raw: String) throws(Malformed) {
    guard let text = TypedText.read(raw, limit: Self.lengthLimit) else { throw Malformed(.line) }
    self.text = text
  }
}

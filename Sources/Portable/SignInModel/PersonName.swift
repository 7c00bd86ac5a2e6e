/// The name of a person: one line of 1 to 100 characters in any script.
public struct PersonName: Equatable, Sendable {
  /// In code points.
  public static let lengthLimit = 100

  public let text: String

  /// Parses a name and removes the white space at both ends.
  public init(parsing raw: String) throws(Malformed) {
    guard let text = TypedText.read(raw, limit: Self.lengthLimit), !TypedText.isDeceptive(text)
    else {
      throw Malformed(.personName)
    }
    self.text = text
  }
}

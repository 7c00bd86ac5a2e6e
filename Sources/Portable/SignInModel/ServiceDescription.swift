/// The description in a service request: 1 to 2,000 characters, in any number of lines.
public struct ServiceDescription: Equatable, Sendable {
  /// In code points.
  public static let lengthLimit = 2000

  public let text: String

  /// Parses a description and removes spaces, tabs and line breaks at both ends.
  public init(parsing raw: String) throws(Malformed) {
    guard
      let text = TypedText.read(
        TypedText.withLineFeeds(raw), limit: Self.lengthLimit, breaks: TypedText.breaks)
    else {
      throw Malformed(.description)
    }
    self.text = text
  }
}

/// What a person writes to a service desk: 1 to 2,000 characters, in as many lines as they like.
public struct ServiceDescription: Equatable, Sendable {
  /// Counted in code points.
  public static let lengthLimit = 2000

  public let text: String

  /// Parses a description, tolerating spaces and empty lines at its ends.
  public init(parsing raw: String) throws(Malformed) {
    guard let text = TypedText.read(raw, limit: Self.lengthLimit, breaks: ["\n", "\t"]) else {
      throw Malformed(.description)
    }
    self.text = text
  }
}

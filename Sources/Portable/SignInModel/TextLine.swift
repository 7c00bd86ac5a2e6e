/// What one line of a form may hold: 1 to 200 characters in any script.
public struct TextLine: Equatable, Sendable {
  /// Counted in code points.
  public static let lengthLimit = 200

  public let text: String

  /// Parses a line, tolerating spaces at its ends; it may not hold what `PersonName` may not.
  public init(parsing raw: String) throws(Malformed) {
    let scalars = PersonName.trimmed(raw)
    guard !scalars.isEmpty, scalars.count <= Self.lengthLimit,
      !scalars.contains(where: PersonName.isControl)
    else { throw Malformed(.line) }
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    self.text = text
  }
}

/// What a person writes to a service desk: 1 to 2,000 characters, in as many lines as they like.
public struct ServiceDescription: Equatable, Sendable {
  /// Counted in code points.
  public static let lengthLimit = 2000

  public let text: String

  public init(parsing raw: String) throws(Malformed) {
    let scalars = PersonName.trimmed(raw)
    let isBlank = scalars.allSatisfy { $0 == " " || $0 == "\n" || $0 == "\t" }
    let isForged = scalars.contains { $0 != "\n" && $0 != "\t" && PersonName.isControl($0) }
    guard !isBlank, scalars.count <= Self.lengthLimit, !isForged else {
      throw Malformed(.description)
    }
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    self.text = text
  }
}

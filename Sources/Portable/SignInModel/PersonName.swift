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

  /// Reads a name that another system provides, which the person cannot correct here.
  ///
  /// Characters that a typed name must not have are left out, and a long name is cut. Some systems
  /// begin a name with a mark for the direction of writing.
  ///
  /// - Returns: `nil` if nothing is left.
  public init?(provided raw: String) {
    var kept = String.UnicodeScalarView()
    for scalar in raw.unicodeScalars.prefix(Self.providedLengthLimit)
    where !TypedText.isDeceptive(scalar)
      && VariationSelectors.isPlaced(scalar, after: kept.last)
    {
      kept.append(scalar)
    }
    let scalars = kept.drop { $0 == " " || TypedText.isMark($0) }.prefix(Self.lengthLimit)
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    if Joiners.areMisplaced(in: text) {
      text.unicodeScalars.removeAll { Joiners.isJoiner($0) }
    }
    guard let read = TypedText.read(text, limit: Self.lengthLimit) else { return nil }
    self.text = read
  }

  /// The code points of a provided name that are read.
  static let providedLengthLimit = 10 * lengthLimit
}

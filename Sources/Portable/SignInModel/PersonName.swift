/// What a person is called: one line of 1 to 100 characters in any script.
public struct PersonName: Equatable, Sendable {
  /// Counted in code points.
  public static let lengthLimit = 100

  public let text: String

  /// Parses a name, tolerating spaces at its ends.
  ///
  /// Control characters are refused, and those that turn the direction of writing: they would let a
  /// name forge lines of a log or of a list.
  public init(parsing raw: String) throws(Malformed) {
    let scalars = Self.trimmed(raw)
    guard !scalars.isEmpty, scalars.count <= Self.lengthLimit,
      !scalars.contains(where: Self.isControl)
    else { throw Malformed(.personName) }
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    self.text = text
  }

  static func trimmed(_ raw: String) -> ArraySlice<Unicode.Scalar> {
    var scalars = Array(raw.unicodeScalars)[...]
    while let first = scalars.first, first == " " { scalars.removeFirst() }
    while let last = scalars.last, last == " " { scalars.removeLast() }
    return scalars
  }

  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // C0, DELETE and C1; separators of lines and paragraphs; whatever turns the direction.
    case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x200E, 0x200F, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}

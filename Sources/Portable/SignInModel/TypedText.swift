/// What a person typed into a field: trimmed, and free of what could forge another line.
public enum TypedText {
  /// Control characters, and those that turn the direction of writing: in no line that is typed.
  public static let controls: [ClosedRange<UInt32>] = [
    // C0; DELETE and C1; marks of direction; separators of lines and paragraphs, and embeddings.
    0x00...0x1F, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF...0xFEFF,
  ]

  /// Answers the text without blanks at its ends; nil when nothing is left, when more than `limit`
  /// code points are, or when one of them is a control character.
  ///
  /// Control characters are refused, and those that turn the direction of writing: they would let
  /// a name forge lines of a log or of a list. `breaks` are those a text of several lines may hold.
  static func read(_ raw: String, limit: Int, breaks: [Unicode.Scalar] = []) -> String? {
    var scalars = Array(raw.unicodeScalars)[...]
    while let first = scalars.first, first == " " || breaks.contains(first) {
      scalars.removeFirst()
    }
    while let last = scalars.last, last == " " || breaks.contains(last) { scalars.removeLast() }
    guard !scalars.isEmpty, scalars.count <= limit,
      !scalars.contains(where: { isControl($0) && !breaks.contains($0) })
    else { return nil }
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return text
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    controls.contains { $0.contains(scalar.value) }
  }
}

/// Text that a person typed into a field: without spaces at its ends and without control
/// characters.
public enum TypedText {
  /// Control characters, and characters that change the direction of writing.
  ///
  /// Typed text contains none.
  public static let controls: [ClosedRange<UInt32>] = [
    // C0; DELETE and C1; direction marks; line and paragraph separators, embeddings, isolates; BOM.
    0x00...0x1F, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF...0xFEFF,
  ]

  /// Invisible characters.
  ///
  /// Two names or addresses that differ only by them look the same.
  /// Joiners are not among them: they change how Hindi or Persian is written.
  public static let invisible: [ClosedRange<UInt32>] = [
    // Soft hyphen; Arabic letter mark; Hangul fillers; Mongolian separator; zero width space; word
    // joiner and invisible operators; half-width filler; tags.
    0xAD...0xAD, 0x61C...0x61C, 0x115F...0x1160, 0x180E...0x180E, 0x200B...0x200B,
    0x2060...0x2064, 0x3164...0x3164, 0xFFA0...0xFFA0, 0xE0000...0xE007F,
  ]

  /// Whether the text has a control character or an invisible one.
  public static func isDeceptive(_ text: String) -> Bool {
    for scalar in text.unicodeScalars
    where isControl(scalar) || invisible.contains(where: { $0.contains(scalar.value) }) {
      return true
    }
    return false
  }

  /// Whether the text is empty or has only spaces.
  public static func isBlank(_ text: String) -> Bool {
    for byte in text.utf8 where byte != 0x20 { return false }
    return true
  }

  /// Returns the text without spaces at its ends.
  ///
  /// Returns `nil` if the text is empty, is longer than `limit` code points or contains a control
  /// character. Control characters and characters that change the direction of writing are refused,
  /// because a name with them could forge lines of a log or of a list. `breaks` are the control
  /// characters that a text of several lines may contain.
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

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
  /// Joiners are not among them: they change how Hindi or Persian is written. `Joiners` says where
  /// they are allowed.
  public static let invisible: [ClosedRange<UInt32>] = [
    // Soft hyphen; grapheme joiner; Arabic letter mark; Hangul fillers; Khmer vowels; Mongolian
    // separator; zero width space; word joiner and invisible operators; digit shapes; Braille
    // blank; half-width filler; unassigned and annotation characters; tags.
    0xAD...0xAD, 0x34F...0x34F, 0x61C...0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180E...0x180E,
    0x200B...0x200B, 0x2060...0x2065, 0x206A...0x206F, 0x2800...0x2800, 0x3164...0x3164,
    0xFFA0...0xFFA0, 0xFFF0...0xFFFB, 0xE0000...0xE007F,
  ]

  /// White space (Unicode property `White_Space`).
  ///
  /// Texts that are copied from a page or a table often begin or end with it.
  public static let blanks: [ClosedRange<UInt32>] = [
    0x09...0x0D, 0x20...0x20, 0x85...0x85, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A,
    0x2028...0x2029, 0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000,
  ]

  /// Characters without width that can be copied together with a text.
  private static let widthless: [ClosedRange<UInt32>] = [
    // Zero width space; direction marks, embeddings, word joiner, isolates; BOM.
    0x200B...0x200B, 0x200E...0x200F, 0x202A...0x202E, 0x2060...0x2060, 0x2066...0x2069,
    0xFEFF...0xFEFF,
  ]

  /// Whether the text has a control character or an invisible one, or a joiner at a place where it
  /// changes nothing.
  public static func isDeceptive(_ text: String) -> Bool {
    for scalar in text.unicodeScalars where isDeceptive(scalar) { return true }
    return Joiners.areMisplaced(in: text)
  }

  static func isDeceptive(_ scalar: Unicode.Scalar) -> Bool {
    isControl(scalar) || isIn(invisible, scalar)
  }

  /// Whether the text is empty or nothing of it can be seen.
  public static func isBlank(_ text: String) -> Bool {
    for scalar in text.unicodeScalars where !isSurrounding(scalar) && !isIn(invisible, scalar) {
      return false
    }
    return true
  }

  /// A text of several lines, with the line ends of Windows and of HTTP replaced by line feeds.
  public static func withLineFeeds(_ text: String) -> String {
    var bytes: [UInt8] = []
    var last: UInt8 = 0
    for byte in text.utf8 {
      if byte == 0x0A, last == 0x0D { bytes.removeLast() }
      bytes.append(byte)
      last = byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a character is removed at the ends of a text in which blanks mean nothing, such as an
  /// address or a number.
  static func isSurrounding(_ scalar: Unicode.Scalar) -> Bool {
    isIn(blanks, scalar) || isIn(widthless, scalar)
  }

  static func isIn(_ ranges: [ClosedRange<UInt32>], _ scalar: Unicode.Scalar) -> Bool {
    for range in ranges where range.contains(scalar.value) { return true }
    return false
  }

  /// Returns the text without white space at its ends.
  ///
  /// Returns `nil` if nothing of the text can be seen, or if it is longer than `limit` code points
  /// or contains a control character. Control characters and characters that change the direction
  /// of writing are refused, because a name with them could forge lines of a log or of a list.
  /// `breaks` are the control characters that a text of several lines may contain.
  static func read(_ raw: String, limit: Int, breaks: [Unicode.Scalar] = []) -> String? {
    var scalars = Array(raw.unicodeScalars)[...]
    while let first = scalars.first, isIn(blanks, first) { scalars.removeFirst() }
    while let last = scalars.last, isIn(blanks, last) { scalars.removeLast() }
    guard scalars.count <= limit,
      !scalars.contains(where: { isControl($0) && !breaks.contains($0) })
    else { return nil }
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return isBlank(text) ? nil : text
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    isIn(controls, scalar)
  }
}

/// Text that a person typed into a field: without spaces at its ends and without control
/// characters.
public enum TypedText {
  /// Control characters, and characters that change the direction of writing.
  ///
  /// Typed text contains none.
  public static let controls: [ClosedRange<UInt32>] = [
    // C0; DELETE and C1; direction marks; line and paragraph separators, embeddings, isolates; BOM.
    0x00...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069,
    0xFEFF...0xFEFF,
  ]

  /// Invisible characters.
  ///
  /// Two names or addresses that differ only by them look the same.
  /// They are the code points that Unicode shows as nothing (`Default_Ignorable_Code_Point`), and
  /// others without a shape. Joiners and variation selectors are not among them: they change how
  /// Hindi, Persian or Chinese is written. `Joiners` and `VariationSelectors` say where they are
  /// allowed.
  public static let invisible: [ClosedRange<UInt32>] = [
    // Soft hyphen; grapheme joiner; Hangul fillers; Khmer vowels; Mongolian separator; zero width
    // space; word joiner and invisible operators; digit shapes; Braille blank; half-width filler;
    // unassigned and annotation characters, and the place of an object.
    0xAD...0xAD, 0x34F...0x34F, 0x115F...0x1160, 0x17B4...0x17B5, 0x180E...0x180E,
    0x200B...0x200B, 0x2060...0x2065, 0x206A...0x206F, 0x2800...0x2800, 0x3164...0x3164,
    0xFFA0...0xFFA0, 0xFFF0...0xFFFC,
    // Formats of hieroglyphs, of shorthand and of musical notation; tags.
    0x13430...0x1345F, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE00FF, 0xE01F0...0xE0FFF,
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
    // Direction marks; zero width space; embeddings, word joiner, isolates; BOM.
    0x61C...0x61C, 0x200B...0x200B, 0x200E...0x200F, 0x202A...0x202E, 0x2060...0x2060,
    0x2066...0x2069, 0xFEFF...0xFEFF,
  ]

  /// Whether the text has a control character or an invisible one, or a joiner or a variation
  /// selector at a place where it changes nothing.
  public static func isDeceptive(_ text: String) -> Bool {
    for scalar in text.unicodeScalars where isDeceptive(scalar) { return true }
    return Joiners.areMisplaced(in: text) || VariationSelectors.areMisplaced(in: text)
  }

  static func isDeceptive(_ scalar: Unicode.Scalar) -> Bool {
    isControl(scalar) || isIn(invisible, scalar)
  }

  /// Whether the text is empty or nothing of it can be seen.
  public static func isBlank(_ text: String) -> Bool {
    for scalar in text.unicodeScalars where isVisible(scalar) { return false }
    return true
  }

  /// Whether the character shows something alone: a letter, a digit or another sign.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    !isSurrounding(scalar) && !isIn(invisible, scalar) && !Joiners.isJoiner(scalar)
      && !VariationSelectors.isSelector(scalar) && !isMark(scalar)
  }

  /// Whether the character is a mark on the character before it.
  ///
  /// The browser has no Unicode tables, so it knows only the marks that all scripts use, and leaves
  /// the others to the server.
  static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    #if hasFeature(Embedded)
      return isIn(marks, scalar)
    #else
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .spacingMark, .enclosingMark: return true
      default: return false
      }
    #endif
  }

  #if hasFeature(Embedded)
    private static let marks: [ClosedRange<UInt32>] = [
      0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F,
    ]
  #endif

  /// Characters that a text of several lines may have beside those of a line.
  ///
  /// Marks of direction are among them, because a keyboard for Arabic or Hebrew writes them.
  public static let breaks: [Unicode.Scalar] = [
    "\n", "\t", "\u{200E}", "\u{200F}", "\u{61C}",
  ]

  /// A text of several lines, with the line ends of every system replaced by line feeds, and
  /// without a byte order mark.
  public static func withLineFeeds(_ text: String) -> String {
    var lines = String.UnicodeScalarView()
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0A where last == "\r": break
      // Vertical tab, carriage return, next line; separators of lines and of paragraphs.
      case 0x0B, 0x0D, 0x85, 0x2028, 0x2029: lines.append("\n")
      case 0xFEFF where last == nil: break
      default: lines.append(scalar)
      }
      last = scalar
    }
    return String(lines)
  }

  /// Whether the text of several lines has no control characters but `breaks`.
  public static func isPlain(_ text: String) -> Bool {
    for scalar in text.unicodeScalars where isControl(scalar) && !breaks.contains(scalar) {
      return false
    }
    return true
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
  /// Returns `nil` if nothing of the text can be seen, if it begins with a mark, or if it is longer
  /// than `limit` code points or contains a control character. Control characters and characters
  /// that change the direction of writing are refused, because a name with them could forge lines
  /// of a log or of a list.
  /// `breaks` are the control characters that a text of several lines may contain.
  public static func read(_ raw: String, limit: Int, breaks: [Unicode.Scalar] = []) -> String? {
    var scalars = Array(raw.unicodeScalars)[...]
    while let first = scalars.first, isIn(blanks, first) { scalars.removeFirst() }
    while let last = scalars.last, isIn(blanks, last) { scalars.removeLast() }
    guard scalars.count <= limit,
      !scalars.contains(where: { isControl($0) && !breaks.contains($0) })
    else { return nil }
    if let first = scalars.first, isMark(first) { return nil }
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return isBlank(text) ? nil : text
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    isIn(controls, scalar)
  }
}

/// The joiners U+200C and U+200D, which change how letters of some scripts are written.
///
/// Elsewhere they are invisible, so that two names could look the same. They are allowed where
/// RFC 5892, appendix A.1 and A.2, allows them.
enum Joiners {
  /// Scripts whose letters are joined: Arabic, Syriac, N'Ko, Mandaic, Mongolian, and more Arabic.
  private static let joined: [ClosedRange<UInt32>] = [
    0x620...0x6FF, 0x710...0x77F, 0x7C0...0x7FA, 0x840...0x8FF, 0x1820...0x18AA,
  ]

  /// Whether a joiner is neither after a mark that removes a vowel nor between joined letters.
  static func areMisplaced(in text: String) -> Bool {
    var before: Unicode.Scalar?
    var isOpen = false
    for scalar in text.unicodeScalars {
      let isLetter = TypedText.isIn(joined, scalar)
      if isOpen, !isLetter { return true }
      isOpen = false
      if isJoiner(scalar) {
        guard let last = before else { return true }
        if !removesVowel(last) {
          guard TypedText.isIn(joined, last) else { return true }
          isOpen = true
        }
      }
      before = scalar
    }
    return isOpen
  }

  static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x200C || scalar.value == 0x200D
  }

  /// Whether the character is a virama.
  ///
  /// The scripts of India have it at the same place in their blocks.
  private static func removesVowel(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x900...0xD7F: scalar.value & 0x7F == 0x4D
    case 0xDCA, 0xF84, 0x1039, 0x103A, 0x17D2, 0x1B44, 0x1BAA, 0xA806, 0xA8C4, 0xA953, 0xA9C0: true
    default: false
    }
  }
}

/// Text in the form for searching and sorting: lower case, without accents.
///
/// So `kuhl` finds `KÜHL`, and `Årlig` is sorted beside `arlig`. The server writes this form beside
/// the text, so that both databases and every app search the same.
///
/// The full collation of every language needs tables many times the size of this app. The tables
/// here cover Latin, Greek, Cyrillic and Arabic. Other scripts are sorted by their code points.
public enum FoldedText {
  public static func fold(_ bytes: some Sequence<UInt8>, into folded: inout [UInt8]) {
    var rest = bytes.makeIterator()
    while let byte = rest.next() {
      if byte < 0x80 {
        switch byte {
        case 0x41...0x5A: folded.append(byte + 0x20)
        case 0x09...0x0D: folded.append(0x20)
        // Other control characters are not part of a text.
        case 0x00...0x1F, 0x7F: break
        default: folded.append(byte)
        }
      } else {
        append(scalar(byte, &rest), to: &folded)
      }
    }
  }

  public static func fold(_ text: String) -> [UInt8] {
    var folded: [UInt8] = []
    fold(text.utf8, into: &folded)
    return folded
  }

  /// Decodes a character that UTF-8 encodes in two to four bytes.
  ///
  /// The text is well formed.
  private static func scalar(
    _ first: UInt8, _ rest: inout some IteratorProtocol<UInt8>
  ) -> UInt32 {
    var value: UInt32
    var following: Int
    switch first {
    case 0xC0...0xDF: (value, following) = (UInt32(first & 0x1F), 1)
    case 0xE0...0xEF: (value, following) = (UInt32(first & 0x0F), 2)
    default: (value, following) = (UInt32(first & 0x07), 3)
    }
    while following > 0, let byte = rest.next() {
      value = value << 6 | UInt32(byte & 0x3F)
      following -= 1
    }
    return value
  }

  private static func append(_ scalar: UInt32, to folded: inout [UInt8]) {
    switch scalar {
    case 0xA0, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: folded.append(0x20)
    // Invisible characters.
    case 0xAD, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF: break
    // Letters that become two letters each.
    case 0xC6, 0xE6: folded += [0x61, 0x65]
    case 0xDE, 0xFE: folded += [0x74, 0x68]
    case 0xDF: folded += [0x73, 0x73]
    case 0x132, 0x133: folded += [0x69, 0x6A]
    case 0x152, 0x153: folded += [0x6F, 0x65]
    case 0xC0...0x17F: folded.append(latin.utf8Start[Int(scalar - 0xC0)])
    case 0x1E9E: folded += [0x73, 0x73]
    case 0x1E00...0x1EFF: folded.append(vietnamese.utf8Start[Int(scalar - 0x1E00)])
    // Combining accents, Arabic vowel signs, and the line that stretches Arabic words.
    case 0x300...0x36F, 0x640, 0x64B...0x65F, 0x670: break
    case 0x386, 0x3AC: encode(0x3B1, into: &folded)
    case 0x388, 0x3AD: encode(0x3B5, into: &folded)
    case 0x389, 0x3AE: encode(0x3B7, into: &folded)
    case 0x38A, 0x390, 0x3AA, 0x3AF, 0x3CA: encode(0x3B9, into: &folded)
    case 0x38C, 0x3CC: encode(0x3BF, into: &folded)
    case 0x38E, 0x3AB, 0x3B0, 0x3CB, 0x3CD: encode(0x3C5, into: &folded)
    case 0x38F, 0x3CE: encode(0x3C9, into: &folded)
    case 0x3C2: encode(0x3C3, into: &folded)
    case 0x391...0x3A9: encode(scalar + 0x20, into: &folded)
    case 0x401, 0x451: encode(0x435, into: &folded)
    case 0x400...0x40F: encode(scalar + 0x50, into: &folded)
    case 0x410...0x42F: encode(scalar + 0x20, into: &folded)
    case 0x622, 0x623, 0x625: encode(0x627, into: &folded)
    case 0x2010...0x2015: folded.append(0x2D)
    case 0xFF21...0xFF3A: folded.append(UInt8(scalar - 0xFF21 + 0x61))
    case 0xFF01...0xFF5E: folded.append(UInt8(scalar - 0xFF01 + 0x21))
    default: encode(scalar, into: &folded)
    }
  }

  /// One lower-case letter for each scalar from U+00C0 on; a space for a scalar that is not a
  /// letter.
  private static let latin: StaticString =
    """
    aaaaaaaceeeeiiiidnooooo ouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuytyaaaaaaccccccccddddeeeeeeee\
    eegggggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuu\
    wwyyyzzzzzzs
    """

  /// One lower-case letter for each scalar from U+1E00 to U+1EFF.
  private static let vietnamese: StaticString =
    """
    aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooooooopp\
    pprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwyassssdaaaaaaaaaaaa\
    aaaaaaaaaaaaeeeeeeeeeeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyyllvvyy
    """

  private static func encode(_ scalar: UInt32, into folded: inout [UInt8]) {
    func tail(_ shift: UInt32) -> UInt8 {
      UInt8(truncatingIfNeeded: (scalar >> shift) & 0x3F) | 0x80
    }
    switch scalar {
    case 0..<0x80: folded.append(UInt8(scalar))
    case 0x80..<0x800: folded += [UInt8(scalar >> 6) | 0xC0, tail(0)]
    case 0x800..<0x10000: folded += [UInt8(scalar >> 12) | 0xE0, tail(6), tail(0)]
    default: folded += [UInt8(truncatingIfNeeded: scalar >> 18) | 0xF0, tail(12), tail(6), tail(0)]
    }
  }
}

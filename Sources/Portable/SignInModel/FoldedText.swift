/// Text in the form for searching and sorting: lower case, without accents.
///
/// So `kuhl` finds `KÜHL`, and `Årlig` is sorted beside `arlig`. The server writes this form beside
/// the text, so that both databases and every app search the same.
///
/// Apostrophes are left out, so that `oneil` finds `O’Neil`, and digits of any script are ASCII.
///
/// The full collation of every language needs tables many times the size of this app. The tables
/// here cover Latin, Greek, Cyrillic, Armenian and Arabic. Other scripts are sorted by their code
/// points.
public enum FoldedText {
  /// Appends the folded form of UTF-8.
  public static func fold(_ bytes: ArraySlice<UInt8>, into folded: inout [UInt8]) {
    var rest = bytes.makeIterator()
    while let byte = rest.next() {
      if byte < 0x80 {
        switch byte {
        case 0x41...0x5A: folded.append(byte + 0x20)
        case 0x09...0x0D: folded.append(0x20)
        // Other control characters are not part of a text. Apostrophes have several forms.
        case 0x00...0x1F, 0x27, 0x7F: break
        default: folded.append(byte)
        }
      } else {
        append(scalar(byte, &rest), to: &folded)
      }
    }
  }

  public static func fold(_ text: String) -> [UInt8] {
    var folded: [UInt8] = []
    fold(Array(text.utf8)[...], into: &folded)
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
    case 0xAD, 0x34F, 0x61C, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F,
      0xFEFF, 0xE0000...0xE0FFF:
      break
    // Apostrophes.
    case 0xB4, 0x2B9, 0x2BB...0x2BD, 0x2C8, 0x2018...0x201B, 0x2032, 0xFF07: break
    // Letters that become two letters each.
    case 0xC6, 0xE6: folded += [0x61, 0x65]
    case 0xDE, 0xFE: folded += [0x74, 0x68]
    case 0xDF: folded += [0x73, 0x73]
    case 0x132, 0x133: folded += [0x69, 0x6A]
    case 0x152, 0x153: folded += [0x6F, 0x65]
    case 0xC0...0x17F: folded.append(latin.utf8Start[Int(scalar - 0xC0)])
    case 0x180...0x24F: appendExtendedLatin(scalar, to: &folded)
    case 0x1E9E: folded += [0x73, 0x73]
    case 0x1E00...0x1EFF: folded.append(vietnamese.utf8Start[Int(scalar - 0x1E00)])
    // Combining accents, Arabic vowel signs, and the line that stretches Arabic words.
    case 0x300...0x36F, 0x640, 0x64B...0x65F, 0x670: break
    case 0x386...0x3CE, 0x1F00...0x1FFF: appendGreek(scalar, to: &folded)
    case 0x400...0x52F: appendCyrillic(scalar, to: &folded)
    case 0x531...0x556: encode(scalar + 0x30, into: &folded)
    case 0x622, 0x623, 0x625: encode(0x627, into: &folded)
    case 0x2010...0x2015: folded.append(0x2D)
    case 0xFF21...0xFF3A: folded.append(UInt8(scalar - 0xFF21 + 0x61))
    case 0xFF01...0xFF5E: folded.append(UInt8(scalar - 0xFF01 + 0x21))
    default: appendOther(scalar, to: &folded)
    }
  }

  private static func appendOther(_ scalar: UInt32, to folded: inout [UInt8]) {
    // The small letters of capital ones that are in `extendedLatin`.
    switch scalar {
    case 0x253: folded.append(0x62)
    case 0x256, 0x257: folded.append(0x64)
    case 0x260: folded.append(0x67)
    case 0x268: folded.append(0x69)
    case 0x272: folded.append(0x6E)
    case 0x275: folded.append(0x6F)
    case 0x288, 0x2C66: folded.append(0x74)
    case 0x289: folded.append(0x75)
    case 0x28B: folded.append(0x76)
    case 0x2C65: folded.append(0x61)
    default:
      if let valid = Unicode.Scalar(scalar), let digit = DecimalDigit.ascii(valid) {
        folded.append(digit)
      } else {
        encode(scalar, into: &folded)
      }
    }
  }

  private static func appendExtendedLatin(_ scalar: UInt32, to folded: inout [UInt8]) {
    let letter = extendedLatin.utf8Start[Int(scalar - 0x180)]
    guard letter == 0x20 else { return folded.append(letter) }
    switch scalar {
    case 0x1C4...0x1C6, 0x1F1...0x1F3: folded += [0x64, 0x7A]
    case 0x1C7...0x1C9: folded += [0x6C, 0x6A]
    case 0x1CA...0x1CC: folded += [0x6E, 0x6A]
    case 0x1E2, 0x1E3, 0x1FC, 0x1FD: folded += [0x61, 0x65]
    case 0x186: encode(0x254, into: &folded)
    case 0x18E: encode(0x1DD, into: &folded)
    case 0x18F: encode(0x259, into: &folded)
    case 0x190: encode(0x25B, into: &folded)
    case 0x194: encode(0x263, into: &folded)
    case 0x196: encode(0x269, into: &folded)
    case 0x1A9: encode(0x283, into: &folded)
    case 0x1B1: encode(0x28A, into: &folded)
    case 0x1B7, 0x1EE, 0x1EF: encode(0x292, into: &folded)
    case 0x184, 0x1A2, 0x1A7, 0x1B8, 0x1BC, 0x21C, 0x222: encode(scalar + 1, into: &folded)
    default: encode(scalar, into: &folded)
    }
  }

  private static func appendGreek(_ scalar: UInt32, to folded: inout [UInt8]) {
    switch scalar {
    case 0x386, 0x3AC: encode(0x3B1, into: &folded)
    case 0x388, 0x3AD: encode(0x3B5, into: &folded)
    case 0x389, 0x3AE: encode(0x3B7, into: &folded)
    case 0x38A, 0x390, 0x3AA, 0x3AF, 0x3CA: encode(0x3B9, into: &folded)
    case 0x38C, 0x3CC: encode(0x3BF, into: &folded)
    case 0x38E, 0x3AB, 0x3B0, 0x3CB, 0x3CD: encode(0x3C5, into: &folded)
    case 0x38F, 0x3CE: encode(0x3C9, into: &folded)
    case 0x3C2: encode(0x3C3, into: &folded)
    case 0x391...0x3A9: encode(scalar + 0x20, into: &folded)
    case 0x1F00...0x1FFF:
      switch extendedGreek.utf8Start[Int(scalar - 0x1F00)] {
      case UInt8(ascii: "a"): encode(0x3B1, into: &folded)
      case UInt8(ascii: "e"): encode(0x3B5, into: &folded)
      case UInt8(ascii: "h"): encode(0x3B7, into: &folded)
      case UInt8(ascii: "i"): encode(0x3B9, into: &folded)
      case UInt8(ascii: "o"): encode(0x3BF, into: &folded)
      case UInt8(ascii: "r"): encode(0x3C1, into: &folded)
      case UInt8(ascii: "u"): encode(0x3C5, into: &folded)
      case UInt8(ascii: "w"): encode(0x3C9, into: &folded)
      default: encode(scalar, into: &folded)
      }
    default: encode(scalar, into: &folded)
    }
  }

  private static func appendCyrillic(_ scalar: UInt32, to folded: inout [UInt8]) {
    switch scalar {
    case 0x400, 0x401, 0x450, 0x451, 0x4D6, 0x4D7: encode(0x435, into: &folded)
    case 0x403, 0x453: encode(0x433, into: &folded)
    case 0x407, 0x457: encode(0x456, into: &folded)
    case 0x40C, 0x45C: encode(0x43A, into: &folded)
    case 0x40D, 0x419, 0x439, 0x45D, 0x4E2...0x4E5: encode(0x438, into: &folded)
    case 0x40E, 0x45E, 0x4EE...0x4F3: encode(0x443, into: &folded)
    case 0x476, 0x477: encode(0x475, into: &folded)
    case 0x4C1, 0x4C2, 0x4DC, 0x4DD: encode(0x436, into: &folded)
    case 0x4D0...0x4D3: encode(0x430, into: &folded)
    case 0x4DA, 0x4DB: encode(0x4D9, into: &folded)
    case 0x4DE, 0x4DF: encode(0x437, into: &folded)
    case 0x4E6, 0x4E7: encode(0x43E, into: &folded)
    case 0x4EA, 0x4EB: encode(0x4E9, into: &folded)
    case 0x4EC, 0x4ED: encode(0x44D, into: &folded)
    case 0x4F4, 0x4F5: encode(0x447, into: &folded)
    case 0x4F8, 0x4F9: encode(0x44B, into: &folded)
    // Combining marks.
    case 0x483...0x489: break
    case 0x400...0x40F: encode(scalar + 0x50, into: &folded)
    case 0x410...0x42F: encode(scalar + 0x20, into: &folded)
    case 0x4C0: encode(0x4CF, into: &folded)
    // A capital letter has an odd code point here.
    case 0x4C3...0x4CE: encode(scalar + (scalar & 1), into: &folded)
    case 0x460...0x481, 0x48A...0x4BF, 0x4D4...0x52F: encode(scalar | 1, into: &folded)
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

  /// One lower-case letter for each scalar from U+0180 to U+024F; a space for other letters.
  private static let extendedLatin: StaticString =
    """
    bbbb   ccdddd    ffg   ikkl  nnooo  pp     ttttuu vyyzz                      \
    aaiioouuuuuuuuuu aaaa  ggggkkoooo  j   gg  nnaa  ooaaaaeeeeiiiioooorrrruuuusstt  hhnd  \
    zzaaeeooooooooyylntj  accltsz  bu eejjqqrryy
    """

  /// The Greek letter of each scalar from U+1F00 to U+1FFF, in Latin letters; a space for accents.
  private static let extendedGreek: StaticString =
    """
    aaaaaaaaaaaaaaaaeeeeee  eeeeee  hhhhhhhhhhhhhhhhiiiiiiiiiiiiiiiioooooo  oooooo  uuuuuuuu\
     u u u uwwwwwwwwwwwwwwwwaaeehhiioouuww  aaaaaaaaaaaaaaaahhhhhhhhhhhhhhhhwwwwwwwwwwwwwwww\
    aaaaa aaaaaaa i   hhh hheehhh   iiii  iiiiii    uuuurruuuuuur     www wwoowww \u{20}\u{20}
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

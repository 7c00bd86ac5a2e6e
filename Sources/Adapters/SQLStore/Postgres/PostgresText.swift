/// Texts in PostgreSQL, which cannot contain the character U+0000.
///
/// U+0000 is stored as U+10FFFF and `0`, and U+10FFFF, which is not a character, as
/// U+10FFFF and `1`.
enum PostgresText {
  private static let mark: Unicode.Scalar = "\u{10FFFF}"
  /// The first byte of U+10FFFF, which few other characters have.
  private static let firstByteOfMark: UInt8 = 0xF4

  static func stored(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0 || $0 == firstByteOfMark }) else { return text }
    var stored = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\0": stored.append(contentsOf: [mark, "0"])
      case mark: stored.append(contentsOf: [mark, "1"])
      default: stored.append(scalar)
      }
    }
    return String(stored)
  }

  static func read(_ bytes: UnsafeRawBufferPointer) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard bytes.contains(firstByteOfMark) else { return text }
    var read = String.UnicodeScalarView()
    var isAfterMark = false
    for scalar in text.unicodeScalars {
      if isAfterMark {
        read.append(scalar == "0" ? "\0" : mark)
        isAfterMark = false
      } else if scalar == mark {
        isAfterMark = true
      } else {
        read.append(scalar)
      }
    }
    return String(read)
  }
}

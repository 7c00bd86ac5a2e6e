/// The encoding of a text message, and the number of parts that it costs (3GPP TS 23.038).
public struct TextSegments: Equatable, Sendable {
  public enum Alphabet: Equatable, Sendable {
    /// Seven bits per character.
    ///
    /// Some characters need two units.
    case gsm7
    /// Sixteen bits per unit.
    ///
    /// One character outside GSM-7 makes the whole text UCS-2.
    case ucs2
  }

  public static let gsm7Alone: Int64 = 160
  public static let gsm7Joined: Int64 = 153
  public static let ucs2Alone: Int64 = 70
  public static let ucs2Joined: Int64 = 67

  public let alphabet: Alphabet
  /// Septets for GSM-7, UTF-16 units for UCS-2.
  public let units: Int64
  public let count: Int64

  public init(of text: String) {
    if let septets = GSMAlphabet.septets(of: text) {
      alphabet = .gsm7
      units = Int64(septets.count)
      let ends = Self.ends(septets) { $0 == GSMAlphabet.escape }
      count = Self.parts(units, alone: Self.gsm7Alone, joined: Self.gsm7Joined, ends)
    } else {
      let utf16 = Array(text.utf16)
      alphabet = .ucs2
      units = Int64(utf16.count)
      let ends = Self.ends(utf16) { UTF16.isLeadSurrogate($0) }
      count = Self.parts(units, alone: Self.ucs2Alone, joined: Self.ucs2Joined, ends)
    }
  }

  /// Whether a part may end after each unit.
  ///
  /// A character of two units is never divided.
  private static func ends<Unit>(_ units: [Unit], _ isFirstOfTwo: (Unit) -> Bool) -> [Bool] {
    units.map { !isFirstOfTwo($0) }
  }

  private static func parts(
    _ units: Int64, alone: Int64, joined: Int64, _ mayEnd: [Bool]
  ) -> Int64 {
    if units <= alone { return 1 }
    var count: Int64 = 0
    var start = 0
    while start < mayEnd.count {
      var end = min(start + Int(joined), mayEnd.count)
      if !mayEnd[end - 1] { end -= 1 }
      start = end
      count += 1
    }
    return count
  }
}

/// The default alphabet of text messages and its extension table (3GPP TS 23.038, section 6.2.1).
public enum GSMAlphabet {
  public static let escape: UInt8 = 0x1B

  private static let letters = Array(
    ("@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u{1B}ÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
      + "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà").unicodeScalars
  )
  private static let extended: [(UnicodeScalar, UInt8)] = [
    ("\u{0C}", 0x0A), ("^", 0x14), ("{", 0x28), ("}", 0x29), ("\\", 0x2F), ("[", 0x3C),
    ("~", 0x3D), ("]", 0x3E), ("|", 0x40), ("€", 0x65),
  ]
  /// The septet of each ASCII character in `letters`, and `escape` for all others.
  ///
  /// Most texts are ASCII, so this table is faster than a search.
  private static let plain: [UInt8] = (0..<128).map { value in
    UInt8(letters.firstIndex { $0.value == UInt32(value) } ?? Int(escape))
  }

  /// One septet per byte, or `nil` if a character is in neither table.
  public static func septets(of text: String) -> [UInt8]? {
    var septets: [UInt8] = []
    for scalar in text.unicodeScalars {
      if scalar.isASCII, plain[Int(scalar.value)] != escape {
        septets.append(plain[Int(scalar.value)])
      } else if !scalar.isASCII, let index = letters.firstIndex(of: scalar) {
        septets.append(UInt8(index))
      } else if let pair = extended.first(where: { $0.0 == scalar }) {
        septets += [escape, pair.1]
      } else {
        return nil
      }
    }
    return septets
  }
}

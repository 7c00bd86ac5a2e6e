/// Base64 with the standard alphabet and padding (RFC 4648, section 4).
public enum Base64 {
  public static func encode(_ bytes: [UInt8]) -> String {
    var out = Base64URL.encode(bytes).utf8.map { letter -> UInt8 in
      switch letter {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: letter
      }
    }
    while out.count % 4 != 0 { out.append(UInt8(ascii: "=")) }
    return String(decoding: out, as: UTF8.self)
  }
}

/// Base64 with the URL-safe alphabet and without padding (RFC 4648, section 5; RFC 7515, section
/// 2).
public enum Base64URL {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  /// The value of each byte as a letter, and `noValue` for all bytes that are none.
  private static let values: [UInt8] = (0..<256).map { byte in
    UInt8(letters.firstIndex { Int($0) == byte } ?? Int(noValue))
  }
  /// It has bits that no value has.
  private static let noValue: UInt8 = 0xFF

  public static func encode(_ bytes: [UInt8]) -> String {
    let letters = letters
    var out: [UInt8] = []
    out.reserveCapacity((bytes.count * 4 + 2) / 3)
    // Three bytes are four letters. One or two bytes at the end are two or three letters.
    var at = 0
    while at < bytes.count {
      let left = bytes.count - at
      var group = UInt32(bytes[at]) << 16
      if left > 1 { group |= UInt32(bytes[at + 1]) << 8 }
      if left > 2 { group |= UInt32(bytes[at + 2]) }
      out.append(letters[Int(group >> 18)])
      out.append(letters[Int(group >> 12 & 63)])
      if left > 1 { out.append(letters[Int(group >> 6 & 63)]) }
      if left > 2 { out.append(letters[Int(group & 63)]) }
      at += 3
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// Decodes strictly, so that each value has exactly one text.
  ///
  /// Padding, other alphabets and unused bits that are not zero are refused.
  public static func decode(_ text: some StringProtocol) throws(Malformed) -> [UInt8] {
    try decode(Array(text.utf8)[...])
  }

  /// Decodes the bytes of a text.
  ///
  /// For many texts this is faster than making a `String` of each one.
  public static func decode(_ text: ArraySlice<UInt8>) throws(Malformed) -> [UInt8] {
    guard text.count % 4 != 1 else { throw Malformed(.base64URL) }
    let values = values
    var out: [UInt8] = []
    out.reserveCapacity(text.count / 4 * 3 + 2)
    // All bits of the values together show at the end whether each byte was a letter.
    var seen: UInt8 = 0
    var unused: UInt32 = 0
    var at = text.startIndex
    while at < text.endIndex {
      // Four letters are three bytes. Two or three letters at the end have unused bits.
      let left = text.endIndex - at
      let (first, second) = (values[Int(text[at])], values[Int(text[at + 1])])
      let third = left > 2 ? values[Int(text[at + 2])] : 0
      let fourth = left > 3 ? values[Int(text[at + 3])] : 0
      seen |= first | second | third | fourth
      let high = UInt32(first) << 18 | UInt32(second) << 12
      let group = high | UInt32(third) << 6 | UInt32(fourth)
      out.append(UInt8(truncatingIfNeeded: group >> 16))
      if left > 2 { out.append(UInt8(truncatingIfNeeded: group >> 8)) }
      if left > 3 { out.append(UInt8(truncatingIfNeeded: group)) }
      if left < 4 { unused = left == 2 ? group & 0xFFFF : group & 0xFF }
      at += 4
    }
    guard seen <= 63, unused == 0 else { throw Malformed(.base64URL) }
    return out
  }
}

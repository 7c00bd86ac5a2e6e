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
  public static func encode(_ bytes: [UInt8]) -> String {
    var out: [UInt8] = []
    out.reserveCapacity((bytes.count * 4 + 2) / 3)
    var buffer: UInt32 = 0
    var bits = 0
    for byte in bytes {
      buffer = buffer << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        out.append(letter(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)) & 63))
      }
    }
    if bits > 0 { out.append(letter(UInt8(truncatingIfNeeded: buffer << UInt32(6 - bits)) & 63)) }
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
    var out: [UInt8] = []
    out.reserveCapacity(text.count * 3 / 4)
    var buffer: UInt32 = 0
    var bits = 0
    var count = 0
    for byte in text {
      guard let value = value(byte) else { throw Malformed(.base64URL) }
      buffer = buffer << 6 | UInt32(value)
      bits += 6
      count += 1
      if bits >= 8 {
        bits -= 8
        out.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
        buffer &= (1 << UInt32(bits)) - 1
      }
    }
    guard count % 4 != 1, buffer == 0 else { throw Malformed(.base64URL) }
    return out
  }

  private static func letter(_ value: UInt8) -> UInt8 {
    switch value {
    case 0..<26: value + UInt8(ascii: "A")
    case 26..<52: value - 26 + UInt8(ascii: "a")
    case 52..<62: value - 52 + UInt8(ascii: "0")
    case 62: UInt8(ascii: "-")
    default: UInt8(ascii: "_")
    }
  }

  private static func value(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}

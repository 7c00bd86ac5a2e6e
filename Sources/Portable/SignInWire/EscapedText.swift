import SignInModel

/// Text in which some bytes are written as `%` and two hexadecimal digits (RFC 3986, section 2.1).
public enum EscapedText {
  /// Takes the two digits after a `%`, and returns their byte.
  ///
  /// It returns `nil` and takes nothing if there are no two digits.
  public static func takeByte(from rest: inout ArraySlice<UInt8>) -> UInt8? {
    guard rest.count >= 2, let high = HexadecimalDigit.value(rest[rest.startIndex]),
      let low = HexadecimalDigit.value(rest[rest.startIndex + 1])
    else { return nil }
    rest = rest.dropFirst(2)
    return high << 4 | low
  }

  public static func append(_ byte: UInt8, to out: inout [UInt8]) {
    out.append(UInt8(ascii: "%"))
    out.append(digit(byte >> 4))
    out.append(digit(byte & 15))
  }

  /// Whether the byte means the same with and without an escape (RFC 3986, section 2.3).
  public static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}

/// A phone number in E.164 form: `+`, then 8 to 15 digits.
///
/// The first digit is not zero.
public struct PhoneNumber: Hashable, Sendable {
  public static let digitLimits = 8...15

  public let e164: String

  /// Parses E.164.
  ///
  /// The spaces, hyphens, dots and brackets that people type between digits are ignored.
  public init(parsing raw: String) throws(Malformed) {
    var digits: [UInt8] = []
    var hasPlus = false
    for byte in raw.utf8 {
      switch byte {
      case UInt8(ascii: "+") where digits.isEmpty && !hasPlus: hasPlus = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(byte)
      case 0x20, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "("), UInt8(ascii: ")"):
        continue
      default: throw Malformed(.phoneNumber)
      }
    }
    guard hasPlus, Self.digitLimits.contains(digits.count), digits[0] != UInt8(ascii: "0") else {
      throw Malformed(.phoneNumber)
    }
    e164 = "+" + String(decoding: digits, as: UTF8.self)
  }

  /// The number without all digits but the last four: `***-***-1234` (T-10).
  public var masked: String {
    "***-***-" + String(decoding: e164.utf8.suffix(4), as: UTF8.self)
  }
}

/// An e-mail address in canonical form: without spaces at its ends, ASCII letters in lower case.
///
/// Limits and look-ups use this form, so another spelling does not avoid a failure counter.
public struct EmailAddress: Hashable, Sendable {
  /// RFC 5321, section 4.5.3.1.3.
  public static let lengthLimit = 254
  /// One character before the `@` and one after it.
  public static let leastLength = 3

  public let text: String

  public init(parsing raw: String) throws(Malformed) {
    // A slice, because removing the first byte of an array moves all other bytes.
    var trimmed = Array(raw.utf8)[...]
    while let first = trimmed.first, first == 0x20 { trimmed.removeFirst() }
    while let last = trimmed.last, last == 0x20 { trimmed.removeLast() }
    guard trimmed.count <= Self.lengthLimit else { throw Malformed(.emailAddress) }
    var bytes: [UInt8] = []
    for byte in trimmed { bytes.append(byte >= 0x41 && byte <= 0x5A ? byte + 0x20 : byte) }
    guard Self.isWellFormed(bytes) else { throw Malformed(.emailAddress) }
    text = String(decoding: bytes, as: UTF8.self)
    if TypedText.isDeceptive(text) { throw Malformed(.emailAddress) }
  }

  private static func isWellFormed(_ bytes: [UInt8]) -> Bool {
    var at = -1
    for (index, byte) in bytes.enumerated() {
      if byte <= 0x20 || byte == 0x7F { return false }
      if byte == UInt8(ascii: "@") {
        if at >= 0 { return false }
        at = index
      }
    }
    return at > 0 && at < bytes.count - 1 && bytes[at + 1] != UInt8(ascii: ".")
  }
}

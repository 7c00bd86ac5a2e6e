/// The first digits of the phone numbers of a country or of a part of it: `+47`, `+1-242`.
///
/// Some calling codes are shared: `+1` also reaches expensive numbers and distant islands. So a
/// hyphen and further digits can follow the calling code.
public struct NumberPrefix: Equatable, Sendable {
  public static let codeDigits = 1...3
  public static let furtherDigits = 1...9

  /// A plus sign and the digits.
  private let start: [UInt8]

  /// Returns `nil` if the text is not a calling code, alone or with a hyphen and further digits.
  public init?(_ text: String) {
    let parts = text.utf8.split(
      separator: UInt8(ascii: "-"), maxSplits: 2, omittingEmptySubsequences: false)
    guard let code = parts.first, parts.count <= 2, code.first == UInt8(ascii: "+"),
      Self.codeDigits.contains(code.count - 1)
    else { return nil }
    var digits = Array(code.dropFirst())
    if parts.count == 2 {
      guard Self.furtherDigits.contains(parts[1].count) else { return nil }
      digits += parts[1]
    }
    for digit in digits where digit < UInt8(ascii: "0") || digit > UInt8(ascii: "9") { return nil }
    guard digits[0] != UInt8(ascii: "0") else { return nil }
    start = [UInt8(ascii: "+")] + digits
  }

  public func begins(_ phone: PhoneNumber) -> Bool {
    Array(phone.e164.utf8.prefix(start.count)) == start
  }

  /// Whether every number that begins with `other` also begins with this prefix.
  public func covers(_ other: NumberPrefix) -> Bool {
    Array(other.start.prefix(start.count)) == start
  }
}

extension PhoneNumber {
  /// Whether the number begins with one of the prefixes.
  ///
  /// A text that is not a prefix never matches.
  public func begins(withAny prefixes: [String]) -> Bool {
    for prefix in prefixes {
      if let prefix = NumberPrefix(prefix), prefix.begins(self) { return true }
    }
    return false
  }
}

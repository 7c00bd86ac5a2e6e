/// How the phone numbers of a country begin, or those of a part of it: `+47`, `+1-242`.
///
/// Some calling codes are shared: `+1` also reaches premium ranges and islands far away. Behind the
/// calling code a hyphen may stand and further digits that the numbers begin with.
public struct NumberPrefix: Equatable, Sendable {
  public static let codeDigits = 1...3
  public static let furtherDigits = 1...9

  /// A plus and digits, as numbers begin with them.
  private let start: [UInt8]

  /// Nil for a text that is not a calling code with or without further digits.
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

  /// Whether every number that `other` begins is also one of these.
  public func covers(_ other: NumberPrefix) -> Bool {
    Array(other.start.prefix(start.count)) == start
  }
}

extension PhoneNumber {
  /// Whether the number begins in one of these ways; false for texts that are no prefixes.
  public func begins(withAny prefixes: [String]) -> Bool {
    for prefix in prefixes {
      if let prefix = NumberPrefix(prefix), prefix.begins(self) { return true }
    }
    return false
  }
}

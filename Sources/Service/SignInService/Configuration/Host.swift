/// Recognises the text forms of host names and addresses.
enum Host {
  static func isLoopback(_ host: some StringProtocol) -> Bool {
    host == "localhost" || host == "::1" || (isIPv4(host) && host.hasPrefix("127."))
  }

  /// Four numbers with dots.
  ///
  /// Leading zeros are not allowed, because some systems read such numbers as octal.
  static func isIPv4(_ text: some StringProtocol) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.utf8.count) && part.utf8.allSatisfy(isDigit)
          && UInt8(part) != nil && (part.utf8.count == 1 || part.first != "0")
      }
  }

  /// Eight groups of hexadecimal digits, or fewer around one `::` (RFC 4291, section 2.2).
  static func isIPv6(_ text: some StringProtocol) -> Bool {
    let bytes = Array(text.utf8)
    let colon = UInt8(ascii: ":")
    let gap = bytes.indices.dropLast().first { bytes[$0] == colon && bytes[$0 + 1] == colon }
    guard let gap else { return groupCount(bytes[...]) == 8 }
    guard let before = groupCount(bytes[..<gap]), let after = groupCount(bytes[(gap + 2)...])
    else { return false }
    return before + after <= 7
  }

  /// Labels of letters, digits and hyphens, with dots between them (RFC 1123, section 2.1).
  static func isName(_ text: some StringProtocol) -> Bool {
    guard (1...253).contains(text.utf8.count) else { return false }
    return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
      (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
        && label.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
    }
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// The number of IPv6 groups; `nil` if one of them is not a group.
  private static func groupCount(_ bytes: ArraySlice<UInt8>) -> Int? {
    if bytes.isEmpty { return 0 }
    let groups = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    let areGroups = groups.allSatisfy { group in
      (1...4).contains(group.count)
        && group.allSatisfy {
          isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0 | 0x20)
        }
    }
    return areGroups ? groups.count : nil
  }
}

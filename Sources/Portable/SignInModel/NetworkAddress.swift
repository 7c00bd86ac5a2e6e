/// An IP address, version 4 or 6.
public struct NetworkAddress: Hashable, Sendable {
  /// The address: 4 bytes for IPv4, 16 bytes for IPv6.
  ///
  /// An IPv4 address inside IPv6 (RFC 4291, section 2.5.5.2) is stored as IPv4.
  public let bytes: [UInt8]

  /// Parses four decimal numbers (IPv4) or the text forms of RFC 4291, section 2.2 (IPv6).
  public init(parsing text: String) throws(Malformed) {
    let letters = Array(text.utf8)
    if let bytes = Self.ipv4(letters[...]) {
      self.bytes = bytes
      return
    }
    guard let bytes = Self.ipv6(letters) else { throw Malformed(.networkAddress) }
    let mapping: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255]
    self.bytes = Array(bytes[..<12]) == mapping ? Array(bytes[12...]) : bytes
  }

  /// The bytes that one customer of a network has: all of an IPv4 address, the first 64 bits of an
  /// IPv6 address.
  public var networkBytes: [UInt8] { Array(bytes.prefix(8)) }

  /// The largest range that one customer of a network has: all of an IPv4 address, the first 48
  /// bits of an IPv6 address (RFC 6177).
  public var siteBytes: [UInt8] { Array(bytes.prefix(6)) }

  public var isIPv6: Bool { bytes.count == 16 }

  private static func ipv4(_ letters: ArraySlice<UInt8>) -> [UInt8]? {
    let parts = letters.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bytes: [UInt8] = []
    for part in parts {
      // A leading zero is ambiguous: some systems read such a number as octal.
      guard (1...3).contains(part.count), part.count == 1 || part.first != UInt8(ascii: "0") else {
        return nil
      }
      var number = 0
      for letter in part {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(letter) else { return nil }
        number = number * 10 + Int(letter - UInt8(ascii: "0"))
      }
      guard number <= 255 else { return nil }
      bytes.append(UInt8(number))
    }
    return bytes
  }

  private static func ipv6(_ letters: [UInt8]) -> [UInt8]? {
    let colon = UInt8(ascii: ":")
    var gap: Int?
    for index in letters.indices.dropLast() where letters[index] == colon {
      guard letters[index + 1] == colon else { continue }
      gap = index
      break
    }
    guard let gap else {
      guard let all = groups(letters[...]), all.count == 16 else { return nil }
      return all
    }
    guard let before = groups(letters[..<gap]), let after = groups(letters[(gap + 2)...]),
      before.count + after.count <= 14
    else { return nil }
    return before + [UInt8](repeating: 0, count: 16 - before.count - after.count) + after
  }

  private static func groups(_ letters: ArraySlice<UInt8>) -> [UInt8]? {
    if letters.isEmpty { return [] }
    let parts = letters.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    var bytes: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if index == parts.count - 1, let last = ipv4(part) { return bytes + last }
      guard (1...4).contains(part.count) else { return nil }
      var group: UInt16 = 0
      for letter in part {
        guard let digit = HexadecimalDigit.value(letter) else { return nil }
        group = group << 4 | UInt16(digit)
      }
      bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
    }
    return bytes
  }
}

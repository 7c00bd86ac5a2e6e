import SignInModel
import SignInWire

/// The address of a request in a proof (`htu`).
enum ProofAddress {
  /// Whether both addresses name the same resource.
  ///
  /// They are compared without query and fragment, after syntax-based and scheme-based
  /// normalization (RFC 9449, section 4.3; RFC 3986, sections 6.2.2 and 6.2.3).
  static func isSame(_ one: String, _ other: String) -> Bool {
    if one.hasSameBytes(as: other) { return true }
    guard let first = normalized(one), let second = normalized(other) else { return false }
    return first == second
  }

  /// Nil if the text is not the address of a web page or names a user.
  static func normalized(_ text: String) -> [UInt8]? {
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    let address = bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard let colon = address.firstIndex(of: UInt8(ascii: ":")),
      address[colon...].starts(with: "://".utf8)
    else { return nil }
    let scheme = address[..<colon].map(lowercased)
    let rest = address[(colon + 3)...]
    let authority = rest.prefix { $0 != UInt8(ascii: "/") }
    guard scheme == Array("http".utf8) || scheme == Array("https".utf8),
      let host = host(authority, isSecure: scheme.count == 5),
      let path = path(rest[authority.endIndex...])
    else { return nil }
    return scheme + "://".utf8 + host + path
  }

  /// Host and port in lower case, without the port that the scheme implies.
  private static func host(_ authority: ArraySlice<UInt8>, isSecure: Bool) -> [UInt8]? {
    guard !authority.contains(UInt8(ascii: "@")) else { return nil }
    // The colons of an IPv6 address are in brackets.
    let bracket = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
    let colon = authority[bracket...].firstIndex(of: UInt8(ascii: ":"))
    let name = authority[..<(colon ?? authority.endIndex)].map(lowercased)
    let port = colon.map { authority[($0 + 1)...] } ?? []
    guard !name.isEmpty, port.allSatisfy(Host.isDigit) else { return nil }
    if port.isEmpty || port.elementsEqual((isSecure ? "443" : "80").utf8) { return name }
    return name + [UInt8(ascii: ":")] + port
  }

  /// The path with each unreserved character unescaped, and without `.` and `..`.
  private static func path(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var out: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        out.append(byte)
        continue
      }
      guard let escaped = EscapedText.takeByte(from: &rest) else { return nil }
      if EscapedText.isUnreserved(escaped) {
        out.append(escaped)
      } else {
        EscapedText.append(escaped, to: &out)
      }
    }
    return withoutDots(out)
  }

  /// RFC 3986, section 5.2.4.
  private static func withoutDots(_ path: [UInt8]) -> [UInt8] {
    var kept: [ArraySlice<UInt8>] = []
    let parts = path.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      let isParent = part.elementsEqual("..".utf8)
      if isParent { _ = kept.popLast() }
      if isParent || part.elementsEqual(".".utf8) {
        // A final dot segment leaves the slash before it.
        if index == parts.count - 1 { kept.append([]) }
      } else {
        kept.append(part)
      }
    }
    return [UInt8(ascii: "/")] + kept.joined(separator: [UInt8(ascii: "/")])
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}

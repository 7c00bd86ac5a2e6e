import SignInModel

/// The address of a server.
///
/// It is valid only if the connection is encrypted, or if the server is on this device (P-04).
package struct ServerAddress: Equatable, Sendable {
  /// The text as it was given.
  package let text: String
  /// Whether the host is this device: `localhost`, 127.0.0.0/8 or `::1`.
  package let isLoopback: Bool

  /// - Throws: `.insecure` for `http` to another host than this device.
  package init(_ text: String) throws(ServerAddressFault) {
    let isSecure = Self.begins(text, with: "https://")
    guard isSecure || Self.begins(text, with: "http://") else { throw .malformed }
    let rest = text.utf8.dropFirst(isSecure ? 8 : 7)
    let authority = rest.prefix { !Self.endsAuthority($0) }
    guard let host = Self.host(of: Array(authority)) else { throw .malformed }
    self.text = text
    isLoopback = Self.isLoopback(host)
    guard isSecure || isLoopback else { throw .insecure }
  }

  private static func begins(_ text: String, with scheme: String) -> Bool {
    text.utf8.prefix(scheme.utf8.count).map(lowercased).elementsEqual(scheme.utf8)
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  /// The host without its port, and an IPv6 address without its brackets (RFC 3986, section 3.2).
  ///
  /// Returns `nil` if different parsers could find different hosts. One example is a user name
  /// before the host, because some parsers read it as the host.
  private static func host(of authority: [UInt8]) -> String? {
    var host = authority[...]
    if authority.first == UInt8(ascii: "[") {
      guard let end = authority.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      guard isPort(authority[(end + 1)...]) else { return nil }
      host = authority[1..<end]
      guard host.allSatisfy({ isNamed($0) || $0 == UInt8(ascii: ":") }) else { return nil }
    } else {
      if let colon = authority.firstIndex(of: UInt8(ascii: ":")) {
        guard isPort(authority[colon...]) else { return nil }
        host = authority[..<colon]
      }
      guard host.allSatisfy(isNamed) else { return nil }
    }
    guard !host.isEmpty else { return nil }
    return String(decoding: host.map(lowercased), as: UTF8.self)
  }

  /// Whether the text is empty, or a colon and a number.
  private static func isPort(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first else { return true }
    let digits = bytes.dropFirst()
    return first == UInt8(ascii: ":") && (1...5).contains(digits.count)
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// Whether the byte may be part of a host name or of an IPv4 address.
  private static func isNamed(_ byte: UInt8) -> Bool {
    switch lowercased(byte) {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" { return true }
    do throws(Malformed) {
      let bytes = try NetworkAddress(parsing: host).bytes
      return bytes.count == 4 ? bytes[0] == 127 : bytes == loopbackIPv6
    } catch {
      return false
    }
  }

  private static let loopbackIPv6: [UInt8] = Array(repeating: 0, count: 15) + [1]
}

/// Why the client does not send passwords and tokens to an address.
package enum ServerAddressFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// Others could read and change the data.
  case insecure
  case malformed

  package var description: String {
    switch self {
    case .insecure:
      "the server's address must begin with https://; http:// is for this device alone "
        + "(localhost, 127.0.0.0/8, ::1)"
    case .malformed: "the server's address is not an https:// address of a host"
    }
  }
}

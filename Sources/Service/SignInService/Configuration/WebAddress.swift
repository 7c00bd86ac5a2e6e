/// An absolute `https` or `http` URL and its parts (RFC 3986).
struct WebAddress {
  let isSecure: Bool
  /// An IPv6 address has no brackets here.
  let host: String
  /// Path, query and fragment, unchanged.
  let rest: String

  init?(parsing text: String) {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    let afterScheme: Substring
    if text.hasPrefix("https://") {
      isSecure = true
      afterScheme = text.dropFirst("https://".count)
    } else if text.hasPrefix("http://") {
      isSecure = false
      afterScheme = text.dropFirst("http://".count)
    } else {
      return nil
    }
    let end = afterScheme.firstIndex { "/?#".contains($0) } ?? afterScheme.endIndex
    guard let host = Self.host(of: afterScheme[..<end]) else { return nil }
    self.host = host
    rest = String(afterScheme[end...])
  }

  var isLoopback: Bool { Host.isLoopback(host) }

  /// The host of `host`, `host:port`, `[v6]` or `[v6]:port`.
  ///
  /// A user name before `@` is refused, because a secret usually follows it.
  private static func host(of authority: Substring) -> String? {
    if authority.first == "[" {
      guard let close = authority.firstIndex(of: "]") else { return nil }
      let inner = authority[authority.index(after: authority.startIndex)..<close]
      let port = authority[authority.index(after: close)...]
      guard Host.isIPv6(inner), port.isEmpty || isPort(port) else { return nil }
      return String(inner)
    }
    let colon = authority.firstIndex(of: ":") ?? authority.endIndex
    let port = authority[colon...]
    guard Host.isName(authority[..<colon]), port.isEmpty || isPort(port) else { return nil }
    return String(authority[..<colon])
  }

  /// Whether this is a colon and a port from 1 to 65535.
  private static func isPort(_ text: Substring) -> Bool {
    let digits = text.dropFirst()
    guard text.first == ":", (1...5).contains(digits.utf8.count),
      digits.utf8.allSatisfy(Host.isDigit), let port = UInt16(digits)
    else { return false }
    return port > 0
  }
}

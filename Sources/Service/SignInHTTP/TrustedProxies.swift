public import HTTPServer
public import SignInModel

/// The proxies that the server trusts to name the sender of a request.
///
/// Any client can send `X-Forwarded-For` and `Forwarded`, so only the entries that a trusted proxy
/// appended are true. Each list is read from its end, as long as the writer of the entry is
/// trusted.
public struct TrustedProxies: Equatable, Sendable {
  public static let none = TrustedProxies([])

  private let ranges: [NetworkRange]

  public init(_ ranges: [NetworkRange]) { self.ranges = ranges }

  /// The address of the sender, as text without port and brackets.
  ///
  /// A proxy writes one of the two fields and may pass on the other as the client sent it. If both
  /// exist and disagree, the server cannot know which one is true and uses neither.
  public func caller(of request: HTTPRequest) -> String {
    guard trusts(request.peer) else { return request.peer }
    let lists = [
      request.values(of: "x-forwarded-for").flatMap(Forwarding.addresses(inXForwardedFor:)),
      request.values(of: "forwarded").flatMap(Forwarding.addresses(inForwarded:)),
    ]
    let callers = lists.filter { !$0.isEmpty }.map { caller(behind: request.peer, $0) }
    guard let first = callers.first, callers.allSatisfy({ $0 == first }) else {
      return request.peer
    }
    return first
  }

  /// Whether this peer is one of the proxies.
  public func trusts(_ text: String) -> Bool {
    guard let address = Forwarding.parsed(text) else { return false }
    return ranges.contains { $0.contains(address) }
  }

  private func caller(behind peer: String, _ hops: [String?]) -> String {
    var caller = peer
    for hop in hops.reversed() {
      // A proxy always writes an address. So the writer of this entry is not a proxy, and the last
      // known address is the sender.
      guard let hop else { break }
      caller = hop
      guard trusts(hop) else { break }
    }
    return caller
  }
}

/// Reads the two fields in which proxies name the sender; `nil` for an entry without an address.
enum Forwarding {
  /// Reads `203.0.113.1, 198.51.100.7:4711, [2001:db8::7]:443`, a common form without a standard.
  static func addresses(inXForwardedFor field: String) -> [String?] {
    split(field, at: ",").map { address($0) }
  }

  /// Reads `for=192.0.2.60;proto=https, for="[2001:db8::7]:4711"` (RFC 7239, section 4).
  ///
  /// An element without `for` does not name its client, so it is `nil` too.
  static func addresses(inForwarded field: String) -> [String?] {
    split(field, at: ",").map { element in
      let clients = split(element, at: ";").compactMap(client)
      return clients.count == 1 ? address(clients[0]) : nil
    }
  }

  static func parsed(_ text: some StringProtocol) -> NetworkAddress? {
    do throws(Malformed) { return try NetworkAddress(parsing: String(text)) } catch { return nil }
  }

  /// The value of a `for` parameter, without its quotes.
  private static func client(_ pair: Substring) -> Substring? {
    guard let equals = pair.firstIndex(of: "="), pair[..<equals].lowercased() == "for" else {
      return nil
    }
    let value = pair[pair.index(after: equals)...]
    guard value.first == "\"" else { return value }
    // An address needs no backslash, so only the quotes are removed.
    return value.count > 1 && value.last == "\"" ? value.dropFirst().dropLast() : ""
  }

  /// The address in `v4`, `v4:port`, `v6`, `[v6]` or `[v6]:port`.
  private static func address(_ text: Substring) -> String? {
    if text.first == "[" {
      guard let close = text.firstIndex(of: "]") else { return nil }
      let inner = text[text.index(after: text.startIndex)..<close]
      let rest = text[text.index(after: close)...]
      guard rest.isEmpty || isPort(rest), inner.contains(":"), parsed(inner) != nil else {
        return nil
      }
      return String(inner)
    }
    if parsed(text) != nil { return String(text) }
    guard let colon = text.lastIndex(of: ":"), isPort(text[colon...]),
      let address = parsed(text[..<colon]), !address.isIPv6
    else { return nil }
    return String(text[..<colon])
  }

  /// A colon and digits, or a colon and the obfuscated port of RFC 7239.
  private static func isPort(_ text: Substring) -> Bool {
    let port = text.utf8.dropFirst()
    let isHidden = port.first == UInt8(ascii: "_")
    return text.first == ":" && (1...(isHidden ? 64 : 5)).contains(port.count)
      && port.allSatisfy { byte in
        let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        return isDigit || isHidden && (isLetter || "._-".utf8.contains(byte))
      }
  }

  /// The parts between separators, without the blanks around them.
  ///
  /// Separators inside quotes count too. An address contains no separator, and a client could
  /// otherwise leave a quote open to hide the entry of its proxy.
  private static func split(_ text: some StringProtocol, at separator: Character) -> [Substring] {
    guard let byte = separator.asciiValue else { return [] }
    return Substring(text).utf8.split(separator: byte, omittingEmptySubsequences: false)
      .map { trimmed(Substring($0)) }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var bytes = text.utf8.drop(while: isBlank)
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    return Substring(bytes)
  }
}

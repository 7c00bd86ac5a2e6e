public import HTTPServer
public import SignInModel

/// The proxies whose word is taken for where a request came from.
///
/// Anybody can write `X-Forwarded-For` and `Forwarded`; only what a trusted proxy appended is true.
/// So each list is read from its end, as long as those who wrote it are trusted.
public struct TrustedProxies: Equatable, Sendable {
  public static let none = TrustedProxies([])

  private let addresses: Set<NetworkAddress>

  public init(_ addresses: [NetworkAddress]) { self.addresses = Set(addresses) }

  /// The address of the caller, as text without port and brackets.
  ///
  /// A proxy writes one of the two fields and may pass on the other as its client sent it. When
  /// both are there and disagree, it cannot be known which of them is true: neither is believed.
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
    Forwarding.parsed(text).map { addresses.contains($0) } ?? false
  }

  private func caller(behind peer: String, _ hops: [String?]) -> String {
    var caller = peer
    for hop in hops.reversed() {
      // What is no address was not written by a proxy: its writer is the last one known.
      guard let hop else { break }
      caller = hop
      guard trusts(hop) else { break }
    }
    return caller
  }
}

/// Reads the two fields in which proxies tell for whom they ask; an entry that is no address is
/// nil.
enum Forwarding {
  /// `203.0.113.1, 198.51.100.7:4711, [2001:db8::7]:443`: what everybody writes, in no standard.
  static func addresses(inXForwardedFor field: String) -> [String?] {
    split(field, at: ",").map { address($0) }
  }

  /// `for=192.0.2.60;proto=https, for="[2001:db8::7]:4711"` (RFC 7239, section 4).
  ///
  /// An element without `for` tells nothing of its client, so it is nil as well.
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
    // Nothing in an address needs a backslash, so quotes are all there is to take away.
    return value.count > 1 && value.last == "\"" ? value.dropFirst().dropLast() : ""
  }

  /// The address of `v4`, `v4:port`, `v6`, `[v6]` or `[v6]:port`.
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

  /// A colon and digits, or the name that RFC 7239 lets a proxy put in their place.
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
  /// Separators count inside quotes, too: no address holds one, and a quote that a client left open
  /// must not swallow what its proxy appended.
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

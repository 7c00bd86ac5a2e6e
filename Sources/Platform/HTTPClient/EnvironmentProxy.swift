internal import Glibc

/// The proxies of the environment that are on this machine.
///
/// A call may connect to such a proxy even if it may not connect to other servers of this machine.
enum EnvironmentProxy {
  /// The variables that libcurl reads.
  static let variables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
  /// The ports that libcurl uses if a variable names none.
  private static let standardPort: UInt16 = 1080
  private static let standardSecurePort: UInt16 = 443

  /// Whether a proxy of the environment is at this address and port.
  static func isOnThisMachine(at address: UnsafePointer<sockaddr>) -> Bool {
    let port: UInt16
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      port = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_port }
    case AF_INET6:
      port = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { $0.pointee.sin6_port }
    default: return false
    }
    return PeerAddresses.loopback(contains: address)
      && variables.contains { variable in
        getenv(variable).flatMap { loopbackPort(of: String(cString: $0)) }
          == UInt16(bigEndian: port)
      }
  }

  /// The port of a proxy whose address is literally this machine; nil for other proxies.
  static func loopbackPort(of proxy: String) -> UInt16? {
    let parts = proxy.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    let scheme = parts.count == 2 ? parts[0].lowercased() : "http"
    let authority = (parts.last ?? "").prefix { $0 != "/" }
    let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let end = place.first == "[" ? place.firstIndex(of: "]") : place.firstIndex(of: ":")
    let host = place[..<(end ?? place.endIndex)]
    let port = place[(end ?? place.endIndex)...].drop { $0 == "]" || $0 == ":" }
    guard host == "localhost" || host == "[::1" || isLoopbackIPv4(host) else { return nil }
    return port.isEmpty ? scheme == "https" ? standardSecurePort : standardPort : UInt16(port)
  }

  private static func isLoopbackIPv4(_ host: Substring) -> Bool {
    var address = in_addr()
    return host.hasPrefix("127.") && inet_pton(AF_INET, String(host), &address) == 1
  }
}

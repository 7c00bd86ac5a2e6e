import SignInModel

/// An address of this machine and a port, such as `127.0.0.1:8080` or `[::1]:8080`.
public struct ListenAddress: Equatable, Sendable {
  public static let standard = ListenAddress(address: "127.0.0.1", port: 8080)
  /// The default listener of the metrics.
  public static let standardMetrics = ListenAddress(address: "127.0.0.1", port: 9464)

  /// IPv4 or IPv6 in text form, without brackets.
  public let address: String
  /// With 0 the system chooses the port.
  public let port: UInt16

  private init(address: String, port: UInt16) {
    self.address = address
    self.port = port
  }

  public init?(parsing text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let host = text[..<colon]
    let digits = text[text.index(after: colon)...]
    guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy(Host.isDigit),
      let port = UInt16(digits)
    else { return nil }
    if host.first == "[", host.last == "]" {
      let inner = host.dropFirst().dropLast()
      guard Host.isIPv6(inner) else { return nil }
      address = String(inner)
    } else {
      guard Host.isIPv4(host) else { return nil }
      address = String(host)
    }
    self.port = port
  }

  /// The same address with a port that the system chooses.
  public var withAnyPort: ListenAddress { ListenAddress(address: address, port: 0) }

  /// The host and port as in a URL, with an IPv6 address in brackets.
  public func authority(port: UInt16) -> String {
    address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
  }

  /// Whether `host` or `host:port` names this machine only (RFC 6761, section 6.3).
  public static func isLoopback(authority: String) -> Bool {
    let address = WebAddress(parsing: "http://" + authority)
    guard let address, address.rest.isEmpty else { return false }
    return address.isLoopback || address.host.hasSuffix(".localhost")
  }

  /// Whether only machines of the same private network can reach it.
  public var isPrivate: Bool {
    do throws(Malformed) { return try NetworkAddress(parsing: address).isPrivate } catch {
      return false
    }
  }

  /// Whether other machines cannot reach it.
  public var isLoopback: Bool { Host.isLoopback(address) }
}

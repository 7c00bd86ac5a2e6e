/// An address of this machine and a port, such as `127.0.0.1:8080` or `[::1]:8080`.
public struct ListenAddress: Equatable, Sendable {
  public static let standard = ListenAddress(address: "127.0.0.1", port: 8080)

  /// IPv4 or IPv6 in text form, without brackets.
  public let address: String
  /// Zero lets the system choose.
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

  /// Whether nobody outside this machine can reach it.
  public var isLoopback: Bool { Host.isLoopback(address) }
}

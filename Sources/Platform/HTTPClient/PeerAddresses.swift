internal import CCurl
internal import Glibc

/// The addresses that calls may connect to.
///
/// The address is checked after the name was resolved and before the connection is made. So a name
/// that resolves to another address later has no effect (server-side request forgery).
public enum PeerAddresses: Sendable {
  case all
  /// Addresses that are reachable from the whole internet.
  case `public`
  /// Public addresses, and those of this machine.
  case publicAndLoopback
  /// Public addresses, those of private networks (RFC 1918; RFC 4193), and the proxy of the
  /// environment.
  case `private`
  /// Those of `private`, and those of this machine.
  case privateAndLoopback

  /// Whether a call may connect to this address.
  func permits(_ address: UnsafePointer<sockaddr>) -> Bool {
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
        permits(ipv4: withUnsafeBytes(of: pointer.pointee.sin_addr) { Array($0) })
      }
    case AF_INET6:
      return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
        permits(ipv6: withUnsafeBytes(of: pointer.pointee.sin6_addr) { Array($0) })
      }
    default: return isUnlimited
    }
  }

  var isUnlimited: Bool { if case .all = self { true } else { false } }

  /// Whether an address is one of this machine.
  static func loopback(contains address: UnsafePointer<sockaddr>) -> Bool {
    PeerAddresses.publicAndLoopback.permits(address) && !PeerAddresses.public.permits(address)
  }

  private var includesLoopback: Bool {
    switch self {
    case .all, .publicAndLoopback, .privateAndLoopback: true
    case .public, .private: false
    }
  }

  private var includesPrivateNetworks: Bool {
    switch self {
    case .all, .private, .privateAndLoopback: true
    case .public, .publicAndLoopback: false
    }
  }

  /// Whether calls use the proxy of the environment.
  ///
  /// The proxy resolves the names of servers, so it is not used where only public addresses are
  /// permitted.
  var usesProxy: Bool { includesPrivateNetworks }

  /// The reason why an address is refused, for the log.
  var refusal: String {
    includesPrivateNetworks ? "the address is not permitted" : "the address is not public"
  }

  private static let privateIPv4: [(bytes: [UInt8], length: Int)] = [
    ([10, 0, 0, 0], 8), ([172, 16, 0, 0], 12), ([192, 168, 0, 0], 16),
  ]
  private static let privateIPv6: [(bytes: [UInt8], length: Int)] = [([0xFC], 7)]
  /// The servers of AWS and Google Cloud that give each program of a machine its credentials.
  ///
  /// They have private addresses, unlike the link-local one for IPv4.
  private static let metadataIPv6: [(bytes: [UInt8], length: Int)] = [
    ([0xFD, 0x00, 0x0E, 0xC2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54], 128),
    ([0xFD, 0x20, 0x00, 0xCE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54], 128),
  ]

  /// The ranges that are not globally reachable (IANA special-purpose registry, RFC 6890), and
  /// multicast.
  private static let specialIPv4: [(bytes: [UInt8], length: Int)] = [
    ([0, 0, 0, 0], 8), ([10, 0, 0, 0], 8), ([100, 64, 0, 0], 10), ([127, 0, 0, 0], 8),
    ([169, 254, 0, 0], 16), ([172, 16, 0, 0], 12), ([192, 0, 0, 0], 24), ([192, 0, 2, 0], 24),
    ([192, 88, 99, 0], 24), ([192, 168, 0, 0], 16), ([198, 18, 0, 0], 15),
    ([198, 51, 100, 0], 24), ([203, 0, 113, 0], 24), ([224, 0, 0, 0], 3),
  ]

  /// The special ranges inside 2000::/3, the only range of public addresses.
  private static let specialIPv6: [(bytes: [UInt8], length: Int)] = [
    ([0x20, 0x01, 0x00, 0x00], 23), ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x20, 0x02], 16),
    ([0x3F, 0xFF, 0x00], 20),
  ]

  func permits(ipv4 bytes: [UInt8]) -> Bool {
    if isUnlimited || includesLoopback && bytes[0] == 127 { return true }
    if includesPrivateNetworks, Self.privateIPv4.contain(bytes) { return true }
    return !Self.specialIPv4.contain(bytes)
  }

  func permits(ipv6 bytes: [UInt8]) -> Bool {
    let zeros = [UInt8](repeating: 0, count: 10)
    // ::ffff:0:0/96 contains IPv4 addresses, and 64:ff9b::/96 is translated to them (RFC 6052).
    if Self.starts(bytes, zeros + [0xFF, 0xFF], 96)
      || Self.starts(bytes, [0x00, 0x64, 0xFF, 0x9B] + zeros, 96)
    {
      return permits(ipv4: Array(bytes.suffix(4)))
    }
    if isUnlimited { return true }
    if includesLoopback, bytes.dropLast().allSatisfy({ $0 == 0 }), bytes[15] == 1 { return true }
    if includesPrivateNetworks, Self.privateIPv6.contain(bytes) {
      return !Self.metadataIPv6.contain(bytes)
    }
    return bytes[0] >> 5 == 1 && !Self.specialIPv6.contain(bytes)
  }

  /// Whether the first `length` bits of two addresses are equal.
  fileprivate static func starts(_ bytes: [UInt8], _ prefix: [UInt8], _ length: Int) -> Bool {
    let whole = length / 8
    guard bytes.prefix(whole).elementsEqual(prefix.prefix(whole)) else { return false }
    let rest = length % 8
    return rest == 0 || bytes[whole] >> (8 - rest) == prefix[whole] >> (8 - rest)
  }

  /// Opens the socket of a connection, or refuses it.
  ///
  /// `context` is the `OutboundTransfer` of the call.
  static let open: fp_opener = { context, _, address in
    guard let context, let address else { return fp_no_socket }
    let transfer = Unmanaged<OutboundTransfer>.fromOpaque(context).takeUnretainedValue()
    guard let peer = fp_address(address),
      transfer.addresses.permits(peer)
        || transfer.addresses.usesProxy && EnvironmentProxy.isOnThisMachine(at: peer)
    else {
      transfer.isAddressRefused = true
      return fp_no_socket
    }
    return socket(
      address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
      address.pointee.protocol)
  }
}

extension [(bytes: [UInt8], length: Int)] {
  /// Whether one of these ranges contains the address.
  fileprivate func contain(_ address: [UInt8]) -> Bool {
    contains { PeerAddresses.starts(address, $0.bytes, $0.length) }
  }
}

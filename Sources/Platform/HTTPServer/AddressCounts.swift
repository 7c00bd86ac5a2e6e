internal import Glibc
internal import Synchronization

/// Counts the open connections of each network address, over all loops of one server.
///
/// It has entries only for connected addresses. The limit of connections therefore limits it too.
final class AddressCounts: Sendable {
  private let limit: Int
  private let siteLimit: Int
  private let counts = Mutex<[PeerNetwork: Int]>([:])

  init(limit: Int, siteShare: Int = AddressCounts.siteShare) {
    self.limit = limit
    let (siteLimit, overflow) = limit.multipliedReportingOverflow(by: siteShare)
    self.siteLimit = overflow ? .max : siteLimit
  }

  /// Counts one more connection, or returns false if the address has its maximum.
  func enter(_ network: PeerNetwork) -> Bool {
    counts.withLock { counts in
      let count = counts[network] ?? 0
      guard count < limit else { return false }
      if let site = network.site {
        let siteCount = counts[site] ?? 0
        guard siteCount < siteLimit else { return false }
        counts[site] = siteCount + 1
      }
      counts[network] = count + 1
      return true
    }
  }

  func leave(_ network: PeerNetwork) {
    counts.withLock { counts in
      for place in [network, network.site].compactMap({ $0 }) {
        let count = counts[place] ?? 0
        counts[place] = count > 1 ? count - 1 : nil
      }
    }
  }

  /// Whether no connection is counted, for tests.
  var isEmpty: Bool { counts.withLock { $0.isEmpty } }

  /// A /48 of IPv6 may have as many connections as this number of networks.
  static let siteShare = 4
}

/// The numbers of open connections and large bodies of each address, over all loops.
struct AddressTally: Sendable {
  /// Its open connections.
  let connections: AddressCounts
  /// Those of them that send a body larger than most paths allow.
  let largeBodies: AddressCounts

  init(_ limits: HTTPServerConfiguration.Limits) {
    connections = AddressCounts(limit: limits.connectionsPerAddress)
    // One customer must not have all places of a loop.
    largeBodies = AddressCounts(limit: limits.largeBodiesPerAddress, siteShare: 1)
  }
}

/// The part of a peer's address that identifies one network: the complete IPv4 address, or the
/// first 64 bits of an IPv6 address.
struct PeerNetwork: Hashable, Sendable {
  private enum Kind { case ipv4, ipv6, ipv6Site }

  private let kind: Kind
  private let bits: UInt64

  /// The first 48 bits of an IPv6 address, which belong to one customer (RFC 6177).
  ///
  /// `nil` for IPv4.
  var site: PeerNetwork? { kind == .ipv6 ? PeerNetwork(.ipv6Site, bits >> 16) : nil }

  init(_ storage: sockaddr_storage) {
    self = withUnsafeBytes(of: storage) { bytes in
      if Int32(storage.ss_family) == AF_INET { return PeerNetwork(.ipv4, bytes[4..<8]) }
      let address = bytes[8..<24]
      return SocketAddress.isMapped(address)
        ? PeerNetwork(.ipv4, address.suffix(4)) : PeerNetwork(.ipv6, address.prefix(8))
    }
  }

  private init(_ kind: Kind, _ bytes: Slice<UnsafeRawBufferPointer>) {
    self.init(kind, bytes.reduce(0) { $0 << 8 | UInt64($1) })
  }

  private init(_ kind: Kind, _ bits: UInt64) {
    self.kind = kind
    self.bits = bits
  }
}

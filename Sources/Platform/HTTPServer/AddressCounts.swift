internal import Glibc
internal import Synchronization

/// Counts the open connections of each network address, over all loops of one server.
///
/// It has one entry for each address that is connected, so it needs no limit of its own.
final class AddressCounts: Sendable {
  private let limit: Int
  private let counts = Mutex<[PeerNetwork: Int]>([:])

  init(limit: Int) { self.limit = limit }

  /// Counts one more connection, or answers false when the address has as many as it may.
  func enter(_ network: PeerNetwork) -> Bool {
    counts.withLock { counts in
      let count = counts[network] ?? 0
      guard count < limit else { return false }
      counts[network] = count + 1
      return true
    }
  }

  func leave(_ network: PeerNetwork) {
    counts.withLock { counts in
      guard let count = counts[network], count > 1 else {
        counts[network] = nil
        return
      }
      counts[network] = count - 1
    }
  }

  /// How many connections are counted, for tests.
  var total: Int { counts.withLock { $0.values.reduce(0, +) } }
}

/// The part of a peer's address that identifies one network: the whole IPv4 address, or the first
/// 64 bits of an IPv6 address.
struct PeerNetwork: Hashable, Sendable {
  private let isIPv4: Bool
  private let bits: UInt64

  init(_ storage: sockaddr_storage) {
    self = withUnsafeBytes(of: storage) { bytes in
      if Int32(storage.ss_family) == AF_INET { return PeerNetwork(true, bytes[4..<8]) }
      let address = bytes[8..<24]
      return SocketAddress.isMapped(address)
        ? PeerNetwork(true, address.suffix(4)) : PeerNetwork(false, address.prefix(8))
    }
  }

  private init(_ isIPv4: Bool, _ bytes: Slice<UnsafeRawBufferPointer>) {
    self.isIPv4 = isIPv4
    bits = bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

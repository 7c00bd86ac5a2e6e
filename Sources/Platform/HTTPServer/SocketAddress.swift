internal import CLinux
internal import Glibc

/// An address to listen on, or the address of a peer.
struct SocketAddress {
  private(set) var storage = sockaddr_storage()
  private let length: socklen_t
  private let text: String

  init(parsing text: String, port: UInt16) throws(HTTPServerFault) {
    self.text = text
    var v4 = sockaddr_in()
    var v6 = sockaddr_in6()
    if inet_pton(AF_INET, text, &v4.sin_addr) == 1 {
      v4.sin_family = sa_family_t(AF_INET)
      v4.sin_port = port.bigEndian
      length = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: v4, as: sockaddr_in.self) }
    } else if inet_pton(AF_INET6, text, &v6.sin6_addr) == 1 {
      v6.sin6_family = sa_family_t(AF_INET6)
      v6.sin6_port = port.bigEndian
      length = socklen_t(MemoryLayout<sockaddr_in6>.size)
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: v6, as: sockaddr_in6.self) }
    } else {
      throw .addressMalformed(text)
    }
  }

  /// Opens a listening socket at this address.
  ///
  /// `isShared` lets other loops listen on the same port (SO_REUSEPORT). It is set only if needed,
  /// because a second server on the port would not be noticed.
  func listen(isShared: Bool) throws(HTTPServerFault) -> Int32 {
    let descriptor = fp_listener(Int32(storage.ss_family))
    var one: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, size)
    if isShared { setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &one, size) }
    let status = withUnsafeBytes(of: storage) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { bind(descriptor, $0.baseAddress, length) }
    }
    guard descriptor >= 0, status == 0, Glibc.listen(descriptor, 4096) == 0 else {
      let error = errno
      if descriptor >= 0 { close(descriptor) }
      throw .addressUnavailable(text, port: port, errno: error)
    }
    return descriptor
  }

  private var port: UInt16 { Self.port(of: storage) }

  static func boundPort(of descriptor: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = getsockname(descriptor, $0, &length)
      }
    }
    return port(of: storage)
  }

  /// The port has the same offset in both families.
  private static func port(of storage: sockaddr_storage) -> UInt16 {
    withUnsafeBytes(of: storage) { UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)) }
  }

  /// The address without its port.
  ///
  /// An IPv4 peer of an IPv6 socket is shown as IPv4.
  static func text(of storage: sockaddr_storage) -> String {
    withUnsafeBytes(of: storage) { bytes in
      if Int32(storage.ss_family) == AF_INET { return dotted(bytes[4..<8]) }
      let address = bytes[8..<24]
      if isMapped(address) { return dotted(address.suffix(4)) }
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
        let start = UnsafeRawBufferPointer(rebasing: address).baseAddress
        guard inet_ntop(AF_INET6, start, buffer.baseAddress, 64) != nil,
          let text = buffer.baseAddress
        else { return "" }
        return String(cString: text)
      }
    }
  }

  /// Whether an IPv6 address contains an IPv4 one (RFC 4291, section 2.5.5.2).
  static func isMapped(_ address: Slice<UnsafeRawBufferPointer>) -> Bool {
    let mapping: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255]
    return address.starts(with: mapping)
  }

  private static func dotted(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    bytes.map(String.init).joined(separator: ".")
  }
}

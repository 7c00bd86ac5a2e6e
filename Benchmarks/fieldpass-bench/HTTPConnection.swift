import Glibc

/// One keep-alive connection over a blocking socket.
///
/// The client does as little as possible, so that the figures are those of the server.
final class HTTPConnection {
  struct Reply {
    let status: Int
    /// The `ETag`, or an empty text.
    let tag: String
    let body: [UInt8]
    /// The seconds of `Retry-After`, or `nil`.
    let retryAfter: Int?
    /// The `Location` and the cookie of a redirect, or empty texts.
    let location: String
    let cookie: String
  }

  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 32 << 10)
  /// The number of received bytes in `buffer`.
  private var filled = 0

  init(port: UInt16) throws(BenchFault) { descriptor = try Self.connected(to: port) }

  /// A socket connected to the server.
  static func connected(to port: UInt16) throws(BenchFault) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw .system("cannot create a socket") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, length)
      }
    }
    guard status == 0 else {
      close(descriptor)
      throw .system("cannot connect to port \(port)")
    }
    var patience = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size)
    )
    var on: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size)
    )
    return descriptor
  }

  /// The seconds after which a missing answer is a time-out.
  static let patienceSeconds = 10

  deinit { close(descriptor) }

  /// Sends one request and waits for the complete answer.
  func send(
    _ method: String, _ path: String, fields: [String] = [], body: [UInt8] = []
  ) throws(BenchFault) -> Reply {
    var text = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    for field in fields { text += field + "\r\n" }
    if !body.isEmpty { text += "Content-Length: \(body.count)\r\n" }
    try write(Array((text + "\r\n").utf8) + body)
    return try readReply()
  }

  private func write(_ bytes: [UInt8]) throws(BenchFault) {
    var sent = 0
    while sent < bytes.count {
      let flags = Int32(MSG_NOSIGNAL)
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, flags)
      }
      guard count > 0 else { throw .system("the server accepted no more bytes") }
      sent += count
    }
  }

  private func readReply() throws(BenchFault) -> Reply {
    var end = headEnd(from: 0)
    while end == nil {
      let searched = filled
      try fill()
      end = headEnd(from: max(0, searched - 3))
    }
    let bodyStart = end ?? 0
    let total = bodyStart + (Int(field(Self.lengthName, before: bodyStart)) ?? 0)
    while filled < total { try fill() }
    let status = Int(text(Self.statusPlace)) ?? 0
    let isRedirect = status == 303
    let reply = Reply(
      status: status,
      tag: field(Self.tagName, before: bodyStart),
      body: Array(buffer[bodyStart..<total]),
      retryAfter: Int(field(Self.retryName, before: bodyStart)),
      location: isRedirect ? field(Self.locationName, before: bodyStart) : "",
      cookie: isRedirect ? field(Self.cookieName, before: bodyStart) : ""
    )
    buffer.replaceSubrange(0..<(filled - total), with: buffer[total..<filled])
    filled -= total
    return reply
  }

  private func fill() throws(BenchFault) {
    if filled == buffer.count {
      buffer.append(contentsOf: [UInt8](repeating: 0, count: buffer.count))
    }
    let start = filled
    let count = buffer.withUnsafeMutableBytes {
      recv(descriptor, $0.baseAddress?.advanced(by: start), $0.count - start, 0)
    }
    guard count > 0 else {
      throw BenchFault("no answer arrived within \(Self.patienceSeconds) s under load")
    }
    filled += count
  }

  /// The position of the body.
  ///
  /// It searches only new bytes.
  private func headEnd(from start: Int) -> Int? {
    var at = start
    while at + 3 < filled {
      if buffer[at] == 13, buffer[at + 1] == 10, buffer[at + 2] == 13, buffer[at + 3] == 10 {
        return at + 4
      }
      at += 1
    }
    return nil
  }

  /// The position of the status after `HTTP/1.1 `.
  private static let statusPlace = 9..<12
  private static let lengthName = Array("\ncontent-length:".utf8)
  private static let tagName = Array("\netag:".utf8)
  private static let locationName = Array("\nlocation:".utf8)
  private static let cookieName = Array("\nset-cookie:".utf8)
  private static let retryName = Array("\nretry-after:".utf8)

  /// The value of a field.
  ///
  /// It works on bytes, because this program uses the same processors as the server.
  private func field(_ name: [UInt8], before end: Int) -> String {
    var at = 0
    while at + name.count < end {
      let isHere = buffer[at] == name[0] && name.indices.allSatisfy { name[$0] == lower(at + $0) }
      guard isHere else {
        at += 1
        continue
      }
      var start = at + name.count
      while buffer[start] == UInt8(ascii: " ") { start += 1 }
      let length = buffer[start..<end].firstIndex(of: UInt8(ascii: "\r")) ?? end
      return text(start..<length)
    }
    return ""
  }

  private func lower(_ index: Int) -> UInt8 {
    let byte = buffer[index]
    return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: buffer[range], as: UTF8.self)
  }
}

import Glibc
import Synchronization
import Threads

/// A TCP proxy in front of a server on this machine, which can cut a connection at a chosen place.
final class CuttingProxy: Sendable {
  /// What happens to the connection of a client that sends the text.
  enum Cut: Sendable {
    /// The server does not receive the text.
    case beforeServer
    /// The server answers, and the client does not receive the answer.
    case beforeAnswer
  }

  struct SystemFault: Error {}

  let port: Int64
  private let listener: Int32
  private let serverPort: Int64
  private let plan = Mutex<(text: [UInt8], cut: Cut)?>(nil)
  private let cuts = Mutex(0)

  init(to serverPort: Int64) throws {
    self.serverPort = serverPort
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.listener = listener
    var address = Self.loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) + listen(listener, 16)
          + getsockname(listener, address, &length)
      }
    }
    guard listener >= 0, status == 0 else { throw SystemFault() }
    port = Int64(UInt16(bigEndian: address.sin_port))
    _ = WorkerThread { self.accept() }
  }

  /// The number of connections that were cut.
  var cutCount: Int { cuts.withLock { $0 } }

  /// Cuts the connection of the next client that sends this text, once.
  func cutOnce(_ cut: Cut, at text: String) {
    plan.withLock { $0 = (Array(text.utf8), cut) }
  }

  func close() { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func loopback(_ port: Int64) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(clamping: port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private func accept() {
    while true {
      let client = Glibc.accept(listener, nil, nil)
      guard client >= 0 else { break }
      let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = Self.loopback(serverPort)
      let status = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      if status == 0 { _ = WorkerThread { self.serve(client, server) } }
    }
    Glibc.close(listener)
  }

  private func serve(_ client: Int32, _ server: Int32) {
    var isAnswerDropped = false
    var places = [
      pollfd(fd: client, events: Int16(POLLIN), revents: 0),
      pollfd(fd: server, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&places, 2, -1) > 0 {
      if places[0].revents != 0 {
        guard let bytes = Self.read(client) else { break }
        switch takenCut(at: bytes) {
        case .beforeServer:
          Self.end(client, server)
          return
        case .beforeAnswer: isAnswerDropped = true
        case nil: break
        }
        Self.write(bytes, to: server)
      }
      if places[1].revents != 0 {
        guard let bytes = Self.read(server), !isAnswerDropped else { break }
        Self.write(bytes, to: client)
      }
    }
    Self.end(client, server)
  }

  private func takenCut(at bytes: [UInt8]) -> Cut? {
    let cut = plan.withLock { plan -> Cut? in
      guard let (text, cut) = plan, bytes.contains(text) else { return nil }
      plan = nil
      return cut
    }
    if cut != nil { cuts.withLock { $0 += 1 } }
    return cut
  }

  private static func read(_ file: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = Glibc.read(file, &bytes, bytes.count)
    return count > 0 ? Array(bytes[..<count]) : nil
  }

  private static func write(_ bytes: [UInt8], to file: Int32) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        send(
          file, buffer.baseAddress?.advanced(by: sent), bytes.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  private static func end(_ client: Int32, _ server: Int32) {
    Glibc.close(client)
    Glibc.close(server)
  }
}

extension [UInt8] {
  fileprivate func contains(_ text: [UInt8]) -> Bool {
    indices.contains { self[$0...].starts(with: text) }
  }
}

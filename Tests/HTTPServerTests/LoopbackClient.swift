import CLinux
import Foundation
import Glibc
import Testing

@testable import HTTPServer

/// A blocking client for scripts that run on their own thread.
///
/// `@unchecked Sendable`: a script passes it to another thread but never shares it.
final class LoopbackClient: @unchecked Sendable {
  private let descriptor: Int32
  private var received: [UInt8] = []

  struct Refused: Error {}

  /// Connects from `source`, a loopback address.
  init(port: UInt16, from source: UInt32 = 0x7F00_0001) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
    var own = sockaddr_in()
    own.sin_family = sa_family_t(AF_INET)
    own.sin_addr.s_addr = source.bigEndian
    let isBound = withUnsafePointer(to: &own) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    if !isBound { throw Refused() }
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if status != 0 { throw Refused() }
  }

  deinit { Glibc.close(descriptor) }

  /// For tests that speak another protocol over the socket.
  var socketDescriptor: Int32 { descriptor }

  /// Whether a server still accepts connections on the port.
  static func isServed(port: UInt16) -> Bool {
    do {
      _ = try LoopbackClient(port: port).rest()
      return true
    } catch {
      return false
    }
  }

  /// Whether the server reset the connection and did not close it normally.
  func isReset(withinMilliseconds milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&waiting, 1, milliseconds) > 0
  }

  func hasInput(withinMilliseconds milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, milliseconds) > 0
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Whether all bytes were sent.
  ///
  /// Many clients stop reading if they were not.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes { fp_send(descriptor, $0.baseAddress, $0.count) }
      if count <= 0 { return false }
      start += count
    }
    return true
  }

  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Makes the kernel send a reset, not a normal close.
  func reset() {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor,
      SOL_SOCKET,
      SO_LINGER,
      &now,
      socklen_t(MemoryLayout<linger>.size)
    )
    dup2(open("/dev/null", O_RDONLY), descriptor)
  }

  /// The next answer: head and body, or the bytes received before the end.
  func answer(hasBody: Bool = true) -> String {
    while true {
      let text = String(decoding: received, as: UTF8.self)
      if let end = text.range(of: "\r\n\r\n") {
        let head = text[..<end.upperBound]
        let length = head.components(separatedBy: "Content-Length: ").dropFirst().first
          .flatMap { Int($0.prefix { $0 != "\r\n" }) }
        let count = head.utf8.count + (hasBody ? length ?? 0 : 0)
        if received.count >= count {
          defer { received.removeFirst(count) }
          return String(decoding: received[..<count], as: UTF8.self)
        }
      }
      if !receive() {
        defer { received = [] }
        return text
      }
    }
  }

  /// All bytes until the server closes the connection.
  func rest() -> String {
    while receive() {}
    defer { received = [] }
    return String(decoding: received, as: UTF8.self)
  }

  /// Performs one read and discards the bytes.
  func take() -> Bool {
    defer { received = [] }
    return receive()
  }

  private func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count > 0 { received += buffer[..<count] }
    return count > 0
  }
}

/// Runs a blocking script on its own thread, because the concurrency pool has few threads.
func onThread<Value: Sendable>(
  _ script: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try script() }) }
  }
}

/// Lets a test decide when the handler continues.
actor Gate {
  private var isOpen = false
  private var passing: [CheckedContinuation<Void, Never>] = []
  private var expecting: [CheckedContinuation<Void, Never>] = []
  private var arrivals = 0
  private(set) var finished: [Bool] = []

  func pass() async {
    arrivals += 1
    for continuation in expecting { continuation.resume() }
    expecting = []
    if !isOpen { await withCheckedContinuation { passing.append($0) } }
    finished.append(Task.isCancelled)
  }

  func arrival() async {
    if arrivals == 0 { await withCheckedContinuation { expecting.append($0) } }
  }

  func open() {
    isOpen = true
    for continuation in passing { continuation.resume() }
    passing = []
  }
}

struct LoopbackHandler: HTTPHandler {
  let gate = Gate()

  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    switch request.path {
    case "/hold":
      await gate.pass()
      return HTTPResponse(status: 200, body: Array("held".utf8))
    case "/big": return HTTPResponse(status: 200, body: [UInt8](repeating: 0x61, count: 32 << 20))
    case "/peer": return HTTPResponse(status: 200, body: Array(request.peer.utf8))
    default: return HTTPResponse(status: 200, body: Array(request.path.utf8) + request.body)
    }
  }

  func refusal(status: Int, path: String) -> HTTPResponse {
    HTTPResponse(status: status, body: Array("refused \(status)".utf8))
  }
}

/// A running server on a port that the system chose.
func serve(
  _ handler: LoopbackHandler = LoopbackHandler(),
  tls: HTTPServerConfiguration.TLS? = nil,
  _ change: (inout HTTPServerConfiguration) -> Void = { _ in }
) throws -> HTTPServer {
  var configuration = HTTPServerConfiguration(address: "127.0.0.1", port: 0, tls: tls) { 0 }
  change(&configuration)
  let server = try HTTPServer(configuration, handler: handler)
  server.start()
  return server
}

extension String {
  var statusLine: Substring { prefix { $0 != "\r\n" } }
}

internal import CLinux
internal import COpenSSL
internal import Glibc

/// The reason why there is no connection, for the log.
public struct StreamFault: Error, Equatable, Sendable {
  public let what: String
}

/// A TCP connection to another server, with optional TLS.
///
/// It never blocks.
///
/// Only one thread uses it.
public final class StreamConnection {
  private let descriptor: Int32
  private let session: OpaquePointer?
  private var chunk = [UInt8](repeating: 0, count: 16 << 10)

  /// Connects within `deadlineMilliseconds` and verifies the name with the machine's authorities.
  public init(
    host: String, port: UInt16, tls: Bool, deadlineMilliseconds: Int64
  ) throws(StreamFault) {
    let deadline = Self.now() + deadlineMilliseconds
    descriptor = try Self.connect(host, port, deadline)
    guard tls else {
      session = nil
      return
    }
    do throws(StreamFault) {
      session = try Self.shakeHands(host, descriptor, deadline)
    } catch {
      Glibc.close(descriptor)
      throw error
    }
  }

  deinit {
    if let session { SSL_free(session) }
    Glibc.close(descriptor)
  }

  /// The received bytes, or none.
  public func read() throws(StreamFault) -> [UInt8] {
    let count: Int
    if let session {
      ERR_clear_error()
      count = Int(SSL_read(session, &chunk, Int32(chunk.count)))
      if count <= 0 {
        let error = SSL_get_error(session, Int32(count))
        if error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE { return [] }
        throw StreamFault(what: "the connection ended")
      }
    } else {
      count = recv(descriptor, &chunk, chunk.count, 0)
      if count < 0, errno == EAGAIN || errno == EINTR { return [] }
      if count <= 0 { throw StreamFault(what: "the connection ended") }
    }
    return Array(chunk[..<count])
  }

  /// Writes as many bytes as the socket accepts without waiting.
  ///
  /// The result is the number of written bytes, which can be 0.
  public func write(_ bytes: [UInt8]) throws(StreamFault) -> Int {
    if bytes.isEmpty { return 0 }
    let count: Int
    if let session {
      ERR_clear_error()
      count = Int(SSL_write(session, bytes, Int32(bytes.count)))
      if count <= 0 {
        let error = SSL_get_error(session, Int32(count))
        if error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE { return 0 }
        throw StreamFault(what: "the connection ended")
      }
    } else {
      count = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      if count < 0, errno == EAGAIN || errno == EINTR { return 0 }
      if count < 0 { throw StreamFault(what: "the connection ended") }
    }
    return count
  }

  /// Waits until there is input, `alarm` wakes the thread, or the time has passed.
  public func wait(wantsToWrite: Bool, alarm: WakeSignal, milliseconds: Int32) {
    if let session, SSL_pending(session) > 0 { return }
    let events = Int16(POLLIN) | (wantsToWrite ? Int16(POLLOUT) : 0)
    var watched = [
      pollfd(fd: descriptor, events: events, revents: 0),
      pollfd(fd: alarm.reader, events: Int16(POLLIN), revents: 0),
    ]
    poll(&watched, 2, milliseconds)
    alarm.quiet()
  }

  // MARK: Connecting

  private static func connect(
    _ host: String, _ port: UInt16, _ deadline: Int64
  ) throws(StreamFault) -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0 else {
      throw StreamFault(what: "the name was not found")
    }
    defer { freeaddrinfo(found) }
    var next = found
    while let address = next?.pointee {
      next = address.ai_next
      let type = address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
      let descriptor = socket(address.ai_family, type, address.ai_protocol)
      guard descriptor >= 0 else { continue }
      var one: Int32 = 1
      setsockopt(
        descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
      if Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return descriptor }
      if errno == EINPROGRESS, wait(descriptor, Int16(POLLOUT), deadline) {
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
        if error == 0 { return descriptor }
      }
      Glibc.close(descriptor)
    }
    throw StreamFault(what: "the connection was refused")
  }

  private static func shakeHands(
    _ host: String, _ descriptor: Int32, _ deadline: Int64
  ) throws(StreamFault) -> OpaquePointer {
    ERR_clear_error()
    guard let context = SSL_CTX_new(TLS_client_method()) else {
      throw StreamFault(what: "no memory for TLS")
    }
    // The session keeps its own reference.
    defer { SSL_CTX_free(context) }
    fp_ssl_minimum(context, 1)
    fp_ssl_set_mode(context)
    SSL_CTX_set_default_verify_paths(context)
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    guard let session = SSL_new(context) else { throw StreamFault(what: "no memory for TLS") }
    SSL_set_fd(session, descriptor)
    fp_ssl_set_host(session, host)
    while true {
      let status = SSL_connect(session)
      if status == 1 { return session }
      let error = SSL_get_error(session, status)
      let events = error == SSL_ERROR_WANT_WRITE ? Int16(POLLOUT) : Int16(POLLIN)
      let mayGoOn = error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE
      guard mayGoOn, wait(descriptor, events, deadline) else {
        SSL_free(session)
        throw StreamFault(what: "no trusted TLS connection")
      }
    }
  }

  private static func wait(_ descriptor: Int32, _ events: Int16, _ deadline: Int64) -> Bool {
    var watched = pollfd(fd: descriptor, events: events, revents: 0)
    return poll(&watched, 1, Int32(clamping: max(0, deadline - now()))) == 1
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// Wakes the thread that waits on a connection.
public final class WakeSignal: Sendable {
  let reader: Int32
  private let writer: Int32

  public init() {
    var ends: [Int32] = [0, 0]
    let status = fp_pipe(&ends)
    precondition(status == 0, "the system gives no more files: raise its limit")
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    close(reader)
    close(writer)
  }

  public func wake() {
    var byte: UInt8 = 1
    _ = write(writer, &byte, 1)
  }

  /// Waits for this time or until `wake`, while there is no connection.
  public func wait(milliseconds: Int32) {
    var watched = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
    poll(&watched, 1, milliseconds)
    quiet()
  }

  func quiet() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while Glibc.read(reader, &bytes, bytes.count) > 0 {}
  }
}

internal import CLinux
internal import COpenSSL
internal import Glibc

/// One connection: its bytes under way, and where it stands.
///
///     opening ─▶ head ─▶ body ─▶ answering ─▶ writing ─▶ idle ─▶ head …
///     any of them ──last answer──▶ lingering ─▶ closed
///
/// `@unchecked Sendable`: it belongs to the thread of its loop, which alone calls it.
final class Connection: @unchecked Sendable {
  /// What the connection waits for; every phase but `answering` has an absolute deadline.
  enum Phase {
    /// From the accept to the end of the first head, the TLS handshake included.
    case opening
    case head
    case body
    case answering
    case writing
    case idle
    /// The last answer is sent; what still comes is thrown away, lest the peer's kernel throw
    /// our answer away (RFC 9112 section 9.6).
    case lingering
  }

  enum Transfer: Equatable { case moved(Int), blocked, ended }

  let descriptor: Int32
  /// Tells this connection's events from those of an earlier one with the same descriptor.
  let generation: UInt32
  /// What it counts against; nil when the limit on connections of one address leaves it out.
  let network: PeerNetwork?
  var parser: RequestParser
  var phase = Phase.opening
  var deadline: Int
  /// When the whole answer must be taken, however steadily the peer reads.
  var writeDeadline = Int.max
  var isAnswering = false
  /// The answer under way is the last one.
  var isClosing = false
  /// That answer was a refusal.
  var isRefused = false
  var isClosed = false
  /// Whether it counts among those that send a large body.
  var sendsLargeBody = false
  /// Bytes of later requests, kept while this one is answered.
  var pending: [UInt8] = []
  var pendingStart = 0
  /// An answer the peer has not taken yet, from `outputStart` on.
  var output: [UInt8] = []
  var outputStart = 0
  var lingerBytesLeft = EventLoop.lingerBytes
  /// What epoll has been told to watch.
  var watched: UInt32
  private(set) var isShakingHands: Bool
  private var handshakeWaitsToWrite = false
  private var session: OpaquePointer?

  init(
    descriptor: Int32,
    generation: UInt32,
    peer: String,
    network: PeerNetwork?,
    session: OpaquePointer?,
    deadline: Int,
    watched: UInt32
  ) {
    self.network = network
    self.descriptor = descriptor
    self.generation = generation
    self.session = session
    self.deadline = deadline
    self.watched = watched
    parser = RequestParser(peer: peer)
    isShakingHands = session != nil
  }

  deinit {
    if !isClosed { close() }
  }

  var tag: UInt64 { UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor)) }
  var hasOutput: Bool { outputCount > 0 }
  /// Bytes of an answer that the peer has not taken yet.
  var outputCount: Int { output.count - outputStart }
  var canParse: Bool { !isAnswering && !isClosing && !isClosed && !hasOutput }
  var wantsToWrite: Bool { hasOutput || handshakeWaitsToWrite }
  /// Bytes OpenSSL has read and decrypted already: epoll will not announce them.
  var hasDecryptedInput: Bool { session.map { SSL_pending($0) > 0 } ?? false }

  // MARK: Bytes

  /// Goes on with the handshake; `moved` when it is done.
  func shakeHands() -> Transfer {
    guard let session else { return .ended }
    ERR_clear_error()
    let status = SSL_do_handshake(session)
    let error = status == 1 ? SSL_ERROR_NONE : SSL_get_error(session, status)
    handshakeWaitsToWrite = error == SSL_ERROR_WANT_WRITE
    if status == 1 {
      isShakingHands = false
      return .moved(0)
    }
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? .blocked : .ended
  }

  func receive(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Transfer {
    guard let session else { return receivePlain(into: buffer) }
    ERR_clear_error()
    let count = SSL_read(session, buffer.baseAddress, Int32(clamping: buffer.count))
    if count > 0 { return .moved(Int(count)) }
    let error = SSL_get_error(session, count)
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? .blocked : .ended
  }

  /// Reads past TLS: what comes while lingering is thrown away undeciphered.
  func receivePlain(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Transfer {
    let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
    if count > 0 { return .moved(count) }
    if count < 0, errno == EAGAIN || errno == EINTR { return .blocked }
    return .ended
  }

  /// Sends what it can of `output`; `moved` tells how much, zero included.
  func sendOutput() -> Transfer {
    let start = outputStart
    while hasOutput {
      switch sendOnce() {
      case .moved(let count): outputStart += count
      case .blocked: return .moved(outputStart - start)
      case .ended: return .ended
      }
    }
    return .moved(outputStart - start)
  }

  private func sendOnce() -> Transfer {
    output.withUnsafeBytes { bytes in
      let rest = UnsafeRawBufferPointer(rebasing: bytes[outputStart...])
      guard let session else {
        let count = fp_send(descriptor, rest.baseAddress, rest.count)
        if count >= 0 { return .moved(count) }
        return errno == EAGAIN || errno == EINTR ? .blocked : .ended
      }
      ERR_clear_error()
      let count = SSL_write(session, rest.baseAddress, Int32(clamping: rest.count))
      if count > 0 { return .moved(Int(count)) }
      let error = SSL_get_error(session, count)
      return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? .blocked : .ended
    }
  }

  // MARK: Ends

  /// Says that no more will be written.
  func finishWriting() {
    if let session, !isShakingHands {
      ERR_clear_error()
      SSL_shutdown(session)
    }
    shutdown(descriptor, Int32(SHUT_WR))
  }

  func close() {
    isClosed = true
    Self.discard(descriptor, session)
    session = nil
  }

  static func discard(_ descriptor: Int32, _ session: OpaquePointer?) {
    if let session { SSL_free(session) }
    Glibc.close(descriptor)
  }
}

internal import CLinux
internal import COpenSSL
internal import Glibc

/// One connection with its buffers and its phase.
///
///     opening ─▶ head ─▶ body ─▶ answering ─▶ writing ─▶ idle ─▶ head …
///     any of them ──last answer──▶ lingering ─▶ closed
///
/// `@unchecked Sendable`: it belongs to the thread of its loop, and only that thread calls it.
final class Connection: @unchecked Sendable {
  /// What the connection waits for.
  ///
  /// Every phase but `answering` has an absolute deadline.
  enum Phase {
    /// From the accept to the end of the first head, including the TLS handshake.
    case opening
    case head
    case body
    case answering
    case writing
    case idle
    /// The last answer is sent. Further input is discarded, so that the peer's kernel does not
    /// discard our answer (RFC 9112 section 9.6).
    case lingering
  }

  enum Transfer: Equatable { case moved(Int), blocked, ended }

  let descriptor: Int32
  /// Distinguishes this connection's events from those of an earlier one with the same descriptor.
  let generation: UInt32
  /// The network in whose limit it counts, or `nil` if the limit does not apply.
  let network: PeerNetwork?
  var parser: RequestParser
  var phase = Phase.opening
  var deadline: Int
  /// The time when the peer must have read the whole answer, however steadily it reads.
  var writeDeadline = Int.max
  var isAnswering = false
  /// The answer in progress is the last one.
  var isClosing = false
  /// The last answer was a refusal.
  var isRefused = false
  var isClosed = false
  /// Whether it counts as a connection with a large body.
  var sendsLargeBody = false
  /// Bytes of later requests that wait for the current answer.
  var pending: [UInt8] = []
  var pendingStart = 0
  /// The answer bytes that the peer has not read yet, from `outputStart` on.
  var output: [UInt8] = []
  var outputStart = 0
  var lingerBytesLeft = EventLoop.lingerBytes
  /// The events that epoll watches.
  var watched: UInt32
  private(set) var isShakingHands: Bool
  private var handshakeWaitsToWrite = false
  private var session: OpaquePointer?

  init(
    descriptor: Int32,
    generation: UInt32,
    parser: RequestParser,
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
    self.parser = parser
    isShakingHands = session != nil
  }

  deinit {
    if !isClosed { close() }
  }

  var tag: UInt64 { UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor)) }
  var hasOutput: Bool { outputCount > 0 }
  /// The number of answer bytes that the peer has not read yet.
  var outputCount: Int { output.count - outputStart }
  var canParse: Bool { !isAnswering && !isClosing && !isClosed && !hasOutput }
  var wantsToWrite: Bool { hasOutput || handshakeWaitsToWrite }
  /// Whether OpenSSL has decrypted bytes that are not read yet, which epoll does not announce.
  var hasDecryptedInput: Bool { session.map { SSL_pending($0) > 0 } ?? false }

  // MARK: Bytes

  /// Continues the handshake.
  ///
  /// `moved` means that it is complete.
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

  /// Reads without TLS.
  ///
  /// Input during `lingering` is discarded without decryption.
  func receivePlain(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Transfer {
    let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
    if count > 0 { return .moved(count) }
    if count < 0, errno == EAGAIN || errno == EINTR { return .blocked }
    return .ended
  }

  /// Sends as much of `output` as possible.
  ///
  /// `moved` has the number of bytes, including zero.
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

  /// Tells the peer that no more bytes follow.
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

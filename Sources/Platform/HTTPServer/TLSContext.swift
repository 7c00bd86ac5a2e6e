internal import COpenSSL
internal import Synchronization

/// The context in use, shared by the loops; another one takes its place while they run.
///
/// Connections keep the context that they began with.
final class TLSContexts: Sendable {
  private let context: Mutex<TLSContext>

  init(_ context: TLSContext) { self.context = Mutex(context) }

  var current: TLSContext { context.withLock { $0 } }

  func replace(with other: TLSContext) { context.withLock { $0 = other } }
}

/// What the server presents, shared by its loops.
///
/// `@unchecked Sendable`: OpenSSL counts references to a context and locks within it, and nothing
/// here is changed after `init`.
final class TLSContext: @unchecked Sendable {
  private let context: OpaquePointer

  init(_ settings: HTTPServerConfiguration.TLS) throws(HTTPServerFault) {
    ERR_clear_error()
    guard let context = SSL_CTX_new(TLS_server_method()) else {
      throw .certificateUnreadable(settings.certificateFile)
    }
    self.context = context
    fp_ssl_server_defaults(context, settings.allowsTLS12 ? 1 : 0)
    // Nobody sits at the terminal: a key under a passphrase is unreadable.
    SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in -1 }
    // The key first: OpenSSL would call a key that does not match an unreadable one.
    guard SSL_CTX_use_PrivateKey_file(context, settings.keyFile, SSL_FILETYPE_PEM) == 1 else {
      throw .keyUnreadable(settings.keyFile)
    }
    guard SSL_CTX_use_certificate_chain_file(context, settings.certificateFile) == 1 else {
      throw .certificateUnreadable(settings.certificateFile)
    }
    guard SSL_CTX_check_private_key(context) == 1 else { throw .keyDoesNotMatchCertificate }
    SSL_CTX_set_alpn_select_cb(context, selectProtocol, nil)
  }

  deinit { SSL_CTX_free(context) }

  /// Until when the certificate is valid, that moment included, in Unix seconds.
  var validThrough: Int64 {
    HTTPServerConfiguration.TLS.lastSecond(of: SSL_CTX_get0_certificate(context))
  }

  /// The server's side of one connection, not yet shaken hands, or nil without memory.
  func session(on descriptor: Int32) -> OpaquePointer? {
    guard let session = SSL_new(context) else { return nil }
    guard SSL_set_fd(session, descriptor) == 1 else {
      SSL_free(session)
      return nil
    }
    SSL_set_accept_state(session)
    return session
  }
}

/// Picks `http/1.1`.
///
/// A client that offers protocols but not this one is refused (RFC 7301), so
/// that no other protocol is ever spoken under our certificate.
private func selectProtocol(
  _ session: OpaquePointer?,
  _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  _ chosenLength: UnsafeMutablePointer<UInt8>?,
  _ offered: UnsafePointer<UInt8>?,
  _ offeredLength: UInt32,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let chosen, let chosenLength else { return SSL_TLSEXT_ERR_ALERT_FATAL }
  let list = UnsafeBufferPointer(start: offered, count: Int(offeredLength))
  var start = 0
  while start < list.count {
    let end = start + 1 + Int(list[start])
    guard end <= list.count else { break }
    let name = UnsafeBufferPointer(rebasing: list[(start + 1)..<end])
    if name.elementsEqual("http/1.1".utf8) {
      chosen.pointee = name.baseAddress
      chosenLength.pointee = UInt8(name.count)
      return SSL_TLSEXT_ERR_OK
    }
    start = end
  }
  return SSL_TLSEXT_ERR_ALERT_FATAL
}

internal import COpenSSL
internal import Synchronization

/// The current context, shared by the loops.
///
/// It can be replaced while they run.
///
/// A connection keeps its first context.
final class TLSContexts: Sendable {
  private let context: Mutex<TLSContext>

  init(_ context: TLSContext) { self.context = Mutex(context) }

  var current: TLSContext { context.withLock { $0 } }

  func replace(with other: TLSContext) { context.withLock { $0 = other } }
}

/// The TLS settings and the certificate of the server, shared by its loops.
///
/// `@unchecked Sendable`: OpenSSL counts references to a context and has its own lock in it.
/// Nothing here changes after `init`.
final class TLSContext: @unchecked Sendable {
  private let context: OpaquePointer

  init(_ settings: HTTPServerConfiguration.TLS) throws(HTTPServerFault) {
    ERR_clear_error()
    guard let context = SSL_CTX_new(TLS_server_method()) else {
      throw .certificateUnreadable(settings.certificateFile)
    }
    self.context = context
    fp_ssl_server_defaults(context, settings.allowsTLS12 ? 1 : 0)
    // There is no terminal for a passphrase, so that a key with one is unreadable.
    SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in -1 }
    // The key is read first. Otherwise OpenSSL would report a key that does not match as
    // unreadable.
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

  /// The end of the certificate's validity in Unix seconds, included.
  var validThrough: Int64 {
    HTTPServerConfiguration.TLS.lastSecond(of: SSL_CTX_get0_certificate(context))
  }

  /// The server's side of one connection before its handshake; `nil` if memory is exhausted.
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

/// Selects `http/1.1`.
///
/// A client that offers protocols without it is refused (RFC 7301), so that no other protocol is
/// used with our certificate.
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

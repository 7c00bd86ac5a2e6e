import COpenSSL
import Foundation
import Glibc

@testable import HTTPServer

/// A self-signed certificate for `localhost` and its key, in their own folder.
final class TLSFixture: Sendable {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    Self.write(certificate: path("certificate.pem"), key: path("key.pem"))
    Self.write(certificate: path("other-certificate.pem"), key: path("other-key.pem"))
    Self.write(
      certificate: path("named.pem"), key: path("named-key.pem"),
      names: "DNS:login.example.com,DNS:*.apps.example.com,IP:127.0.0.1"
    )
    Self.write(certificate: path("longer.pem"), key: path("longer-key.pem"), seconds: 7200)
    try Data("rubbish".utf8).write(to: folder.appending(path: "rubbish.pem"))
  }

  deinit {
    do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(folder)") }
  }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  func settings(
    certificate: String = "certificate.pem",
    key: String = "key.pem",
    allowsTLS12: Bool = false
  ) -> HTTPServerConfiguration.TLS {
    .init(certificateFile: path(certificate), keyFile: path(key), allowsTLS12: allowsTLS12)
  }

  private static func write(
    certificate: String, key: String, names: String? = nil, seconds: Int = 3600
  ) {
    let pair = fp_p256()
    let x509 = X509_new()
    X509_set_version(x509, 2)
    ASN1_INTEGER_set(X509_get_serialNumber(x509), 1)
    X509_gmtime_adj(X509_getm_notBefore(x509), -60)
    X509_gmtime_adj(X509_getm_notAfter(x509), seconds)
    X509_set_pubkey(x509, pair)
    X509_NAME_add_entry_by_txt(
      X509_get_subject_name(x509),
      "CN",
      MBSTRING_UTF8,
      Array("localhost".utf8),
      -1,
      -1,
      0
    )
    X509_set_issuer_name(x509, X509_get_subject_name(x509))
    if let names, let alternatives = X509V3_EXT_conf_nid(nil, nil, NID_subject_alt_name, names) {
      X509_add_ext(x509, alternatives, -1)
      X509_EXTENSION_free(alternatives)
    }
    X509_sign(x509, pair, EVP_sha256())
    if let file = fopen(certificate, "w") {
      PEM_write_X509(file, x509)
      fclose(file)
    }
    if let file = fopen(key, "w") {
      PEM_write_PrivateKey(file, pair, nil, nil, 0, nil, nil)
      fclose(file)
    }
    X509_free(x509)
    EVP_PKEY_free(pair)
  }
}

/// The results of a TLS client.
struct TLSConversation: Sendable {
  var version: String?
  var selectedProtocol = ""
  var answers: [String] = []
  /// The server's certificate in DER.
  var certificate: [UInt8] = []
}

extension LoopbackClient {
  /// Performs the handshake, then sends each request and reads its answer.
  static func converse(
    port: UInt16,
    requests: [String] = [],
    highest: Int32 = TLS1_3_VERSION,
    offers protocols: [String] = ["http/1.1"],
    afterFirst act: () throws -> Void = {}
  ) throws -> TLSConversation {
    let client = try LoopbackClient(port: port)
    let context = SSL_CTX_new(TLS_client_method())
    defer { SSL_CTX_free(context) }
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(highest), nil)
    let list = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    SSL_CTX_set_alpn_protos(context, list, UInt32(list.count))
    let session = SSL_new(context)
    defer { SSL_free(session) }
    SSL_set_fd(session, client.socketDescriptor)
    var conversation = TLSConversation()
    guard SSL_connect(session) == 1 else { return conversation }
    conversation.certificate = presented(session)
    for (index, request) in requests.enumerated() {
      if index == 1 { try act() }
      let bytes = Array(request.utf8)
      guard SSL_write(session, bytes, Int32(bytes.count)) > 0 else { break }
      conversation.answers.append(read(session))
    }
    conversation.version = String(cString: SSL_get_version(session))
    var start: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    SSL_get0_alpn_selected(session, &start, &count)
    conversation.selectedProtocol = String(
      decoding: UnsafeBufferPointer(start: start, count: Int(count)),
      as: UTF8.self
    )
    return conversation
  }

  private static func presented(_ session: OpaquePointer?) -> [UInt8] {
    let certificate = SSL_get1_peer_certificate(session)
    defer { X509_free(certificate) }
    var bytes = [UInt8](repeating: 0, count: Int(i2d_X509(certificate, nil)))
    bytes.withUnsafeMutableBufferPointer { buffer in
      var start = buffer.baseAddress
      _ = i2d_X509(certificate, &start)
    }
    return bytes
  }

  /// Reads one answer, whose body ends with a full stop.
  private static func read(_ session: OpaquePointer?) -> String {
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while !text.hasSuffix(".") {
      let count = SSL_read(session, &buffer, Int32(buffer.count))
      if count <= 0 { break }
      text += String(decoding: buffer[..<Int(count)], as: UTF8.self)
    }
    return text
  }
}

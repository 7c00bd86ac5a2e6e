internal import COpenSSL

/// A hash function of OpenSSL, fetched by name once.
///
/// A fetch costs more than hashing a short text. `@unchecked Sendable`: all threads may use one
/// fetched function at the same time, because OpenSSL does not change it, counts the references to
/// it atomically, and has the state of each call elsewhere.
struct HashFunction: @unchecked Sendable {
  static let sha1 = HashFunction("SHA1", byteCount: 20)
  static let sha256 = HashFunction("SHA256", byteCount: 32)
  static let sha384 = HashFunction("SHA384", byteCount: 48)

  private let function: OpaquePointer
  private let byteCount: Int

  private init(_ name: String, byteCount: Int) {
    guard let function = EVP_MD_fetch(nil, name, nil) else {
      preconditionFailure("OpenSSL has no \(name)")
    }
    self.function = function
    self.byteCount = byteCount
  }

  func digest(of bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { digest(of: $0) } }

  /// Hashes the UTF-8 text without a copy of it.
  func digest(of text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { digest(of: UnsafeRawBufferPointer($0)) }
  }

  private func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: byteCount)
    let status = EVP_Digest(bytes.baseAddress, bytes.count, &digest, nil, function, nil)
    precondition(status == 1, "OpenSSL could not hash")
    return digest
  }
}

/// HMAC with a hash function of OpenSSL, both fetched by name once (RFC 2104).
///
/// A context keeps its hash function and gets the key of each call. The key of its last call stays
/// in an idle context until the next one, as it stays in the memory of its owner. `@unchecked
/// Sendable`: all threads may use the fetched `mac`, which OpenSSL does not change, and `contexts`
/// gives each call its own context.
struct HMACFunction: @unchecked Sendable {
  static let sha1 = HMACFunction("SHA1", byteCount: 20)
  static let sha256 = HMACFunction("SHA256", byteCount: 32)

  private let mac: OpaquePointer
  private let hashName: String
  private let byteCount: Int
  private let contexts = PreparedContexts { EVP_MAC_CTX_free($0) }

  private init(_ hashName: String, byteCount: Int) {
    guard let mac = EVP_MAC_fetch(nil, "HMAC", nil) else {
      preconditionFailure("OpenSSL has no HMAC")
    }
    self.mac = mac
    self.hashName = hashName
    self.byteCount = byteCount
  }

  /// The key is set even if it is empty: Swift passes an empty array as a pointer that is not null.
  func code(for bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: byteCount)
    let isMade = contexts.withContext(make: makeContext) { context in
      EVP_MAC_init(context, key, key.count, nil) == 1
        && EVP_MAC_update(context, bytes, bytes.count) == 1
        && EVP_MAC_final(context, &code, nil, byteCount) == 1
    }
    precondition(isMade, "OpenSSL could not compute an HMAC")
    return code
  }

  private func makeContext() -> OpaquePointer {
    guard let context = fp_hmac_context(mac, hashName) else {
      preconditionFailure("out of memory for an HMAC")
    }
    return context
  }
}

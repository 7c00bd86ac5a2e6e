internal import COpenSSL

/// The reason why a key could not be read.
public enum KeyFault: Error, Equatable, Sendable {
  case unreadable
  case notP256
  case notP384
}

/// A private key that signs with ES256 (RFC 7518, section 3.4).
///
/// Creating a context costs as much as several signatures, so that contexts are reused. `@unchecked
/// Sendable`: all threads only read `key` after `init`, and `contexts` gives each signature its own
/// context.
public final class SigningKey: @unchecked Sendable {
  public let publicKey: PublicKey

  private let key: OpaquePointer
  private let contexts = PreparedContexts { EVP_PKEY_CTX_free($0) }

  public static func generate() -> SigningKey {
    do throws(KeyFault) {
      return try SigningKey(owning: fp_p256())
    } catch {
      preconditionFailure("OpenSSL could not make a key: \(error)")
    }
  }

  /// Reads a private key in PKCS#8 or SEC 1 without a passphrase.
  ///
  /// - Throws: `.unreadable` if the text is not such a key or its halves do not match, `.notP256`
  ///   if it is another kind of key.
  public convenience init(pem: String) throws(KeyFault) {
    let bytes = Array(pem.utf8)
    guard let input = BIO_new_mem_buf(bytes, Int32(clamping: bytes.count)) else {
      preconditionFailure("out of memory for a key")
    }
    defer { BIO_free(input) }
    // Without a passphrase to try, OpenSSL would ask for one at the terminal.
    var passphrase: [CChar] = [0]
    try self.init(owning: PEM_read_bio_PrivateKey(input, nil, nil, &passphrase))
  }

  private init(owning key: OpaquePointer?) throws(KeyFault) {
    guard let key else {
      ERR_clear_error()
      throw .unreadable
    }
    do throws(KeyFault) {
      publicKey = try Self.publicHalf(of: key)
    } catch {
      ERR_clear_error()
      EVP_PKEY_free(key)
      throw error
    }
    self.key = key
  }

  deinit { EVP_PKEY_free(key) }

  /// The key as PKCS#8 without a passphrase.
  ///
  /// The caller must store it safely.
  public var pem: String {
    guard let output = BIO_new(BIO_s_mem()) else { preconditionFailure("out of memory for a key") }
    defer { BIO_free(output) }
    let status = PEM_write_bio_PKCS8PrivateKey(output, key, nil, nil, 0, nil, nil)
    precondition(status == 1, "OpenSSL cannot write a key it made")
    var text = [UInt8](repeating: 0, count: 1024)
    let count = BIO_read(output, &text, Int32(text.count))
    return String(decoding: text.prefix(Int(count)), as: UTF8.self)
  }

  /// Signs the SHA-256 digest of `bytes`.
  ///
  /// The result is 32 bytes of r and 32 bytes of s.
  public func sign(_ bytes: [UInt8]) -> [UInt8] {
    let digest = SHA256Digest.of(bytes)
    // The maximum length of two numbers of 32 bytes in DER.
    var encoded = [UInt8](repeating: 0, count: 72)
    var count = encoded.count
    let status = contexts.withContext(make: makeContext) { context in
      EVP_PKEY_sign(context, &encoded, &count, digest, digest.count)
    }
    precondition(status == 1, "OpenSSL could not sign")
    return ECDSASignature.raw(encoded, count: count)
  }

  private func makeContext() -> OpaquePointer {
    guard let context = EVP_PKEY_CTX_new(key, nil), EVP_PKEY_sign_init(context) == 1 else {
      preconditionFailure("out of memory for a signature")
    }
    return context
  }
}

extension SigningKey {
  private static func publicHalf(of key: OpaquePointer) throws(KeyFault) -> PublicKey {
    var name = [CChar](repeating: 0, count: 64)
    guard EVP_PKEY_is_a(key, "EC") == 1,
      EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1,
      OBJ_txt2nid(name) == NID_X9_62_prime256v1
    else { throw .notP256 }
    guard areHalvesOfOne(key) else { throw .unreadable }
    return try PublicKey(
      x: coordinate(OSSL_PKEY_PARAM_EC_PUB_X, of: key),
      y: coordinate(OSSL_PKEY_PARAM_EC_PUB_Y, of: key)
    )
  }

  /// With the public half of another key, no verifier would accept the signatures.
  private static func areHalvesOfOne(_ key: OpaquePointer) -> Bool {
    guard let context = EVP_PKEY_CTX_new(key, nil) else {
      preconditionFailure("out of memory for a key")
    }
    defer { EVP_PKEY_CTX_free(context) }
    return EVP_PKEY_check(context) == 1
  }

  private static func coordinate(
    _ name: String, of key: OpaquePointer
  ) throws(KeyFault) -> [UInt8] {
    var number: OpaquePointer?
    guard EVP_PKEY_get_bn_param(key, name, &number) == 1 else { throw .unreadable }
    defer { BN_free(number) }
    var bytes = [UInt8](repeating: 0, count: PublicKey.coordinateByteCount)
    guard BN_bn2binpad(number, &bytes, Int32(bytes.count)) == 32 else { throw .unreadable }
    return bytes
  }
}

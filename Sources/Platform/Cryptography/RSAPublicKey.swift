internal import COpenSSL

/// The reason why an RSA key is refused.
public enum RSAKeyFault: Error, Equatable, Sendable {
  case unreadable
  /// The number of bits of the modulus is not in `RSAPublicKey.modulusBits`.
  case modulusLength(bits: Int)
  /// The exponent is even, or not in `RSAPublicKey.exponents`.
  case exponent
}

/// The public half of an RSA key, for signatures over SHA-256 (RFC 7518, sections 3.3 and 3.5).
///
/// `@unchecked Sendable`: OpenSSL counts references to a key behind its own lock, and each
/// verification has its own context.
public final class RSAPublicKey: @unchecked Sendable {
  /// Shorter keys are too weak (NIST SP 800-131A).
  ///
  /// Longer ones take too long to verify.
  public static let modulusBits = 2048...4096
  /// FIPS 186-5, section 5.4: greater than 2 to the power of 16.
  ///
  /// Larger ones take too long to verify.
  public static let exponents: ClosedRange<UInt64> = 65_537...0xFFFF_FFFF

  public enum Scheme: Equatable, Sendable {
    /// RSASSA-PKCS1-v1_5 (RS256).
    case pkcs1
    /// RSASSA-PSS with a salt of 32 bytes (PS256).
    case pss
  }

  private let key: OpaquePointer
  private let byteCount: Int

  /// - Parameters: The numbers of the key, most significant byte first. Leading zeros do not count.
  /// - Throws: The reason why the key is refused.
  public init(modulus: [UInt8], exponent: [UInt8]) throws(RSAKeyFault) {
    let modulus = Array(modulus.drop { $0 == 0 })
    let exponent = Array(exponent.drop { $0 == 0 })
    let bits = modulus.first.map { modulus.count * 8 - $0.leadingZeroBitCount } ?? 0
    guard Self.modulusBits.contains(bits) else { throw .modulusLength(bits: bits) }
    guard exponent.count <= 8, let last = exponent.last, last % 2 == 1,
      Self.exponents.contains(exponent.reduce(0) { $0 << 8 | UInt64($1) })
    else { throw .exponent }
    guard
      let key = fp_rsa_public(
        modulus, Int32(clamping: modulus.count), exponent, Int32(clamping: exponent.count))
    else {
      ERR_clear_error()
      throw .unreadable
    }
    self.key = key
    byteCount = modulus.count
  }

  deinit { EVP_PKEY_free(key) }

  /// Whether the private half made `signature` over `bytes` in this scheme.
  public func verifies(_ signature: [UInt8], of bytes: [UInt8], by scheme: Scheme) -> Bool {
    // RFC 8017, section 8.2.2: a signature is as long as the modulus.
    guard signature.count == byteCount else { return false }
    guard let context = EVP_PKEY_CTX_new(key, nil) else {
      preconditionFailure("out of memory for a verification")
    }
    defer { EVP_PKEY_CTX_free(context) }
    let digest = SHA256Digest.of(bytes)
    let isRight =
      fp_rsa_verify_init(context, scheme == .pss ? 1 : 0) == 1
      && EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
    // An error left in OpenSSL's queue would look like a failure of this thread's next TLS call.
    if !isRight { ERR_clear_error() }
    return isRight
  }
}

internal import COpenSSL
internal import CSodium

/// The public half of an ES256 key: a point on the curve P-256 (RFC 7518, sections 3.4 and 6.2.1).
public struct PublicKey: Equatable, Sendable {
  public static let coordinateByteCount = 32
  public static let signatureByteCount = 64

  public let x: [UInt8]
  public let y: [UInt8]
  private let key: VerificationKey

  /// - Throws: `.unreadable` if a coordinate does not have 32 bytes, `.notP256` if the point is not
  ///   on the curve.
  public init(x: [UInt8], y: [UInt8]) throws(KeyFault) {
    guard x.count == Self.coordinateByteCount, y.count == Self.coordinateByteCount else {
      throw .unreadable
    }
    guard let key = VerificationKey(x: x, y: y, on: .p256) else { throw .notP256 }
    self.x = x
    self.y = y
    self.key = key
  }

  public static func == (left: PublicKey, right: PublicKey) -> Bool {
    left.x == right.x && left.y == right.y
  }

  /// Whether the private half made `signature`, 64 bytes of r and s, over `bytes`.
  public func verifies(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
    guard signature.count == Self.signatureByteCount else { return false }
    return key.verifies(ECDSASignature.encoded(signature), digest: SHA256Digest.of(bytes))
  }

  /// The SHA-256 digest of the canonical JWK (RFC 7638, section 3).
  ///
  /// In base64url it is the key's thumbprint.
  public var thumbprintDigest: [UInt8] {
    let (x, y) = (base64URL(x), base64URL(y))
    return SHA256Digest.of(#"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#)
  }
}

/// The public half of an ES384 key: a point on the curve P-384 (RFC 7518, sections 3.4 and 6.2.1).
public struct P384PublicKey: Sendable {
  public static let coordinateByteCount = 48
  public static let signatureByteCount = 96

  private let key: VerificationKey

  /// - Throws: `.unreadable` if a coordinate does not have 48 bytes, `.notP384` if the point is not
  ///   on the curve.
  public init(x: [UInt8], y: [UInt8]) throws(KeyFault) {
    guard x.count == Self.coordinateByteCount, y.count == Self.coordinateByteCount else {
      throw .unreadable
    }
    guard let key = VerificationKey(x: x, y: y, on: .p384) else { throw .notP384 }
    self.key = key
  }

  /// Whether the private half made `signature`, 96 bytes of r and s, over `bytes`.
  public func verifies(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
    guard signature.count == Self.signatureByteCount else { return false }
    return key.verifies(ECDSASignature.encoded(signature), digest: SHA384Digest.of(bytes))
  }
}

/// OpenSSL's form of the key.
///
/// It is made once and then only read.
///
/// `@unchecked Sendable`: OpenSSL counts references to a key behind its own lock, and `contexts`
/// gives each verification its own context.
private final class VerificationKey: @unchecked Sendable {
  private let key: OpaquePointer
  private let contexts = PreparedContexts { EVP_PKEY_CTX_free($0) }

  enum Curve {
    case p256
    case p384
  }

  /// Any key on the curve.
  ///
  /// Copying its parameters is faster than naming the curve each time.
  nonisolated(unsafe) private static let p256: OpaquePointer? = fp_p256()
  nonisolated(unsafe) private static let p384: OpaquePointer? = fp_p384()

  /// `nil` if the point is not on the curve.
  ///
  /// OpenSSL checks this when it reads the point.
  init?(x: [UInt8], y: [UInt8], on curve: Curve) {
    guard let key = EVP_PKEY_new() else { preconditionFailure("out of memory for a key") }
    let point = [4] + x + y
    guard EVP_PKEY_copy_parameters(key, curve == .p256 ? Self.p256 : Self.p384) == 1,
      EVP_PKEY_set1_encoded_public_key(key, point, point.count) == 1
    else {
      ERR_clear_error()
      EVP_PKEY_free(key)
      return nil
    }
    self.key = key
  }

  deinit { EVP_PKEY_free(key) }

  func verifies(_ signature: [UInt8], digest: [UInt8]) -> Bool {
    let isRight = contexts.withContext(make: makeContext) { context in
      EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
    }
    // An error left in OpenSSL's queue would look like a failure of this thread's next TLS call.
    if !isRight { ERR_clear_error() }
    return isRight
  }

  private func makeContext() -> OpaquePointer {
    guard let context = EVP_PKEY_CTX_new(key, nil), EVP_PKEY_verify_init(context) == 1 else {
      preconditionFailure("out of memory for a verification")
    }
    return context
  }
}

/// Base64url without padding, for the canonical JWK.
///
/// Platform does not import the wire formats.
private func base64URL(_ bytes: [UInt8]) -> String {
  let variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING
  var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, variant))
  sodium_bin2base64(&text, text.count, bytes, bytes.count, variant)
  return String(decoding: text.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
}

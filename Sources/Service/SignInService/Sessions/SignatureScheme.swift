public import Cryptography

/// How the server's tokens and the proofs of devices are signed and checked.
///
/// A server uses `ES256`. A simulated world may use a faster scheme without protection.
public protocol SignatureScheme: Sendable {
  func sign(_ bytes: [UInt8], with key: SigningKey) -> [UInt8]
  /// Whether the private half of `key` made `signature` for exactly these bytes.
  func isSignature(_ signature: [UInt8], of bytes: [UInt8], by key: PublicKey) -> Bool
}

/// ECDSA with P-256 and SHA-256 (RFC 7518, section 3.4).
public struct ES256: SignatureScheme {
  public init() {}

  public func sign(_ bytes: [UInt8], with key: SigningKey) -> [UInt8] { key.sign(bytes) }

  public func isSignature(_ signature: [UInt8], of bytes: [UInt8], by key: PublicKey) -> Bool {
    key.verifies(signature, of: bytes)
  }
}

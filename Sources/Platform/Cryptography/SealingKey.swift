internal import CSodium

/// Seals bytes with XChaCha20-Poly1305 and binds them to their context.
public struct SealingKey: Sendable {
  public static let byteCount = Int(crypto_aead_xchacha20poly1305_ietf_KEYBYTES)
  public static let nonceByteCount = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)

  private let key: [UInt8]

  /// - Parameter key: Exactly `byteCount` bytes.
  public init(_ key: [UInt8]) {
    precondition(key.count == Self.byteCount, "a sealing key has \(Self.byteCount) bytes")
    Sodium.start()
    self.key = key
  }

  /// Returns a random nonce followed by the sealed bytes.
  public func seal(_ bytes: [UInt8], context: String) -> [UInt8] {
    seal(bytes, context: context, nonce: SecureRandom.bytes(Self.nonceByteCount))
  }

  /// Returns the nonce followed by the sealed bytes.
  ///
  /// The nonce has exactly `nonceByteCount` bytes. Other bytes or another context must never have
  /// the same one.
  public func seal(_ bytes: [UInt8], context: String, nonce: [UInt8]) -> [UInt8] {
    precondition(nonce.count == Self.nonceByteCount, "a nonce has \(Self.nonceByteCount) bytes")
    let data = Array(context.utf8)
    let capacity = bytes.count + Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
    var sealed = [UInt8](repeating: 0, count: capacity)
    var length: UInt64 = 0
    crypto_aead_xchacha20poly1305_ietf_encrypt(
      &sealed, &length, bytes, UInt64(bytes.count), data, UInt64(data.count), nil, nonce, key
    )
    return nonce + sealed
  }

  /// Returns the bytes, or `nil` if this key did not seal them for this context.
  public func open(_ sealed: [UInt8], context: String) -> [UInt8]? {
    let nonceCount = Self.nonceByteCount
    let tagCount = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
    guard sealed.count >= nonceCount + tagCount else { return nil }
    let nonce = Array(sealed[..<nonceCount])
    let body = Array(sealed[nonceCount...])
    let data = Array(context.utf8)
    var bytes = [UInt8](repeating: 0, count: body.count - tagCount)
    var length: UInt64 = 0
    let status = crypto_aead_xchacha20poly1305_ietf_decrypt(
      &bytes, &length, nil, body, UInt64(body.count), data, UInt64(data.count), nonce, key
    )
    return status == 0 ? bytes : nil
  }
}

internal import Cryptography
internal import Synchronization

/// The SHA-256 digest of a whole token, signature included.
struct TokenMark: Hashable, Sendable {
  private let words: SIMD4<UInt64>

  init(of text: String) {
    var words = SIMD4<UInt64>()
    for (index, byte) in SHA256Digest.of(text).enumerated() {
      words[index / 8] = words[index / 8] << 8 | UInt64(byte)
    }
    self.words = words
  }
}

/// Remembers tokens with a verified signature, because a verification costs more than the rest of a
/// small request.
///
/// The claims, the expiry, the bound key and the session are checked at every request.
final class VerifiedTokens: Sendable {
  /// Tokens in one generation.
  ///
  /// Each takes 32 bytes.
  static let generationLimit = 16_384

  private let right = Mutex(GenerationCache<TokenMark, Bool>(limit: generationLimit))

  /// Whether `text` has a valid signature.
  ///
  /// `check` verifies it, and is called only if `text` is not remembered.
  func isSigned(_ text: String, check: () -> Bool) -> Bool {
    let mark = TokenMark(of: text)
    if right.withLock({ $0[mark] ?? false }) { return true }
    guard check() else { return false }
    right.withLock { $0.remember(true, for: mark) }
    return true
  }
}

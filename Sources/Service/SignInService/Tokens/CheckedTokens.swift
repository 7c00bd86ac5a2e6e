internal import Cryptography
internal import Synchronization

/// Remembers tokens whose signature was right, for checking one costs more than all the rest of a
/// small request.
///
/// What a token says, when it ends, whose key it is bound to and whether its session lives on are
/// looked at each time.
final class CheckedTokens: Sendable {
  /// Tokens in one generation, for 32 bytes each.
  static let generationLimit = 16_384

  /// SHA-256 over the whole token, its signature included.
  private struct Mark: Hashable {
    let words: SIMD4<UInt64>

    init(of text: String) {
      var words = SIMD4<UInt64>()
      for (index, byte) in SHA256Digest.of(text).enumerated() {
        words[index / 8] = words[index / 8] << 8 | UInt64(byte)
      }
      self.words = words
    }
  }

  private let right = Mutex(Generations<Mark, Bool>(limit: generationLimit))

  /// Whether `text` was signed by the key that `check` knows; asked of `check` only when it is new.
  func isSigned(_ text: String, check: () -> Bool) -> Bool {
    let mark = Mark(of: text)
    if right.withLock({ $0[mark] ?? false }) { return true }
    guard check() else { return false }
    right.withLock { $0.remember(true, for: mark) }
    return true
  }
}

internal import Cryptography
internal import JSONText
internal import SignInModel
internal import Synchronization

/// Remembers the public keys of recent proofs, because importing one and preparing it for a
/// verification costs as much as the rest of a small request.
///
/// An entry follows from the coordinates of the key and from nothing else. The signature of each
/// proof is verified, and whether a session is bound to the key is read from its token or record.
final class ProofKeys: Sendable {
  /// Keys in one generation.
  ///
  /// Each takes about 3 kB.
  static let generationLimit = 2048
  /// How long a key is remembered.
  static let longestSeconds: Int64 = 3600

  struct Entry: Sendable {
    let key: PublicKey
    /// The RFC 7638 thumbprint of the key.
    let thumbprint: String
    let importedAt: Instant
    let isRemembered: Bool
  }

  /// A point by its bytes, because different texts can be equal as Swift strings.
  private struct Point: Hashable {
    let x: [UInt8]
    let y: [UInt8]
  }

  private let entries: Mutex<GenerationCache<Point, Entry>>

  /// Creates an empty cache; tests use a smaller one.
  init(generationLimit: Int = ProofKeys.generationLimit) {
    entries = Mutex(GenerationCache(limit: generationLimit))
  }

  /// The key of a JWK, remembered or imported now; `nil` if it is not a public P-256 key.
  func entry(of jwk: JSON?, at now: Instant) -> Entry? {
    guard let (x, y) = PublicKey.coordinates(of: jwk) else { return nil }
    if let known = entries.withLock({ $0[Point(x: x, y: y)] }), known.importedAt <= now,
      now < known.importedAt.adding(seconds: Self.longestSeconds)
    {
      return known
    }
    do throws(KeyFault) {
      let key = try PublicKey(x: x, y: y)
      return Entry(
        key: key, thumbprint: key.thumbprint, importedAt: now, isRemembered: false)
    } catch {
      return nil
    }
  }

  /// Remembers a key that has made a valid signature.
  ///
  /// Before that, a request with any numbers as its key could fill the memory without effort.
  func remember(_ entry: Entry) {
    guard !entry.isRemembered else { return }
    let kept = Entry(
      key: entry.key, thumbprint: entry.thumbprint, importedAt: entry.importedAt,
      isRemembered: true)
    let point = Point(x: entry.key.x, y: entry.key.y)
    entries.withLock { $0.remember(kept, for: point) }
  }
}

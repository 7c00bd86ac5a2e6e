import Cryptography
public import SignInModel
public import SignInService
import Synchronization

/// Remembers proofs in this process, in two generations so that forgetting costs nothing.
///
/// Proofs live for two minutes at most, so a generation that is older than that is dropped whole.
public final class MemoryProofLedger: ProofLedger {
  /// Longer than any proof can be valid, in seconds.
  public static let generationSeconds: Int64 = 180
  /// One more proof than this in one generation is refused, for forgetting would let old ones in
  /// again; about five thousand a second, for 16 bytes each.
  public static let generationLimit = 1_000_000

  /// The first half of a proof's SHA-256: enough that no two are alike.
  private struct Mark: Hashable { let high: UInt64, low: UInt64 }

  private struct Generations {
    var newer: Set<Mark> = []
    var older: Set<Mark> = []
    var newerSince = Instant(milliseconds: 0)
  }

  private let generations = Mutex(Generations())

  public init() {}

  public func record(_ identifier: String, until expiry: Instant, now: Instant) -> Bool {
    let mark = Self.mark(of: identifier)
    return generations.withLock { generations in
      if now >= generations.newerSince.adding(seconds: Self.generationSeconds) {
        generations.older = generations.newer
        generations.newer = []
        generations.newerSince = now
      }
      guard generations.newer.count < Self.generationLimit, !generations.older.contains(mark)
      else { return false }
      return generations.newer.insert(mark).inserted
    }
  }

  private static func mark(of identifier: String) -> Mark {
    var words: [UInt64] = [0, 0]
    for (index, byte) in SHA256Digest.of(identifier).prefix(16).enumerated() {
      words[index / 8] = words[index / 8] << 8 | UInt64(byte)
    }
    return Mark(high: words[0], low: words[1])
  }
}

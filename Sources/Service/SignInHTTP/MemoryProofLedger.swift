public import SignInModel
public import SignInService
import Synchronization

/// Remembers proofs in this process, in two generations so that forgetting costs nothing.
///
/// Proofs live for two minutes at most, so a generation that is older than that is dropped whole.
public final class MemoryProofLedger: ProofLedger {
  /// Longer than any proof can be valid, in seconds.
  public static let generationSeconds: Int64 = 180
  /// One more proof than this in one generation starts the next one early.
  public static let generationLimit = 500_000

  private struct Generations {
    var newer: Set<String> = []
    var older: Set<String> = []
    var newerSince = Instant(milliseconds: 0)
  }

  private let generations = Mutex(Generations())

  public init() {}

  public func record(_ identifier: String, until expiry: Instant, now: Instant) -> Bool {
    generations.withLock { generations in
      let isOver = now >= generations.newerSince.adding(seconds: Self.generationSeconds)
      if isOver || generations.newer.count >= Self.generationLimit {
        generations.older = generations.newer
        generations.newer = []
        generations.newerSince = now
      }
      if generations.older.contains(identifier) { return false }
      return generations.newer.insert(identifier).inserted
    }
  }
}

import Cryptography
public import SignInModel
public import SignInService
import Synchronization

/// Remembers proofs in two generations, so that forgetting costs nothing.
///
/// Proofs live for two minutes at most, so a generation that is older than that is dropped whole.
/// What is noted in the journal is remembered by the next process, so that a restart lets no proof
/// in a second time.
public final class MemoryProofLedger: ProofLedger {
  /// Longer than any proof can be valid, in seconds.
  public static let generationSeconds: Int64 = 180
  /// One more proof than this in one generation is refused, for forgetting would let old ones in
  /// again; about five thousand a second, for 16 bytes each.
  public static let generationLimit = 1_000_000

  private struct Generations {
    var newer: Set<ProofMark> = []
    var older: Set<ProofMark>
    var newerSince: Instant?
  }

  private let generations: Mutex<Generations>
  private let journal: (any ProofJournal)?

  public init(journal: (any ProofJournal)? = nil) {
    self.journal = journal
    generations = Mutex(Generations(older: Set(journal?.remembered ?? [])))
  }

  public func record(_ identifier: String, until expiry: Instant, now: Instant) -> Bool {
    let mark = ProofMark(of: identifier)
    return generations.withLock { generations in
      let since = generations.newerSince ?? now
      generations.newerSince = since
      if now >= since.adding(seconds: Self.generationSeconds) {
        generations.older = generations.newer
        generations.newer = []
        generations.newerSince = now
        journal?.turnPage()
      }
      guard generations.newer.count < Self.generationLimit, !generations.older.contains(mark),
        generations.newer.insert(mark).inserted
      else { return false }
      journal?.note(mark)
      return true
    }
  }
}

/// The first half of a proof's SHA-256: enough that no two are alike.
public struct ProofMark: Hashable, Sendable {
  public static let byteCount = 16

  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  init(of identifier: String) {
    var words: [UInt64] = [0, 0]
    for (index, byte) in SHA256Digest.of(identifier).prefix(Self.byteCount).enumerated() {
      words[index / 8] = words[index / 8] << 8 | UInt64(byte)
    }
    self.init(high: words[0], low: words[1])
  }
}

/// Where proofs are noted so that they outlive the process.
///
/// It need not outlive the machine: one that starts anew takes longer than most proofs live.
public protocol ProofJournal: Sendable {
  /// What an earlier process noted on the last two pages.
  var remembered: [ProofMark] { get }
  /// Called under a lock: it must not wait for anything slow.
  func note(_ mark: ProofMark)
  /// Begins a new page and throws away all pages but the one before.
  func turnPage()
}

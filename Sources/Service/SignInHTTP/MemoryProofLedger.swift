import Cryptography
public import SignInModel
public import SignInService
import Synchronization

/// Remembers accepted proofs in two generations, so that old proofs are removed without a search.
///
/// A proof is valid for two minutes at most, so a whole generation can be dropped when all its
/// proofs have expired. A journal lets the next process remember the proofs, so that no proof is
/// accepted again after a restart.
public final class MemoryProofLedger: ProofLedger {
  /// The length of a generation in seconds, which is longer than the validity of any proof.
  public static let generationSeconds: Int64 = 180
  /// The largest number of proofs in one generation.
  ///
  /// Further ones are refused, because dropping old proofs would make it possible to use them
  /// again.
  ///
  /// It allows about five thousand proofs a second, with 16 bytes each.
  public static let generationLimit = 1_000_000
  /// The largest number of proofs of one network address in one generation.
  ///
  /// It is a tenth of `generationLimit`, so that one address cannot use the room of the others. Of
  /// an IPv6 address, only the first 48 bits count.
  public static let addressLimit = 100_000
  /// The largest number of proofs of one key in one generation, about fifty a second.
  public static let keyLimit = 10_000

  private struct GenerationCache {
    var newer: Set<ProofMark> = []
    var older: Set<ProofMark>
    var newerSince: Instant?
    /// The number of proofs in the newer generation, by address and by key.
    var addresses: ApproximateCounts
    var keys = ApproximateCounts(limit: keyLimit)

    mutating func startGeneration(at now: Instant) {
      older = newer
      newer = []
      newerSince = now
      addresses.clear()
      keys.clear()
    }

    /// Whether one more proof of this source is allowed.
    func hasRoom(for source: ProofSource?) -> Bool {
      guard newer.count < generationLimit else { return false }
      guard let source else { return true }
      return keys.hasRoom(for: source.key) && addresses.hasRoom(for: source.network)
    }

    mutating func count(_ source: ProofSource?) {
      guard let source else { return }
      keys.count(source.key)
      addresses.count(source.network)
    }
  }

  private let generations: Mutex<GenerationCache>
  private let journal: (any ProofJournal)?

  public init(journal: (any ProofJournal)? = nil, addressLimit: Int = addressLimit) {
    self.journal = journal
    generations = Mutex(
      GenerationCache(
        older: Set(journal?.remembered ?? []), addresses: ApproximateCounts(limit: addressLimit)))
  }

  public func record(
    _ identifier: String, from source: ProofSource?, until expiry: Instant, now: Instant
  ) -> ProofVerdict {
    let mark = ProofMark(of: identifier)
    return generations.withLock { generations in
      let since = generations.newerSince ?? now
      generations.newerSince = since
      let end = since.adding(seconds: Self.generationSeconds)
      if now >= end {
        generations.startGeneration(at: now)
        journal?.startGeneration()
      }
      if generations.older.contains(mark) || generations.newer.contains(mark) { return .repeated }
      guard generations.hasRoom(for: source) else {
        return .refused(retrySeconds: max(1, now.wholeSeconds(until: end)))
      }
      // A proof that the next process would not know is not accepted, so that no proof is accepted
      // twice after a restart.
      guard journal?.note(mark) ?? true else { return .unavailable }
      generations.newer.insert(mark)
      generations.count(source)
      return .recorded
    }
  }

  public func isReady() async -> Bool { journal?.note(.ofCheck) ?? true }
}

/// Counts by name in a fixed amount of memory.
///
/// Names share cells, by a hash that an attacker does not know. So a count can be too high by the
/// counts of other names in its cell, and is never too low. The excess is small compared with the
/// limit.
private struct ApproximateCounts {
  static let cellCount = 1 << 16

  private let limit: Int
  private var cells = [Int32](repeating: 0, count: cellCount)

  init(limit: Int) { self.limit = limit }

  func hasRoom(for name: some Hashable) -> Bool { Int(cells[cell(name)]) < limit }

  mutating func count(_ name: some Hashable) { cells[cell(name)] += 1 }

  mutating func clear() {
    for index in cells.indices { cells[index] = 0 }
  }

  private func cell(_ name: some Hashable) -> Int {
    var hasher = Hasher()
    hasher.combine(name)
    return hasher.finalize() & (Self.cellCount - 1)
  }
}

extension ProofSource {
  /// The network that one customer has: an IPv4 address, or the first 48 bits of an IPv6 address.
  fileprivate var network: [UInt8] {
    guard let peer else { return [] }
    do throws(Malformed) { return try NetworkAddress(parsing: peer).siteBytes } catch {
      return Array(peer.utf8)
    }
  }
}

/// The first half of a proof's SHA-256.
///
/// It is long enough to avoid collisions.
public struct ProofMark: Hashable, Sendable {
  public static let byteCount = 16
  /// Shows that a mark can be written; it belongs to no proof.
  static let ofCheck = ProofMark(high: 0, low: 0)

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

/// Stores accepted proofs, so that they survive the end of the process.
///
/// It need not survive a restart of the machine, which takes longer than most proofs are valid.
public protocol ProofJournal: Sendable {
  /// The proofs that an earlier process wrote in the last two generations.
  var remembered: [ProofMark] { get }
  /// Writes one proof.
  ///
  /// It is called under a lock, so it must not wait for slow operations.
  ///
  /// - Returns: Whether the proof is written.
  func note(_ mark: ProofMark) -> Bool
  /// Begins a new generation and removes all generations except the one before it.
  func startGeneration()
}

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
  /// Proofs of one network address in one generation.
  ///
  /// It is a tenth of what there is room for, so that no address takes the room of the others. Of
  /// an IPv6 address the first 48 bits count.
  public static let addressLimit = 100_000
  /// Proofs of one key in one generation, about fifty a second.
  public static let keyLimit = 10_000

  private struct Generations {
    var newer: Set<ProofMark> = []
    var older: Set<ProofMark>
    var newerSince: Instant?
    /// What each address and each key has in the newer generation.
    var addresses: ShareCounts
    var keys = ShareCounts(limit: keyLimit)

    mutating func turn(at now: Instant) {
      older = newer
      newer = []
      newerSince = now
      addresses.clear()
      keys.clear()
    }

    /// Whether there is room for one more proof of this source.
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

  private let generations: Mutex<Generations>
  private let journal: (any ProofJournal)?

  public init(journal: (any ProofJournal)? = nil, addressLimit: Int = addressLimit) {
    self.journal = journal
    generations = Mutex(
      Generations(
        older: Set(journal?.remembered ?? []), addresses: ShareCounts(limit: addressLimit)))
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
        generations.turn(at: now)
        journal?.turnPage()
      }
      if generations.older.contains(mark) || generations.newer.contains(mark) { return .repeated }
      guard generations.hasRoom(for: source) else {
        return .refused(retrySeconds: max(1, now.wholeSeconds(until: end)))
      }
      generations.newer.insert(mark)
      generations.count(source)
      journal?.note(mark)
      return .recorded
    }
  }
}

/// Counts by name in a fixed amount of memory.
///
/// Names share cells by a hash that an attacker does not know, so a count can be too high by what
/// the others in its cell have, which is little beside the limit, and never too low.
private struct ShareCounts {
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
  /// What one customer of a network has at most: an IPv4 address, or 48 bits of an IPv6 one.
  fileprivate var network: [UInt8] {
    guard let peer else { return [] }
    do throws(Malformed) { return try NetworkAddress(parsing: peer).siteBytes } catch {
      return Array(peer.utf8)
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

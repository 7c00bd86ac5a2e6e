public import Cryptography
public import SignInModel
import SignInRules
import SignInWire
internal import Synchronization

/// The keys that sign tokens, in their order.
///
/// A new key is published before it signs, so that APIs which cache the published keys know it in
/// time. An old key is accepted until all its tokens have expired. The keys can be replaced while a
/// server runs.
public final class SigningKeys: Sendable {
  /// One signing key, and the end of its use for signing.
  public struct Key: Sendable {
    public let signing: SigningKey
    /// The RFC 7638 thumbprint of the key.
    ///
    /// A new key always has a new identifier.
    public let id: String
    /// The moment from which its successor signs; `nil` for the last key.
    public let signsUntil: Instant?

    public init(_ signing: SigningKey, signsUntil: Instant? = nil) {
      self.signing = signing
      id = signing.publicKey.thumbprint
      self.signsUntil = signsUntil
    }

    /// The moment from which no token of this key is valid; `nil` for the last key.
    public var endsAt: Instant? { signsUntil?.adding(seconds: SigningKeys.overlapSeconds) }

    func isAccepted(at now: Instant) -> Bool { endsAt.map { now < $0 } ?? true }
  }

  /// How long a key is published and accepted after it signed its last token.
  ///
  /// It is the longest life of an access token plus the clock tolerance of the APIs that check it.
  public static let overlapSeconds =
    PolicyKey.accessToken.range.upperBound + DPoPProof.clockToleranceSeconds
  /// The default time for which a new key is published before it signs.
  public static let publishedSeconds: Int64 = 10 * 60
  /// The range for the operator's choice, in seconds: up to a day.
  public static let publishedSecondsLimits: ClosedRange<Int64> = 0...Throttle.Limit.daySeconds

  private let keys: Mutex<[Key]>

  /// Creates the list from at least one key.
  ///
  /// Exactly one key must have no end.
  public init(_ keys: [Key]) { self.keys = Mutex(Self.ordered(keys)) }

  /// Replaces the keys.
  ///
  /// Tokens of a missing key are refused from now on.
  public func replace(with keys: [Key]) {
    let ordered = Self.ordered(keys)
    self.keys.withLock { $0 = ordered }
  }

  /// The key that signs now.
  public func current(at now: Instant) -> Key {
    let key = keys.withLock { keys in
      keys.first { key in key.signsUntil.map { now < $0 } ?? true }
    }
    guard let key else { preconditionFailure("one key must have no end") }
    return key
  }

  /// The keys with accepted tokens, the newest first, for publication to APIs.
  public func accepted(at now: Instant) -> [Key] {
    keys.withLock { keys in keys.filter { $0.isAccepted(at: now) } }.reversed()
  }

  /// The key with this identifier, if its tokens are accepted now.
  func accepted(named id: String, at now: Instant) -> Key? {
    keys.withLock { keys in keys.first { $0.id == id && $0.isAccepted(at: now) } }
  }

  /// The keys in the order in which they sign.
  private static func ordered(_ keys: [Key]) -> [Key] {
    precondition(keys.count { $0.signsUntil == nil } == 1, "exactly one key must have no end")
    // After an interrupted rotation, the last key also exists under the name of an earlier key.
    let last = keys.first { $0.signsUntil == nil }?.id
    return keys.filter { $0.signsUntil == nil || $0.id != last }
      .sorted { ($0.signsUntil ?? .latest) < ($1.signsUntil ?? .latest) }
  }
}

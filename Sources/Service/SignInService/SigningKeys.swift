public import Cryptography
public import SignInModel
import SignInRules
internal import Synchronization

/// The keys that sign tokens, one after the other.
///
/// A new key is published before it signs, so that APIs which keep the published keys for some time
/// know it in time. A key that has signed is accepted until every token it signed has expired.
/// The keys can be replaced while a server runs.
public final class SigningKeys: Sendable {
  /// One signing key, and until when it signs.
  public struct Key: Sendable {
    public let signing: SigningKey
    /// The RFC 7638 thumbprint of the key: a new key always has a new name.
    public let id: String
    /// When its successor begins to sign; nil for the last key.
    public let signsUntil: Instant?

    public init(_ signing: SigningKey, signsUntil: Instant? = nil) {
      self.signing = signing
      id = signing.publicKey.thumbprint
      self.signsUntil = signsUntil
    }

    /// When no unexpired token of this key can exist any more; nil for the last key.
    public var endsAt: Instant? { signsUntil?.adding(seconds: SigningKeys.overlapSeconds) }

    func isAccepted(at now: Instant) -> Bool { endsAt.map { now < $0 } ?? true }
  }

  /// How long a key is published and accepted after it signed its last token: the longest life of
  /// an access token, and the tolerance for clocks of the APIs that check it.
  public static let overlapSeconds =
    AppClient.Limits.accessTokenSeconds.upperBound + DPoPProof.clockToleranceSeconds
  /// How long a new key is published before it signs, unless the operator chooses otherwise.
  public static let publishedSeconds: Int64 = 10 * 60
  /// What the operator may choose, in seconds: up to a day.
  public static let publishedSecondsLimits: ClosedRange<Int64> = 0...Throttle.Limit.daySeconds

  private let keys: Mutex<[Key]>

  /// Takes at least one key; exactly one of them has no end.
  public init(_ keys: [Key]) { self.keys = Mutex(Self.ordered(keys)) }

  /// Goes on with other keys; tokens of a key that is missing are refused from now on.
  public func replace(with keys: [Key]) {
    let ordered = Self.ordered(keys)
    self.keys.withLock { $0 = ordered }
  }

  /// The key that signs now.
  public func current(at now: Instant) -> Key {
    let key = keys.withLock { keys in
      keys.first { key in key.signsUntil.map { now < $0 } ?? true }
    }
    guard let key else { preconditionFailure("the last key has no end") }
    return key
  }

  /// The keys that tokens may be signed with, the newest first: those that APIs need to know.
  public func accepted(at now: Instant) -> [Key] {
    keys.withLock { keys in keys.filter { $0.isAccepted(at: now) } }.reversed()
  }

  /// The key with this name, if its tokens are accepted now.
  func accepted(named id: String, at now: Instant) -> Key? {
    keys.withLock { keys in keys.first { $0.id == id && $0.isAccepted(at: now) } }
  }

  /// The order in which they sign.
  private static func ordered(_ keys: [Key]) -> [Key] {
    precondition(keys.count { $0.signsUntil == nil } == 1, "exactly one key has no end")
    // An interrupted rotation leaves the last key under an earlier name too.
    let last = keys.first { $0.signsUntil == nil }?.id
    return keys.filter { $0.signsUntil == nil || $0.id != last }
      .sorted { ($0.signsUntil ?? .latest) < ($1.signsUntil ?? .latest) }
  }
}

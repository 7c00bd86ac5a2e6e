internal import SignInModel
internal import SignInWire
internal import Synchronization

/// Remembers recently signed leases, so that repeated requests get the same lease.
final class RecentLeases: Sendable {
  /// Leases in one generation.
  ///
  /// Each takes about 600 bytes.
  static let generationLimit = 4096
  /// A lease is reused for one hundredth of its lifetime, and for at most `longestSeconds`.
  static let reusableFraction: Int64 = 100
  static let longestSeconds: Int64 = 60

  private struct Subject: Hashable {
    let session: SessionID
    let list: String
    let lifeSeconds: Int64
  }

  private struct Signed {
    let token: String
    let at: Instant
  }

  private let signed = Mutex(GenerationCache<Subject, Signed>(limit: generationLimit))

  /// The token of `lease`, or the token that was signed for the same lease shortly before.
  func token(of lease: OfflineLease, sign: () -> String) -> String {
    let life = lease.lifeSeconds
    let subject = Subject(session: lease.session, list: lease.list, lifeSeconds: life)
    let seconds = min(life / Self.reusableFraction, Self.longestSeconds)
    if let known = signed.withLock({ $0[subject] }), known.at <= lease.issuedAt,
      lease.issuedAt < known.at.adding(seconds: seconds)
    {
      return known.token
    }
    let token = sign()
    signed.withLock { $0.remember(Signed(token: token, at: lease.issuedAt), for: subject) }
    return token
  }
}

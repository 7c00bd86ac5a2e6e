internal import SignInModel
internal import SignInWire
internal import Synchronization

/// Remembers leases that were signed just now: somebody who asks again and again gets the same one.
final class RecentLeases: Sendable {
  /// Leases in one generation, for about 600 bytes each.
  static let generationLimit = 4096
  /// A lease is given again for this part of its life, and no longer than a minute.
  static let sharesOfLife: Int64 = 100
  static let longestSeconds: Int64 = 60

  private struct Subject: Hashable {
    let session: SessionID
    let shelf: String
    let lifeSeconds: Int64
  }

  private struct Signed {
    let token: String
    let at: Instant
  }

  private let signed = Mutex(Generations<Subject, Signed>(limit: generationLimit))

  /// What `sign` makes of `lease`, or made of the same one shortly before.
  func token(of lease: OfflineLease, sign: () -> String) -> String {
    let life = lease.lifeSeconds
    let subject = Subject(session: lease.session, shelf: lease.shelf, lifeSeconds: life)
    let seconds = min(life / Self.sharesOfLife, Self.longestSeconds)
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

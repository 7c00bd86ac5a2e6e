public import SignInModel

/// Counts an account's wrong answers, passwords and codes together, and decides when it must rest
/// (BR-AUTH-001, T-05, R-04).
///
///     open ──last allowed failure──▶ locked ──lock time passes──▶ open, next lock twice as long
///       └──────────── one hundred failures in a row ─────────────▶ stopped until reset
///
/// An answer that takes time to compare (a password) is *reserved* before it is compared and
/// settled after, so that no number of parallel guesses is ever compared more often than the limit
/// allows, while honest answers in parallel only wait for each other.
public struct Lockout: Equatable, Sendable {
  /// The numbers an operator may choose.
  public struct Policy: Equatable, Sendable {
    /// Wrong answers before a lock.
    public var failureLimit: Int64 = 5
    public var lockSeconds: Int64 = 15 * 60
    /// The longest lock that doubling can reach.
    public var longestLockSeconds: Int64 = 24 * 60 * 60
    /// Wrong answers in a row after which only an administrator or a reset helps (NIST SP 800-63B).
    public var stopLimit: Int64 = 100
    /// A reservation nobody settled in this time, for a crash came between, counts as a failure.
    public var reservationSeconds: Int64 = 30

    public init() {}
  }

  public enum Verdict: Equatable, Sendable {
    /// The answer may be compared; it has been counted as if it were wrong.
    case compare
    /// Others are being compared, and all tries are taken by them: ask again in a moment.
    case wait
    case locked(until: Instant)
    /// Too many failures in a row: only an administrator or a reset helps.
    case stopped
  }

  /// Wrong answers since the last lock or complete sign-in.
  public private(set) var failures: Int64
  /// Wrong answers since the last complete sign-in, without those of resets.
  public private(set) var failuresInRow: Int64
  /// Answers being compared just now.
  public private(set) var reserved: Int64
  /// When an answer was last counted.
  public private(set) var reservedAt: Instant
  /// Locks since the last complete sign-in.
  public private(set) var locks: Int64
  public private(set) var lockedUntil: Instant?
  /// Which devices the wrong answers came from, where several share a bucket.
  public private(set) var shares: FailureShares
  /// Wrong answers in a row of the account, over all its buckets; counted in the shared one alone.
  public private(set) var failuresOfAccount: Int64

  public static let open = Lockout(
    failures: 0, failuresInRow: 0, reserved: 0, reservedAt: Instant(milliseconds: 0), locks: 0,
    lockedUntil: nil
  )

  /// Restores a state that a store kept.
  public init(
    failures: Int64, failuresInRow: Int64, reserved: Int64, reservedAt: Instant, locks: Int64,
    lockedUntil: Instant?, shares: FailureShares = .none, failuresOfAccount: Int64 = 0
  ) {
    self.failures = failures
    self.failuresInRow = failuresInRow
    self.reserved = reserved
    self.reservedAt = reservedAt
    self.locks = locks
    self.lockedUntil = lockedUntil
    self.shares = shares
    self.failuresOfAccount = failuresOfAccount
  }
}

extension Lockout {
  /// What holds now, changing nothing: asked where no answer is compared (request, resend, token).
  public func verdict(at now: Instant, under policy: Policy) -> Verdict {
    var copy = self
    copy.settleForgotten(at: now, under: policy)
    if copy.failuresInRow >= policy.stopLimit { return .stopped }
    if let until = copy.lockedUntil, now < until { return .locked(until: until) }
    if copy.failures + copy.reserved >= copy.limit(under: policy) { return .wait }
    return .compare
  }

  /// Counts one answer before it is compared.
  public mutating func reserve(at now: Instant, under policy: Policy) -> Verdict {
    settleForgotten(at: now, under: policy)
    let verdict = verdict(at: now, under: policy)
    if verdict == .compare {
      reserved += 1
      // Whoever read the clock early and comes late must not make the others' answers look old.
      reservedAt = max(reservedAt, now)
    }
    return verdict
  }

  /// The reserved answer was wrong; the verdict tells whether the account is now locked.
  public mutating func settleWrong(
    at now: Instant, under policy: Policy, by device: String? = nil
  ) -> Verdict {
    if reserved > 0 { reserved -= 1 }
    countFailure(at: now, under: policy, by: device)
    return verdict(at: now, under: policy)
  }

  /// The reserved answer was right, but the sign-in is not complete: nothing is forgiven yet.
  public mutating func settleRight() {
    if reserved > 0 { reserved -= 1 }
  }

  /// An answer for which no try was reserved, compared and settled in one decision, was wrong.
  ///
  /// One that does not count `towardsStop` leads to locks alone.
  public mutating func countWrong(
    at now: Instant, under policy: Policy, by device: String? = nil, towardsStop: Bool = true
  ) {
    settleForgotten(at: now, under: policy)
    reservedAt = max(reservedAt, now)
    countFailure(at: now, under: policy, by: device, towardsStop: towardsStop)
  }

  /// Rests at least as long as another counter does.
  public mutating func rest(until moment: Instant) {
    failures = 0
    lockedUntil = max(lockedUntil ?? moment, moment)
  }

  /// A sign-in was completed, or an administrator or a reset opened the account.
  ///
  /// Answers being compared just now stay counted: forgotten, they would leave room for as many
  /// guesses again beside them.
  public mutating func reset() {
    if reserved == 0 { return self = .open }
    failures = 0
    failuresInRow = 0
    locks = 0
    lockedUntil = nil
    shares = .none
    failuresOfAccount = 0
  }

  /// So many wrong answers fell into a bucket of this account.
  mutating func countOfAccount(_ failures: Int64) { failuresOfAccount += failures }

  /// A sign-in was completed on some device of this account: its row of failures ends.
  mutating func endRow() { failuresOfAccount = 0 }

  /// A sign-in was completed on a device that shares this bucket: what it failed itself is taken
  /// back.
  mutating func forgive(_ device: String) {
    guard let share = shares.take(of: device) else { return }
    failures = max(0, failures - share.failures)
    failuresInRow = max(0, failuresInRow - share.failuresInRow)
    locks = max(0, locks - share.locks)
  }

  /// Tries left before a lock, as the wire's `attempts_left`.
  public func triesLeft(under policy: Policy) -> Int64 {
    max(0, limit(under: policy) - failures - reserved)
  }

  /// A limit that was lowered below what is counted already leaves one try, which then locks: no
  /// lock begins without an answer, and nobody waits for a comparison that is not under way.
  private func limit(under policy: Policy) -> Int64 { max(policy.failureLimit, failures + 1) }

  private mutating func countFailure(
    at now: Instant, under policy: Policy, by device: String? = nil, towardsStop: Bool = true
  ) {
    failures += 1
    if towardsStop { failuresInRow += 1 }
    let isLocking = failures >= policy.failureLimit
    if let device { shares.count(by: device, towardsStop: towardsStop, isLocking: isLocking) }
    guard isLocking else { return }
    failures = 0
    shares.lock()
    locks += 1
    var seconds = policy.lockSeconds
    var doublings = locks - 1
    while doublings > 0, seconds < policy.longestLockSeconds {
      seconds *= 2
      doublings -= 1
    }
    lockedUntil = now.adding(seconds: min(seconds, policy.longestLockSeconds))
  }

  /// Counts them as of the moment they ran out, not as of now: nobody may have saved that yet, and
  /// a lock that began anew at each look would never end.
  private mutating func settleForgotten(at now: Instant, under policy: Policy) {
    let ranOutAt = reservedAt.adding(seconds: policy.reservationSeconds)
    guard reserved > 0, now >= ranOutAt else { return }
    // Those past the stop change nothing any more.
    for _ in 0..<min(reserved, policy.stopLimit) { countFailure(at: ranOutAt, under: policy) }
    reserved = 0
  }
}

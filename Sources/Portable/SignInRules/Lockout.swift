public import SignInModel

/// Counts the failed attempts of one failure bucket and decides on its lockouts
/// (L-01, L-03, T-05, R-04).
///
///     open ──last allowed failure──▶ locked ──lockout ends──▶ open, next lockout twice as long
///       └──────────── one hundred failures in a row ─────────────▶ stopped until reset
///
/// Wrong passwords and wrong codes share one counter. A comparison that takes time (a password) is
/// *reserved* before it starts and settled after it ends. So parallel guesses are never compared
/// more often than the limit allows. Honest parallel answers only wait for each other.
public struct Lockout: Equatable, Sendable {
  /// The values that an operator may choose.
  public struct Policy: Equatable, Sendable {
    /// Wrong answers before a lockout.
    public var failureLimit: Int64
    public var lockSeconds: Int64
    /// The longest lockout after doubling.
    public var longestLockSeconds: Int64
    /// Wrong answers in a row after which only an administrator or a reset helps (NIST SP 800-63B).
    ///
    /// If it is nil, every lockout ends with time, and no wrong answers in a row are counted.
    public var stopLimit: Int64?

    public init(
      failureLimit: Int64, lockSeconds: Int64, longestLockSeconds: Int64, stopLimit: Int64?
    ) {
      self.failureLimit = failureLimit
      self.lockSeconds = lockSeconds
      self.longestLockSeconds = longestLockSeconds
      self.stopLimit = stopLimit
    }
  }

  /// A reservation that is not settled within this time, because of a crash, counts as a failure.
  public static let reservationSeconds: Int64 = 30

  public enum Verdict: Equatable, Sendable {
    /// The answer may be compared.
    ///
    /// It is counted as wrong until it is settled.
    case compare
    /// Answers that are being compared use all attempts.
    ///
    /// Retry after a moment.
    case wait
    case locked(until: Instant)
    /// Too many failures in a row.
    ///
    /// Only an administrator or a reset helps.
    case stopped
  }

  /// Wrong answers since the last lockout or complete sign-in.
  public private(set) var failures: Int64
  /// Wrong answers since the last complete sign-in, without those of resets.
  public private(set) var failuresInRow: Int64
  /// Answers that are being compared now.
  public private(set) var reserved: Int64
  /// When an answer was last counted.
  public private(set) var reservedAt: Instant
  /// Lockouts since the last complete sign-in.
  public private(set) var locks: Int64
  public private(set) var lockedUntil: Instant?
  /// The devices of the wrong answers, if several devices share this bucket.
  public private(set) var shares: FailureShares
  /// Wrong answers in a row of the account over all buckets.
  ///
  /// Only the shared bucket counts them.
  public private(set) var failuresOfAccount: Int64

  public static let open = Lockout(
    failures: 0, failuresInRow: 0, reserved: 0, reservedAt: Instant(milliseconds: 0), locks: 0,
    lockedUntil: nil
  )

  /// Restores a stored state.
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
  /// The verdict without a change of the state, where no answer is compared (request, resend,
  /// token).
  public func verdict(at now: Instant, under policy: Policy) -> Verdict {
    var copy = self
    copy.settleAbandoned(at: now, under: policy)
    if let limit = policy.stopLimit, copy.failuresInRow >= limit { return .stopped }
    if let until = copy.lockedUntil, now < until { return .locked(until: until) }
    if copy.failures + copy.reserved >= copy.limit(under: policy) { return .wait }
    return .compare
  }

  /// Counts one answer before it is compared.
  public mutating func reserve(at now: Instant, under policy: Policy) -> Verdict {
    settleAbandoned(at: now, under: policy)
    let verdict = verdict(at: now, under: policy)
    if verdict == .compare {
      reserved += 1
      // A request can read the clock early and arrive late. It must not make other answers look
      // older.
      reservedAt = max(reservedAt, now)
    }
    return verdict
  }

  /// The reserved answer was wrong.
  ///
  /// The verdict says whether the account is now locked.
  public mutating func settleWrong(
    at now: Instant, under policy: Policy, by device: String? = nil
  ) -> Verdict {
    if reserved > 0 { reserved -= 1 }
    countFailure(at: now, under: policy, by: device)
    return verdict(at: now, under: policy)
  }

  /// The reserved answer was right, but the sign-in is not complete, so no failure is removed.
  public mutating func settleRight() {
    if reserved > 0 { reserved -= 1 }
  }

  /// A wrong answer without a reservation was compared and settled in one step.
  ///
  /// If it does not count `towardsStop`, it can only cause lockouts.
  public mutating func countWrong(
    at now: Instant, under policy: Policy, by device: String? = nil, towardsStop: Bool = true
  ) {
    settleAbandoned(at: now, under: policy)
    reservedAt = max(reservedAt, now)
    countFailure(at: now, under: policy, by: device, towardsStop: towardsStop)
  }

  /// Starts a lockout that lasts at least until `moment`, when another counter caused it.
  public mutating func rest(until moment: Instant) {
    failures = 0
    lockedUntil = max(lockedUntil ?? moment, moment)
  }

  /// A sign-in was completed, or an administrator or a reset opened the account.
  ///
  /// Answers that are being compared stay counted. Otherwise the same number of guesses could be
  /// compared beside them.
  public mutating func reset() {
    if reserved == 0 { return self = .open }
    failures = 0
    failuresInRow = 0
    locks = 0
    lockedUntil = nil
    shares = .none
    failuresOfAccount = 0
  }

  /// Adds the failures in one bucket of this account.
  mutating func countOfAccount(_ failures: Int64) { failuresOfAccount += failures }

  /// A sign-in was completed on a device of this account, so the row of failures ends.
  mutating func endRow() { failuresOfAccount = 0 }

  /// A sign-in was completed on a device of this bucket, so its own failures are removed.
  mutating func removeFailures(of device: String) {
    guard let share = shares.take(of: device) else { return }
    failures = max(0, failures - share.failures)
    failuresInRow = max(0, failuresInRow - share.failuresInRow)
    locks = max(0, locks - share.locks)
  }

  /// The attempts left before a lockout: `attempts_left` on the wire.
  public func attemptsLeft(under policy: Policy) -> Int64 {
    max(0, limit(under: policy) - failures - reserved)
  }

  /// The limit, or one more than the current failures if the limit was lowered below them.
  ///
  /// The one attempt that is left then locks. So no lockout begins without an answer, and no
  /// request waits for a comparison that does not exist.
  private func limit(under policy: Policy) -> Int64 { max(policy.failureLimit, failures + 1) }

  private mutating func countFailure(
    at now: Instant, under policy: Policy, by device: String? = nil, towardsStop: Bool = true
  ) {
    failures += 1
    let towardsStop = towardsStop && policy.stopLimit != nil
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

  /// Counts abandoned reservations as failures at the moment when they ran out, not now.
  ///
  /// This method also runs without saving its result. A lockout that began again at each such call
  /// would never end.
  private mutating func settleAbandoned(at now: Instant, under policy: Policy) {
    let ranOutAt = reservedAt.adding(seconds: Self.reservationSeconds)
    guard reserved > 0, now >= ranOutAt else { return }
    // More failures than the stop limit change nothing.
    let counted = min(reserved, policy.stopLimit ?? reserved)
    for _ in 0..<counted { countFailure(at: ranOutAt, under: policy) }
    reserved = 0
  }
}

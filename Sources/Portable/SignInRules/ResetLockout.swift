public import SignInModel

/// The two counters a password reset answers to (T-11), in the bucket of the device asking.
///
///     open ──a wrong reset code locks the account──▶ locked ──the lock passes──▶ open
///       └──── one hundred wrong reset codes in a row ──▶ stopped until an administrator helps
///
/// A wrong reset code counts towards a lock of the account like any wrong answer. The hundred that
/// stop are counted apart: wrong reset codes stop resets only, and wrong passwords and sign-in
/// codes stop sign-ins only. So an owner whose account was locked or stopped by other people's
/// guesses at the password can still reset it: a reset waits only for a lock that a wrong *reset*
/// code led to.
public struct ResetLockout: Equatable, Sendable {
  public private(set) var account: Lockout
  public private(set) var resets: Lockout

  public init(account: Lockout, resets: Lockout) {
    self.account = account
    self.resets = resets
  }

  /// What holds now; `.wait` while passwords that are being compared may take the last tries.
  public func verdict(at now: Instant, under policy: Lockout.Policy) -> Lockout.Verdict {
    switch resets.verdict(at: now, under: policy) {
    case .locked(let until): .locked(until: until)
    case .stopped: .stopped
    case .wait: .wait
    case .compare: account.verdict(at: now, under: policy) == .wait ? .wait : .compare
    }
  }

  /// A reset's code was wrong; the verdict tells whether resets now rest.
  public mutating func countWrong(
    at now: Instant, under policy: Lockout.Policy, by device: String? = nil
  ) -> Lockout.Verdict {
    let locksBefore = account.locks
    account.countWrong(at: now, under: policy, by: device, towardsStop: false)
    resets.countWrong(at: now, under: policy)
    if account.locks > locksBefore, let until = account.lockedUntil { resets.rest(until: until) }
    return verdict(at: now, under: policy)
  }

  /// Tries left before a lock, as the wire's `attempts_left`.
  public func triesLeft(under policy: Lockout.Policy) -> Int64 {
    min(account.triesLeft(under: policy), resets.triesLeft(under: policy))
  }
}

public import SignInModel

/// The two failure counters of a password reset (T-11), in the bucket of the device.
///
///     open ──a wrong reset code locks the account──▶ locked ──the lockout ends──▶ open
///       └──── one hundred wrong reset codes in a row ──▶ stopped until an administrator helps
///
/// A wrong reset code counts towards a lockout of the account, as any wrong answer does. The
/// hundred failures that stop are counted separately: wrong reset codes stop only resets, and wrong
/// passwords and sign-in codes stop only sign-ins. So an owner can still reset the password of an
/// account that other people's guesses have locked or stopped. A reset waits only for a lockout
/// that a wrong *reset* code caused.
public struct ResetLockout: Equatable, Sendable {
  public private(set) var account: Lockout
  public private(set) var resets: Lockout

  public init(account: Lockout, resets: Lockout) {
    self.account = account
    self.resets = resets
  }

  /// The verdict now.
  ///
  /// It is `.wait` while passwords that are being compared may use the last attempts.
  public func verdict(at now: Instant, under policy: Lockout.Policy) -> Lockout.Verdict {
    switch resets.verdict(at: now, under: policy) {
    case .locked(let until): .locked(until: until)
    case .stopped: .stopped
    case .wait: .wait
    case .compare: account.verdict(at: now, under: policy) == .wait ? .wait : .compare
    }
  }

  /// A reset code was wrong.
  ///
  /// The verdict says whether resets are now locked.
  public mutating func countWrong(
    at now: Instant, under policy: Lockout.Policy, by device: String? = nil
  ) -> Lockout.Verdict {
    let locksBefore = account.locks
    account.countWrong(at: now, under: policy, by: device, towardsStop: false)
    resets.countWrong(at: now, under: policy)
    if account.locks > locksBefore, let until = account.lockedUntil { resets.rest(until: until) }
    return verdict(at: now, under: policy)
  }

  /// The attempts left before a lockout: `attempts_left` on the wire.
  public func attemptsLeft(under policy: Lockout.Policy) -> Int64 {
    min(account.attemptsLeft(under: policy), resets.attemptsLeft(under: policy))
  }
}

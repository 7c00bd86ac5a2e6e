public import SignInModel

/// The failed attempts of one account, in the bucket of the device that is signing in.
///
///     known device ──▶ its own bucket
///     all other devices ──▶ one shared bucket
///
/// An unknown device counts only in the shared bucket, so it cannot lock a known device. The
/// failures of a known device do not lock other devices. A complete sign-in removes only the
/// failures of its own device. Failures in a row are also counted over all buckets, until a sign-in
/// completes on any device. One hundred of them stop every device.
public struct FailureCounter: Equatable, Sendable {
  /// The bucket of all unknown devices.
  public private(set) var shared: Lockout
  /// The bucket of this device, if it is a known device.
  public private(set) var own: Lockout?
  /// The name of this device in the shared bucket.
  public let device: String?

  public init(shared: Lockout, own: Lockout?, device: String? = nil) {
    self.shared = shared
    self.own = own
    self.device = device
  }
}

extension FailureCounter {
  /// The verdict at this moment, without a change of the state.
  public func verdict(at now: Instant, under policy: Lockout.Policy) -> Lockout.Verdict {
    if let limit = policy.stopLimit, shared.failuresOfAccount >= limit { return .stopped }
    return (own ?? shared).verdict(at: now, under: policy)
  }

  /// Counts one answer before it is compared.
  public mutating func reserve(at now: Instant, under policy: Lockout.Policy) -> Lockout.Verdict {
    let current = verdict(at: now, under: policy)
    guard current == .compare else { return current }
    return change { $0.reserve(at: now, under: policy) }
  }

  /// The reserved answer was wrong.
  ///
  /// The verdict says whether this device is now locked.
  public mutating func settleWrong(
    at now: Instant, under policy: Lockout.Policy
  ) -> Lockout.Verdict {
    let device = own == nil ? device : nil
    _ = change { $0.settleWrong(at: now, under: policy, by: device) }
    return verdict(at: now, under: policy)
  }

  /// The reserved answer was right, but the sign-in is not complete, so no failure is removed.
  public mutating func settleRight() {
    change { $0.settleRight() }
  }

  /// The reserved answer was right, and it completed a sign-in on this device.
  public mutating func complete() {
    settleRight()
    shared.endRow()
    if own != nil {
      own?.reset()
    } else if let device {
      shared.removeFailures(of: device)
    }
  }

  /// The attempts left before a lockout: `attempts_left` on the wire.
  public func attemptsLeft(under policy: Lockout.Policy) -> Int64 {
    (own ?? shared).attemptsLeft(under: policy)
  }

  @discardableResult
  private mutating func change<Answer>(_ change: (inout Lockout) -> Answer) -> Answer {
    var bucket = own ?? shared
    let before = bucket.failuresInRow
    let answer = change(&bucket)
    if own == nil { shared = bucket } else { own = bucket }
    shared.countOfAccount(bucket.failuresInRow - before)
    return answer
  }
}

public import SignInModel

/// The wrong answers of one account, in the bucket that the device asking falls into.
///
///     a device that signed in to this account before ──▶ its own bucket
///     every other device ──▶ one bucket for all of them
///
/// A stranger can fill the shared bucket only, so nobody is locked out of a device they use; and a
/// known device's failures open no lock of the others. Failures in a row are counted over all
/// buckets: one hundred of them stop every device.
public struct FailureCounter: Equatable, Sendable {
  /// The bucket of every device that is not known.
  public private(set) var shared: Lockout
  /// The bucket of the device asking, when it is known.
  public private(set) var own: Lockout?

  public init(shared: Lockout, own: Lockout?) {
    self.shared = shared
    self.own = own
  }
}

extension FailureCounter {
  /// What holds now, changing nothing.
  public func verdict(at now: Instant, under policy: Lockout.Policy) -> Lockout.Verdict {
    guard let own else { return shared.verdict(at: now, under: policy) }
    if shared.verdict(at: now, under: policy) == .stopped { return .stopped }
    return own.verdict(at: now, under: policy)
  }

  /// Counts one answer before it is compared.
  public mutating func reserve(at now: Instant, under policy: Lockout.Policy) -> Lockout.Verdict {
    let standing = verdict(at: now, under: policy)
    guard standing == .compare else { return standing }
    return change { $0.reserve(at: now, under: policy) }
  }

  /// The reserved answer was wrong; the verdict tells whether this device now rests.
  public mutating func settleWrong(
    at now: Instant, under policy: Lockout.Policy
  ) -> Lockout.Verdict {
    _ = change { $0.settleWrong(at: now, under: policy) }
    return verdict(at: now, under: policy)
  }

  /// The reserved answer was right, but the sign-in is not complete: nothing is forgiven yet.
  public mutating func settleRight() {
    change { $0.settleRight() }
  }

  /// The reserved answer was right and completed a sign-in on this device.
  public mutating func complete(at now: Instant) {
    settleRight()
    guard own != nil else { return shared.reset() }
    own?.reset()
    shared.completeElsewhere(at: now)
  }

  /// Tries left before a lock, as the wire's `attempts_left`.
  public func triesLeft(under policy: Lockout.Policy) -> Int64 {
    (own ?? shared).triesLeft(under: policy)
  }

  @discardableResult
  private mutating func change<Answer>(_ change: (inout Lockout) -> Answer) -> Answer {
    guard var bucket = own else { return change(&shared) }
    let before = bucket.failuresInRow
    let answer = change(&bucket)
    own = bucket
    shared.countElsewhere(bucket.failuresInRow - before)
    return answer
  }
}

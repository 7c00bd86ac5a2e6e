public import SignInModel

/// The wrong answers of one account, in the bucket that the device asking falls into.
///
///     a device that signed in to this account before ──▶ its own bucket
///     every other device ──▶ one bucket for all of them
///
/// An unknown device fills the shared bucket only, so that it locks no known device; and a known
/// device's failures open no lock of the others. A complete sign-in takes back the failures of its
/// own device alone. Failures in a row are also counted over all buckets, until a sign-in completes
/// on any device: one hundred of them stop every device.
public struct FailureCounter: Equatable, Sendable {
  /// The bucket of every device that is not known.
  public private(set) var shared: Lockout
  /// The bucket of the device asking, when it is known.
  public private(set) var own: Lockout?
  /// The device asking, as the shared bucket names it.
  public let device: String?

  public init(shared: Lockout, own: Lockout?, device: String? = nil) {
    self.shared = shared
    self.own = own
    self.device = device
  }
}

extension FailureCounter {
  /// What holds now, changing nothing.
  public func verdict(at now: Instant, under policy: Lockout.Policy) -> Lockout.Verdict {
    if shared.failuresOfAccount >= policy.stopLimit { return .stopped }
    return (own ?? shared).verdict(at: now, under: policy)
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
    let device = own == nil ? device : nil
    _ = change { $0.settleWrong(at: now, under: policy, by: device) }
    return verdict(at: now, under: policy)
  }

  /// The reserved answer was right, but the sign-in is not complete: nothing is forgiven yet.
  public mutating func settleRight() {
    change { $0.settleRight() }
  }

  /// The reserved answer was right and completed a sign-in on this device.
  public mutating func complete() {
    settleRight()
    shared.endRow()
    if own != nil {
      own?.reset()
    } else if let device {
      shared.forgive(device)
    }
  }

  /// Tries left before a lock, as the wire's `attempts_left`.
  public func triesLeft(under policy: Lockout.Policy) -> Int64 {
    (own ?? shared).triesLeft(under: policy)
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

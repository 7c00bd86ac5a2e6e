import SignInModel
import SignInRules
import SignInWire

/// The failure counter for the answers of one device to one account.
///
/// It is chosen once, before an answer is compared, and used until that answer is settled.
struct FailureBucket: Equatable, Sendable {
  /// The account, or a digest that represents an unknown account.
  let account: AccountID
  /// The thumbprint of the device's key, if the device is known to the account.
  let device: String?
  /// The thumbprint of the device's key, known or not.
  ///
  /// It is nil if no key was proved.
  let asker: String?
  /// Whether a sign-in on the device proved the account's password.
  var hasProvedPassword = false

  /// Nil if the account is unknown.
  var existingAccount: AccountID? { Keyring.isUnknownAccount(account) ? nil : account }

  /// The holder of the codes for this device.
  var holder: CodeChallenge.Holder {
    device.map { .knownDevice($0) } ?? .unknownDevices
  }

  func codePlace(for purpose: CodeChallenge.Purpose) -> CodeChallenge.Key {
    CodeChallenge.Key(account: account, purpose: purpose, holder: holder)
  }

  /// The name of an unknown device among the devices that share a bucket.
  ///
  /// It is the beginning of the thumbprint. Its 96 bits are enough to distinguish devices.
  var sharedBucketName: String? { device == nil ? asker.map { String($0.prefix(16)) } : nil }

  /// The counter of the device, or the one that all unknown devices share.
  var lockoutKey: LockoutKey { LockoutKey(account, device: device) }
}

extension KnownDeviceRecords {
  func failureBucket(
    of account: AccountID, device thumbprint: String?, at now: Instant
  ) throws(StoreFault) -> FailureBucket {
    guard let thumbprint else {
      return FailureBucket(account: account, device: nil, asker: nil)
    }
    let device = try knownDevice(of: account, proofKeyThumbprint: thumbprint)
    let isKnown = device.map { now < $0.lastSeenAt.adding(seconds: KnownDevice.retentionSeconds) }
    guard isKnown == true else {
      return FailureBucket(account: account, device: nil, asker: thumbprint)
    }
    return FailureBucket(
      account: account, device: thumbprint, asker: thumbprint,
      hasProvedPassword: device?.hasProvedPassword == true
    )
  }

}

extension RefusalRecords where Self: EventRecords {
  /// Refuses during a lockout, and records it.
  func checkLockout(
    of counter: FailureCounter, in bucket: FailureBucket, by caller: Caller, at now: Instant,
    under policy: Lockout.Policy
  ) throws {
    switch counter.verdict(at: now, under: policy) {
    case .locked, .stopped:
      try recordRefusal(.refusedLocked, about: bucket.account, by: caller, at: now)
      throw Refusal.lockedOut(counter, at: now, under: policy)
    case .compare, .wait: break
    }
  }
}

extension LockoutRecords {
  func failures(in bucket: FailureBucket) throws(StoreFault) -> FailureCounter {
    var own: Lockout?
    if bucket.device != nil { own = try lockout(bucket.lockoutKey) }
    return FailureCounter(
      shared: try lockout(LockoutKey(bucket.account)), own: own, device: bucket.sharedBucketName)
  }

  func save(_ counter: FailureCounter, in bucket: FailureBucket) throws(StoreFault) {
    try save(counter.shared, for: LockoutKey(bucket.account))
    if bucket.device != nil, let own = counter.own { try save(own, for: bucket.lockoutKey) }
  }

  func resetLockout(in bucket: FailureBucket) throws(StoreFault) -> ResetLockout {
    ResetLockout(
      account: try lockout(bucket.lockoutKey), resets: try lockout(bucket.lockoutKey.ofResets)
    )
  }

  func save(_ locks: ResetLockout, in bucket: FailureBucket) throws(StoreFault) {
    try save(locks.account, for: bucket.lockoutKey)
    try save(locks.resets, for: bucket.lockoutKey.ofResets)
  }

  fileprivate func openLockout(_ key: LockoutKey) throws(StoreFault) {
    var lockout = try lockout(key)
    lockout.reset()
    try save(lockout, for: key)
  }
}

extension KnownDeviceRecords where Self: LockoutRecords {
  /// The ends of the current lockouts of the account's known devices.
  func locks(
    ofDevicesOf account: AccountID, at now: Instant
  ) throws(StoreFault) -> [Instant] {
    var locks: [Instant] = []
    for device in try knownDevices(of: account) {
      let lockout = try lockout(device.lockoutKey)
      if let until = lockout.lockedUntil, now < until { locks.append(until) }
    }
    return locks
  }
}

extension KnownDevice {
  /// The records that change when a device becomes known or is forgotten.
  typealias Records = CodeRecords & KnownDeviceRecords & LockoutRecords
}

extension KnownDeviceRecords where Self: KnownDevice.Records {
  /// Makes a device known after a completed sign-in.
  ///
  /// From now on it has its own bucket.
  ///
  /// `before` are the known devices of the account. The device that was seen last comes first.
  func remember(_ device: KnownDevice, among before: [KnownDevice]) throws(StoreFault) {
    let known = before.first { $0.proofKeyThumbprint == device.proofKeyThumbprint }
    // A device that becomes known again starts without its earlier failures.
    if known == nil {
      try openLockout(device.lockoutKey)
      try moveCodes(of: device)
    }
    var device = device
    device.hasProvedPassword = device.hasProvedPassword || known?.hasProvedPassword == true
    try save(device)
    let others = before.filter { $0.proofKeyThumbprint != device.proofKeyThumbprint }
    for other in others.dropFirst(KnownDevice.limit - 1) { try forget(other) }
  }

  /// Opens an account for an administrator or a reset: every bucket is cleared, also those of
  /// resets.
  ///
  /// Answers that are being compared now still count (L-01). A reset also forgets the devices,
  /// because one of them may be the reason for the reset.
  func open(_ account: AccountID, forgettingDevices: Bool) throws(StoreFault) {
    try openLockout(LockoutKey(account))
    try save(.open, for: LockoutKey(account).ofResets)
    for device in try knownDevices(of: account) {
      if forgettingDevices {
        try forget(device)
      } else {
        try openLockout(device.lockoutKey)
        try save(.open, for: device.lockoutKey.ofResets)
      }
    }
  }

  /// Moves a code, with its cooldown, from the unknown devices to a device that has become known.
  ///
  /// The unknown devices keep only the cooldown, so that no code is valid for two holders.
  private func moveCodes(of device: KnownDevice) throws(StoreFault) {
    for purpose in CodeChallenge.Purpose.allCases {
      let place = CodeChallenge.Key(
        account: device.account, purpose: purpose, holder: .unknownDevices)
      guard let code = try codeChallenge(at: place),
        code.proofKeyThumbprint == device.proofKeyThumbprint,
        // The cooldown of a used code can end with its use. Then there is nothing to move.
        !code.isConsumed || code.isCoolingDown(at: device.lastSeenAt)
      else { continue }
      try save(code.held(by: .knownDevice(device.proofKeyThumbprint)))
      try save(code.consumed())
    }
  }

  /// Removes a known device with its lockouts and codes.
  func forget(_ device: KnownDevice) throws(StoreFault) {
    try openLockout(device.lockoutKey)
    try save(.open, for: device.lockoutKey.ofResets)
    try removeCodeChallenges(
      of: device.account, heldBy: .knownDevice(device.proofKeyThumbprint)
    )
    try removeKnownDevice(
      of: device.account, proofKeyThumbprint: device.proofKeyThumbprint
    )
  }
}

extension KnownDevice {
  fileprivate var lockoutKey: LockoutKey { LockoutKey(account, device: proofKeyThumbprint) }
}

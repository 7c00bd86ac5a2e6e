import SignInModel
import SignInRules

/// Which counter the answers of one device to one account are held against.
///
/// It is decided once, before an answer is compared, and kept until that answer is settled.
struct FailureBucket: Equatable, Sendable {
  /// The account, or a digest that stands for one that does not exist.
  let account: AccountID
  /// The thumbprint of the device's key, when the account knows it.
  let device: String?

  /// Nil when the account does not exist.
  var existingAccount: AccountID? { Keyring.isStranger(account) ? nil : account }

  fileprivate var deviceKey: String? { device.map { Self.key(account, $0) } }

  fileprivate static func key(_ account: AccountID, _ device: String) -> String {
    account.text + "/" + device
  }
}

extension Transaction {
  func failureBucket(
    of account: AccountID, device thumbprint: String, at now: Instant
  ) throws(StoreFault) -> FailureBucket {
    let device = try knownDevice(of: account, proofKeyThumbprint: thumbprint)
    let isKnown = device.map { now < $0.lastSeenAt.adding(seconds: KnownDevice.keptSeconds) }
    return FailureBucket(account: account, device: isKnown == true ? thumbprint : nil)
  }

  func failures(in bucket: FailureBucket) throws(StoreFault) -> FailureCounter {
    var own: Lockout?
    if let key = bucket.deviceKey { own = try lockout(key) }
    return FailureCounter(shared: try lockout(bucket.account.text), own: own)
  }

  func save(_ counter: FailureCounter, in bucket: FailureBucket) throws(StoreFault) {
    try save(counter.shared, for: bucket.account.text)
    if let key = bucket.deviceKey, let own = counter.own { try save(own, for: key) }
  }

  /// A sign-in was completed on this device: from now on it has a bucket of its own.
  func remember(_ device: KnownDevice) throws(StoreFault) {
    let known = try knownDevice(
      of: device.account, proofKeyThumbprint: device.proofKeyThumbprint
    )
    // What it failed before it was forgotten is over.
    if known == nil {
      try openLockout(FailureBucket.key(device.account, device.proofKeyThumbprint))
    }
    try save(device)
    for other in try knownDevices(of: device.account).dropFirst(KnownDevice.limit) {
      try forget(other)
    }
  }

  /// An administrator or a reset opens the account: every bucket is emptied.
  ///
  /// Answers being compared just now stay counted (L-01). A reset also forgets the devices, for one
  /// of them may be why it was needed.
  func open(_ account: AccountID, forgettingDevices: Bool) throws(StoreFault) {
    try openLockout(account.text)
    for device in try knownDevices(of: account) {
      if forgettingDevices {
        try forget(device)
      } else {
        try openLockout(FailureBucket.key(account, device.proofKeyThumbprint))
      }
    }
  }

  /// Until when those of the account's known devices rest that do.
  func locks(
    ofDevicesOf account: AccountID, at now: Instant
  ) throws(StoreFault) -> [Instant] {
    var locks: [Instant] = []
    for device in try knownDevices(of: account) {
      let lockout = try lockout(FailureBucket.key(account, device.proofKeyThumbprint))
      if let until = lockout.lockedUntil, now < until { locks.append(until) }
    }
    return locks
  }

  private func openLockout(_ key: String) throws(StoreFault) {
    var lockout = try lockout(key)
    lockout.reset()
    try save(lockout, for: key)
  }

  private func forget(_ device: KnownDevice) throws(StoreFault) {
    try openLockout(FailureBucket.key(device.account, device.proofKeyThumbprint))
    try removeKnownDevice(
      of: device.account, proofKeyThumbprint: device.proofKeyThumbprint
    )
  }
}

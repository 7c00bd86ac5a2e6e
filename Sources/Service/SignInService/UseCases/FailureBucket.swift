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
  /// The thumbprint of the device's key, known or not; nil when none was proved.
  let asker: String?
  /// Whether a sign-in on the device proved the account's password.
  var hasProvedPassword = false

  /// Nil when the account does not exist.
  var existingAccount: AccountID? { Keyring.isStranger(account) ? nil : account }

  /// Whose codes the device asking has part in.
  var holder: CodeChallenge.Holder {
    device.map { .knownDevice($0) } ?? .unknownDevices
  }

  func codePlace(for purpose: CodeChallenge.Purpose) -> CodeChallenge.Place {
    CodeChallenge.Place(account: account, purpose: purpose, holder: holder)
  }

  /// The name of an unknown device among those that share a bucket.
  ///
  /// The beginning of a thumbprint tells devices apart well enough: 96 bits.
  var shareName: String? { device == nil ? asker.map { String($0.prefix(16)) } : nil }

  fileprivate var deviceKey: String? { device.map { Self.key(account, $0) } }

  /// The bucket of the device, or the one that all unknown devices share.
  var lockoutKey: String { deviceKey ?? account.text }

  /// The counter of wrong reset codes beside it; no identifier of an account begins like this.
  var resetKey: String { Self.resetKey(lockoutKey) }

  fileprivate static func resetKey(_ lockoutKey: String) -> String { "reset|" + lockoutKey }

  fileprivate static func key(_ account: AccountID, _ device: String) -> String {
    account.text + "/" + device
  }
}

extension Transaction {
  func failureBucket(
    of account: AccountID, device thumbprint: String?, at now: Instant
  ) throws(StoreFault) -> FailureBucket {
    guard let thumbprint else {
      return FailureBucket(account: account, device: nil, asker: nil)
    }
    let device = try knownDevice(of: account, proofKeyThumbprint: thumbprint)
    let isKnown = device.map { now < $0.lastSeenAt.adding(seconds: KnownDevice.keptSeconds) }
    guard isKnown == true else {
      return FailureBucket(account: account, device: nil, asker: thumbprint)
    }
    return FailureBucket(
      account: account, device: thumbprint, asker: thumbprint,
      hasProvedPassword: device?.hasProvedPassword == true
    )
  }

  func failures(in bucket: FailureBucket) throws(StoreFault) -> FailureCounter {
    var own: Lockout?
    if let key = bucket.deviceKey { own = try lockout(key) }
    return FailureCounter(
      shared: try lockout(bucket.account.text), own: own, device: bucket.shareName)
  }

  func save(_ counter: FailureCounter, in bucket: FailureBucket) throws(StoreFault) {
    try save(counter.shared, for: bucket.account.text)
    if let key = bucket.deviceKey, let own = counter.own { try save(own, for: key) }
  }

  func resetLockout(in bucket: FailureBucket) throws(StoreFault) -> ResetLockout {
    ResetLockout(
      account: try lockout(bucket.lockoutKey), resets: try lockout(bucket.resetKey)
    )
  }

  func save(_ locks: ResetLockout, in bucket: FailureBucket) throws(StoreFault) {
    try save(locks.account, for: bucket.lockoutKey)
    try save(locks.resets, for: bucket.resetKey)
  }

  /// A sign-in was completed on this device: from now on it has a bucket of its own.
  ///
  /// `before` are the devices of the account that are known, the one seen last first.
  func remember(_ device: KnownDevice, among before: [KnownDevice]) throws(StoreFault) {
    let known = before.first { $0.proofKeyThumbprint == device.proofKeyThumbprint }
    // What it failed before it was forgotten is over.
    if known == nil {
      try openLockout(FailureBucket.key(device.account, device.proofKeyThumbprint))
      try takeOverCodes(of: device)
    }
    var device = device
    device.hasProvedPassword = device.hasProvedPassword || known?.hasProvedPassword == true
    try save(device)
    let others = before.filter { $0.proofKeyThumbprint != device.proofKeyThumbprint }
    for other in others.dropFirst(KnownDevice.limit - 1) { try forget(other) }
  }

  /// An administrator or a reset opens the account: every bucket is emptied, those of resets too.
  ///
  /// Answers being compared just now stay counted (L-01). A reset also forgets the devices, for one
  /// of them may be why it was needed.
  func open(_ account: AccountID, forgettingDevices: Bool) throws(StoreFault) {
    try openLockout(account.text)
    try save(.open, for: FailureBucket.resetKey(account.text))
    for device in try knownDevices(of: account) {
      if forgettingDevices {
        try forget(device)
      } else {
        let key = FailureBucket.key(account, device.proofKeyThumbprint)
        try openLockout(key)
        try save(.open, for: FailureBucket.resetKey(key))
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

  /// The account knows only the device with this key from now on, if any.
  func forgetDevices(of account: AccountID, except thumbprint: String?) throws(StoreFault) {
    for device in try knownDevices(of: account) where device.proofKeyThumbprint != thumbprint {
      try forget(device)
    }
  }

  /// The device of a session that somebody else ended may be in the wrong hands.
  func forgetDevice(of session: Session) throws(StoreFault) {
    let key = session.proofKeyThumbprint
    if let device = try knownDevice(of: session.account, proofKeyThumbprint: key) {
      try forget(device)
    }
  }

  private func openLockout(_ key: String) throws(StoreFault) {
    var lockout = try lockout(key)
    lockout.reset()
    try save(lockout, for: key)
  }

  /// A code that was sent while the device was unknown, and its cooldown, go with the device.
  ///
  /// The other unknown devices keep the cooldown alone: no code is live under two holders.
  private func takeOverCodes(of device: KnownDevice) throws(StoreFault) {
    for purpose in CodeChallenge.Purpose.allCases {
      let place = CodeChallenge.Place(
        account: device.account, purpose: purpose, holder: .unknownDevices)
      guard let code = try codeChallenge(at: place),
        code.proofKeyThumbprint == device.proofKeyThumbprint,
        // Nothing is left of one that was used and whose cooldown ended with its use.
        !code.isConsumed || code.isCoolingDown(at: device.lastSeenAt)
      else { continue }
      try save(code.held(by: .knownDevice(device.proofKeyThumbprint)))
      try save(code.consumed())
    }
  }

  private func forget(_ device: KnownDevice) throws(StoreFault) {
    let key = FailureBucket.key(device.account, device.proofKeyThumbprint)
    try openLockout(key)
    try save(.open, for: FailureBucket.resetKey(key))
    try removeCodeChallenges(
      of: device.account, heldBy: .knownDevice(device.proofKeyThumbprint)
    )
    try removeKnownDevice(
      of: device.account, proofKeyThumbprint: device.proofKeyThumbprint
    )
  }
}

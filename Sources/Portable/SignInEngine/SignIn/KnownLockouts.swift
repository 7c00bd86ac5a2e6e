import JSONText
import SignInModel
import SignInWire

/// The accounts that this device knows to be locked.
///
/// The app sends no request for such an account (T-05). A colleague can still sign in on the same
/// device. They are stored beside the session, and a new session, a sign-out and a reload leave
/// them there. What is stored names an account only by a keyed hash.
struct KnownLockouts: Equatable, Sendable {
  static let version: Int64 = 1
  static let countLimit = 8

  /// Whose account is locked.
  enum Subject: Equatable, Sendable {
    case email(EmailAddress)
    case phone(PhoneNumber)

    fileprivate var text: String {
      switch self {
      case .email(let address): address.text
      case .phone(let phone): phone.e164
      }
    }
  }

  struct Lockout: Equatable, Sendable {
    /// A moment of the server's time.
    let until: Instant
    /// After wrong codes of a reset, the server refuses resets too.
    let canReset: Bool
  }

  private struct Entry: Equatable, Sendable {
    let account: String
    let lockout: Lockout
  }

  private var entries: [Entry] = []
  /// The key of the hash.
  ///
  /// It is random, so no table made before has the hashes of addresses.
  private var salt = ""
  /// The clocks when the lockouts that were read were stored; `nil` if none were read.
  private(set) var storedAt: LastActivity.ClockReadings?
  /// Whether storage has other lockouts.
  private(set) var isChanged = false

  private func name(of subject: Subject) -> String {
    let salt = [UInt8](salt.utf8)
    let half = SipHash.hash(salt, 0, 0)
    let hash = SipHash.hash([UInt8](subject.text.utf8), half, SipHash.hash(salt, half, 0))
    return Base64URL.encode((0..<8).map { UInt8(truncatingIfNeeded: hash >> ($0 * 8)) })
  }

  /// Learns a lockout; `newSalt` becomes the key of the hash if there is none.
  mutating func learn(_ lockout: Lockout, of subject: Subject, at now: Instant, newSalt: String) {
    if entries.isEmpty { salt = newSalt }
    let account = name(of: subject)
    entries.removeAll { $0.lockout.until <= now || $0.account.hasSameBytes(as: account) }
    if entries.count == Self.countLimit { entries.removeFirst() }
    entries.append(Entry(account: account, lockout: lockout))
    isChanged = true
  }

  mutating func forget(_ subject: Subject) {
    guard !entries.isEmpty else { return }
    let account = name(of: subject)
    let count = entries.count
    entries.removeAll { $0.account.hasSameBytes(as: account) }
    if entries.count != count { isChanged = true }
  }

  func lockout(of subject: Subject, at now: Instant) -> Lockout? {
    guard !entries.isEmpty else { return nil }
    let account = name(of: subject)
    for entry in entries
    where now < entry.lockout.until && entry.account.hasSameBytes(as: account) {
      return entry.lockout
    }
    return nil
  }

  /// Removes the lockouts that have ended.
  mutating func removeEnded(at now: Instant) {
    let count = entries.count
    entries.removeAll { $0.lockout.until <= now }
    if entries.count != count { isChanged = true }
  }

  // MARK: Storage

  /// The text to store; `nil` if there is no lockout.
  mutating func takeText(_ clocks: LastActivity.ClockReadings) -> Secret? {
    isChanged = false
    guard !entries.isEmpty else { return nil }
    let listed = entries.map { entry in
      JSON.members([
        JSONMember("account", entry.account),
        JSONMember("until", entry.lockout.until.seconds),
        JSONMember("can_reset", entry.lockout.canReset),
      ])
    }
    return Secret(
      JSON.members([
        JSONMember("version", Self.version), JSONMember("salt", salt),
        JSONMember("stored_at", clocks.json), JSONMember("lockouts", .array(listed)),
      ]))
  }

  init() {}

  /// Reads what any tab or process of the app has stored; a damaged text contains no lockout.
  init(text: Secret?) {
    guard let text, let json = JSON(storedText: text), json.count("version") == Self.version,
      let salt = json.text("salt")
    else { return }
    self.salt = salt
    storedAt = LastActivity.ClockReadings(json: json["stored_at"])
    for element in (json.elements("lockouts") ?? []).suffix(Self.countLimit) {
      guard let account = element.text("account"), let until = element.unixSeconds("until") else {
        continue
      }
      let lockout = Lockout(
        until: Instant(seconds: until), canReset: element.flag("can_reset") ?? true)
      entries.append(Entry(account: account, lockout: lockout))
    }
  }
}

extension LastActivity.ClockReadings {
  /// How far the server's time was ahead of the device's clock.
  fileprivate var serverAheadMilliseconds: Int64 { server.milliseconds - device.milliseconds }
}

extension FlowContext {
  /// The time at which a lockout is compared.
  ///
  /// Of several estimates of the server's time the latest one is used. So a device whose clock was
  /// set does not lock longer than the server.
  var lockoutTime: Instant {
    let here = clockReadings
    let latest = max(now, here.server)
    guard !here.isTimeLearned, let storedAt = hints.lockouts.storedAt else { return latest }
    return max(latest, here.device.adding(milliseconds: storedAt.serverAheadMilliseconds))
  }

  mutating func learnLockout(
    of subject: KnownLockouts.Subject, until: Instant, canReset: Bool = true
  ) {
    let lockout = KnownLockouts.Lockout(until: until, canReset: canReset)
    hints.lockouts.learn(lockout, of: subject, at: lockoutTime, newSalt: runName)
  }

  mutating func forgetLockout(of subject: KnownLockouts.Subject) { hints.lockouts.forget(subject) }

  func lockout(of subject: KnownLockouts.Subject) -> KnownLockouts.Lockout? {
    hints.lockouts.lockout(of: subject, at: lockoutTime)
  }

  /// Adopts what storage contains now, which another tab or an earlier run may have stored.
  ///
  /// Until the server has sent its time, only the device's clock can tell how much time has passed.
  /// If it was set back since then, a lockout could seem to last longer than it does, so the server
  /// decides.
  mutating func adoptLockouts(_ text: Secret?) {
    let here = clockReadings
    hints.lockouts = KnownLockouts(text: text)
    if here.isTimeLearned { return hints.lockouts.removeEnded(at: lockoutTime) }
    guard let storedAt = hints.lockouts.storedAt else { return }
    guard storedAt.device <= here.device else {
      hints.lockouts = KnownLockouts()
      return
    }
    // The screen shows the true minutes. A session has an estimate of its own.
    if session == nil {
      restoreTime(serverAheadMilliseconds: storedAt.serverAheadMilliseconds)
    }
  }

  /// The effect that stores the lockouts, if storage has other ones.
  mutating func storeLockouts() -> [Effect] {
    hints.lockouts.isChanged ? [.saveLockouts(hints.lockouts.takeText(clockReadings))] : []
  }
}

extension Refusal {
  /// How long a lockout is assumed to last if the answer does not contain its end.
  ///
  /// It is the default of the server's policy.
  static let defaultLockoutSeconds: Int64 = 15 * 60

  func lockEnd(at now: Instant) -> Instant {
    lockedUntil ?? now.adding(seconds: retryIn ?? Self.defaultLockoutSeconds)
  }
}

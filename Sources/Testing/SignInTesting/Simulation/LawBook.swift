internal import JSONText
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

/// Watches every comparison, commit, message and answer of one world, and keeps the first law that
/// was broken.
///
/// It knows what the server knows only through the tables, and keeps its own account of the rest.
/// `@unchecked Sendable`: touched by the world's one thread alone.
final class LawBook: @unchecked Sendable {
  typealias CodePlace = CodeChallenge.Place

  struct IssuedCode {
    /// Changes when the device of the code becomes known to the account.
    var place: CodePlace
    let text: String
    /// What the code was bound to as it was sent: it never changes.
    let key: String
    let madeAt: Instant
    /// Made for somebody who must not be sent anything.
    let isDecoy: Bool
    var isConsumed = false
  }

  /// The messages to one number that one holder is allowed.
  struct MessageShare: Hashable {
    let phone: PhoneNumber
    let holder: CodeChallenge.Holder
  }

  struct ToldLock {
    let until: Instant
    let serial: Int
    /// False while it follows from answers a stalled or crashed server forgot to settle: such an
    /// answer may still turn out right.
    let isDurable: Bool
  }

  static let resetPrefix = "reset|"
  static let failureLimit = Int(Lockout.Policy().failureLimit)

  private(set) var violation: Violation?
  /// Numbers every transaction, so that an answer made before another is told apart.
  var serial = 0

  /// What one device failed, at most.
  struct WrongAnswers {
    var sinceLock: Int64 = 0
    var inRow: Int64 = 0
  }

  /// Wrong answers of one counter, by the lock they lead up to.
  struct Guesses {
    var locks = 0
    var compared: [Int: Int] = [:]
    /// Answers that stalled for longer than their reservation lived: each was counted as a failure
    /// by then, and as it settled it may have given back the place of another.
    var stalled = 0

    var current: Int { compared[locks] ?? 0 }
  }

  var guesses: [String: Guesses] = [:]
  /// Wrong answers of each device, by the counter they were counted in.
  var wrongAnswers: [String: [String: WrongAnswers]] = [:]
  /// The last transaction that touched a counter, and the last that opened it.
  var touched: [String: Int] = [:]
  var opened: [String: Int] = [:]
  var toldLocks: [String: ToldLock] = [:]

  /// Whether a transaction is open.
  var isDeciding = false
  /// The names in each kind of answer, as it was first given.
  var forms: [String: [String]] = [:]
  /// When messages were recorded that count against a share of a number.
  var recordedAt: [MessageShare: [Instant]] = [:]

  var codes: [String: IssuedCode] = [:]
  /// The newest code of each account, purpose and holder, by its challenge.
  var newest: [CodePlace: String] = [:]
  var texts: [String: String] = [:]
  var handOvers: [String: Int64] = [:]

  var provedPassword: Set<[UInt8]> = []
  var provedCode: Set<[UInt8]> = []
  /// How often apps asked for the tokens of an authorization code, by its digest.
  var redemptions: [[UInt8]: Int] = [:]
  var toldSessions: [SessionID: Int64] = [:]
  var toldEndings: Set<SessionID> = []
  /// Sessions that were over for so long that they were removed.
  var removed: Set<SessionID> = []

  /// Resets that set a password, by the digest of their handle.
  var resets: [[UInt8]: ResetPassword] = [:]
  /// The last transactions that changed an account's password, and its status.
  var passwordSerials: [AccountID: Int] = [:]
  var statusSerials: [AccountID: Int] = [:]
  var toldPasswords: [AccountID: ResetPassword] = [:]
  var toldStatuses: [AccountID: Account.Status] = [:]
  /// Numbers whose registration was acknowledged.
  var toldNumbers: Set<String> = []

  func broken(_ law: Law, _ detail: String) {
    if violation == nil { violation = Violation(law: law, detail: detail) }
  }

  func sent(_ request: WireRequest) {
    guard request.isFromApp, let code = request.form["code"] else { return }
    redemptions[DatedHandle.digest(of: code), default: 0] += 1
  }

  func expect(_ isKept: Bool, _ law: Law, _ detail: @autoclosure () -> String) {
    if !isKept { broken(law, detail()) }
  }
}

// MARK: - Comparisons

extension LawBook {
  /// A password was compared: the moment that counts, whatever becomes of the answer.
  func passwordCompared(_ encoded: String, isRight: Bool, _ errand: Errand) {
    let owner = FastPasswordHashing.owner(of: encoded)
    let key = errand.counterKey ?? owner
    if isRight {
      errand.provedPassword = AccountID(owner)
      errand.provedHash = encoded
    } else {
      errand.comparedWrong = key
      // One that stalled until it was counted as a failure belongs to the lock it led to.
      compareWrong(key, before: errand.lock ?? guesses[key]?.locks ?? 0)
    }
  }

  private func compareWrong(_ key: String, before lock: Int) {
    let count = (guesses[key]?.compared[lock] ?? 0) + 1
    guesses[key, default: Guesses()].compared[lock] = count
    expect(
      count <= Self.failureLimit + (guesses[key]?.stalled ?? 0), .fiveWrongAnswers,
      "the \(count)th wrong answer of \(key) was compared"
    )
  }
}

// MARK: - Commits

extension LawBook {
  func committed(_ before: MemoryTables, _ after: MemoryTables, at now: Instant) {
    serial += 1
    guard violation == nil, let errand = Errand.current else { return }
    errand.serial = serial
    errand.committedAt = now
    if before.challenges != after.challenges { challengesChanged(before, after, errand) }
    var accepted = acceptedCode(before, after, errand)
    if before.accounts != after.accounts {
      accepted = accountsChanged(before, after, errand) ?? accepted
    }
    if before.attempts != after.attempts { attemptsChanged(before, after, errand) }
    if before.lockouts != after.lockouts {
      for (key, lockout) in after.lockouts where before.lockouts[key] != lockout {
        counted(key, before, lockout, errand, accepted)
      }
    }
    if before.messages != after.messages { messagesChanged(before, after, errand) }
    if before.sessions != after.sessions { sessionsChanged(before, after, errand) }
  }

  private func counted(
    _ key: String, _ tables: MemoryTables, _ after: Lockout, _ errand: Errand,
    _ accepted: AccountID?
  ) {
    let before = tables.lockouts[key] ?? .open
    // A reset counter is also locked while its account is, with no lock of its own.
    let rests =
      key.hasPrefix(Self.resetPrefix)
      && after.lockedUntil ?? errand.readClock > before.lockedUntil ?? errand.readClock
    if rests
      || (after.failures, after.reserved, after.locks)
        != (before.failures, before.reserved, before.locks)
    {
      touched[key] = serial
    }
    let isCounted = after.failures > before.failures || after.locks > before.locks || rests
    if isCounted { errand.wasWrongCounted = true }
    let locks = Int(max(after.locks - before.locks, rests ? 1 : 0))
    if errand.isCodeAnswer, isCounted, accepted == nil {
      compareWrong(
        key, before: (guesses[key]?.locks ?? 0) + Self.locksOfTheForgotten(before, errand))
    }

    let givesBack =
      after.failuresInRow < before.failuresInRow || after.locks < before.locks
      || (locks == 0 && after.failures < before.failures)
    let mayOpen = Self.mayOpen(key, errand, accepted, tables)
    if accepted == nil {
      countWrong(key, before, after, errand)
    } else if case .verify = errand.kind {
      expectOwnOnly(key, before, after, errand)
    }
    expect(!givesBack || mayOpen, .triesAreNotGivenBack, "the counter of \(key) went back")
    if mayOpen { opened[key] = serial }
    var guesses = self.guesses[key] ?? Guesses()
    guesses.locks += locks
    if mayOpen { guesses.compared[guesses.locks] = 0 }
    if errand.counterKey == key, errand.hasStalled { guesses.stalled += 1 }
    self.guesses[key] = guesses
    reserved(key, tables, errand)
    expect(
      Int(after.failures + after.reserved) + guesses.stalled >= guesses.current, .fiveWrongAnswers,
      "\(key): \(after.failures) failures, \(after.reserved) under way, \(guesses.current) compared"
    )
  }

  /// Locks that answers nobody settled had led to before this errand's own answer was compared.
  private static func locksOfTheForgotten(_ before: Lockout, _ errand: Errand) -> Int {
    let policy = Lockout.Policy()
    let ranOutAt = before.reservedAt.adding(seconds: policy.reservationSeconds)
    guard before.reserved > 0, errand.readClock >= ranOutAt else { return 0 }
    return Int((before.failures + before.reserved) / policy.failureLimit)
  }

  private func countWrong(
    _ key: String, _ before: Lockout, _ after: Lockout, _ errand: Errand
  ) {
    if after.locks > before.locks {
      for device in (wrongAnswers[key] ?? [:]).keys {
        wrongAnswers[key]?[device]?.sinceLock = 0
      }
    }
    var wrong = wrongAnswers[key]?[errand.device] ?? WrongAnswers()
    wrong.sinceLock += max(0, after.failures - before.failures)
    wrong.inRow += max(0, after.failuresInRow - before.failuresInRow)
    wrongAnswers[key, default: [:]][errand.device] = wrong
  }

  /// A sign-in was completed on this device.
  private func expectOwnOnly(
    _ key: String, _ before: Lockout, _ after: Lockout, _ errand: Errand
  ) {
    let own = wrongAnswers[key]?[errand.device] ?? WrongAnswers()
    expect(
      before.failures - after.failures <= own.sinceLock
        && before.failuresInRow - after.failuresInRow <= own.inRow,
      .ownTriesOnly, "the counter of \(key) lost what other devices failed"
    )
    wrongAnswers[key]?[errand.device] = nil
  }

  private static func mayOpen(
    _ key: String, _ errand: Errand, _ accepted: AccountID?, _ before: MemoryTables
  ) -> Bool {
    switch errand.kind {
    case .administration(let account, .unlock), .administration(let account, .reset):
      isCounter(key, of: account) || key.hasPrefix(resetPrefix + account.text)
    case .administration(let account, .status(.deactivate)): isDeviceCounter(key, of: account)
    case .reset:
      accepted.map { isCounter(key, of: $0) || key.hasPrefix(resetPrefix + $0.text) } ?? false
    case .verify: accepted.map { key == counter(of: $0, errand, before) } ?? false
    case .passwordSignIn, .phoneSignIn, .resend, .redeem, .refresh, .revoke, .forgot,
      .registration, .read, .delivery, .administration(_, .status):
      false
    // A device whose session another one ended is forgotten, and its own counter with it.
    case .administration(let account, .endSessions): isDeviceCounter(key, of: account)
    case .tidying: before.accounts.keys.contains { isDeviceCounter(key, of: $0) }
    }
  }

  private static func isDeviceCounter(_ key: String, of account: AccountID) -> Bool {
    key.hasPrefix(account.text + "/") || key.hasPrefix(resetPrefix + account.text + "/")
  }

  /// An account has one counter, or several that begin with its name.
  private static func isCounter(_ key: String, of account: AccountID) -> Bool {
    key == account.text || key.hasPrefix(account.text + "/")
  }

  /// What wrong codes of an account's resets are counted under, besides the account.
  static func resetCounter(
    of account: AccountID, heldBy holder: CodeChallenge.Holder
  ) -> String {
    switch holder {
    case .knownDevice(let device): resetPrefix + account.text + "/" + device
    case .unknownDevices: resetPrefix + account.text
    }
  }

  /// Whose codes a reset has part in: without a proved key, those of the unknown devices.
  static func holder(
    of reset: PasswordReset, _ errand: Errand, _ tables: MemoryTables
  ) -> CodeChallenge.Holder {
    guard reset.proofKeyThumbprint != nil else { return .unknownDevices }
    return holder(of: reset.account, errand, tables)
  }

  /// The first transaction of a password is the one that reserves its try.
  private func reserved(_ key: String, _ before: MemoryTables, _ errand: Errand) {
    guard case .passwordSignIn(let username) = errand.kind, errand.counterKey == nil else { return }
    let account = before.accounts.values.first { $0.email?.text == username }
    let counter = account.map { Self.counter(of: $0.id, errand, before) } ?? key
    guard counter == key else { return }
    errand.counterKey = key
    errand.lock = guesses[key]?.locks ?? 0
    errand.reservedAt = errand.readClock
    expectUnlocked(key, before.lockouts[key], errand, "reserved a try")
  }

  /// The counter this errand's device is held against: its own where the account knows it.
  static func counter(
    of account: AccountID, _ errand: Errand, _ tables: MemoryTables
  ) -> String {
    switch holder(of: account, errand, tables) {
    case .knownDevice(let device): account.text + "/" + device
    case .unknownDevices: account.text
    }
  }

  /// Whose codes of this account the errand's device has part in.
  static func holder(
    of account: AccountID, _ errand: Errand, _ tables: MemoryTables
  ) -> CodeChallenge.Holder {
    let isKnown = tables.knownDevices.values.contains {
      $0.account == account && $0.proofKeyThumbprint == errand.device
        && errand.readClock < $0.lastSeenAt.adding(seconds: KnownDevice.keptSeconds)
    }
    return isKnown ? .knownDevice(errand.device) : .unknownDevices
  }

  func expectUnlocked(
    _ account: AccountID, _ before: MemoryTables, _ errand: Errand, _ deed: String
  ) {
    let key = Self.counter(of: account, errand, before)
    expectUnlocked(key, before.lockouts[key], errand, deed)
  }

  func expectUnlocked(_ key: String, _ lockout: Lockout?, _ errand: Errand, _ deed: String) {
    if let until = lockout?.lockedUntil, errand.readClock < until {
      broken(.lockHolds, "\(deed) for \(key) although it is locked")
    }
    if let told = toldLocks[key], told.isDurable, errand.readClock < told.until,
      told.serial > opened[key] ?? 0
    {
      broken(.lockHolds, "\(deed) for \(key) although somebody was told it is locked")
    }
  }
}

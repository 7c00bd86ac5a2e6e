internal import JSONText
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

/// Checks every comparison, commit, message and answer of one world, and stores the first violated
/// law.
///
/// It reads the server's state only from the tables and keeps its own records of everything else.
/// `@unchecked Sendable`: only the world's one thread uses it.
final class LawBook: @unchecked Sendable {
  typealias CodePlace = CodeChallenge.Key

  struct IssuedCode {
    /// It changes when the device of the code becomes known to the account.
    var place: CodePlace
    let text: String
    /// The key to which the code was bound when it was sent.
    ///
    /// It never changes.
    let key: String
    let madeAt: Instant
    /// Whether the code is for a recipient who must not get a message.
    let isDecoy: Bool
    var isConsumed = false
    /// Whether it was removed because its device was forgotten.
    var isForgotten = false
    var isEnded = false
  }

  /// The messages to one number that one holder may cause.
  struct MessageShare: Hashable {
    let phone: PhoneNumber
    let holder: CodeChallenge.Holder
  }

  struct ReportedLockout {
    let until: Instant
    let serial: Int
    /// False if the lockout results from answers that a stalled or crashed server did not settle.
    ///
    /// Such an answer may still be right.
    let isDurable: Bool
  }

  /// The idle timeout of sessions in this world.
  let idleSeconds: Int64
  /// The unanswered messages in an hour that a holder may cause.
  let messagesPerNumber: Int64

  static let failureLimit = Int(Policy()[.lockoutFailures])

  private(set) var violation: Violation?
  /// The number of the last transaction.
  ///
  /// It orders answers and transactions.
  var serial = 0

  /// The maximum failures of one device.
  struct WrongAnswers {
    var sinceLock: Int64 = 0
    var inRow: Int64 = 0
  }

  /// The wrong answers of one counter, by the lockout to which they lead.
  struct Guesses {
    var locks = 0
    var compared: [Int: Int] = [:]
    /// Answers that stalled beyond the life of their reservation.
    ///
    /// Each was already counted as a failure, and its settlement may have returned the try of
    /// another answer.
    var stalled = 0

    var current: Int { compared[locks] ?? 0 }
  }

  var guesses: [LockoutKey: Guesses] = [:]
  /// The wrong answers of each device, by counter.
  var wrongAnswers: [LockoutKey: [String: WrongAnswers]] = [:]
  /// The last transaction that changed a counter, and the last one that opened it.
  var touched: [LockoutKey: Int] = [:]
  var opened: [LockoutKey: Int] = [:]
  var announcedLockouts: [LockoutKey: ReportedLockout] = [:]

  /// Whether a transaction is in progress.
  var isDeciding = false
  /// The member names of each kind of answer, from its first occurrence.
  var forms: [String: [String]] = [:]
  /// The times of the messages in each separately counted share of a number's messages.
  var recordedAt: [MessageShare: [Instant]] = [:]

  var codes: [String: IssuedCode] = [:]
  /// The newest code of each account, purpose and holder, by its challenge.
  var newest: [CodePlace: String] = [:]
  var texts: [String: String] = [:]
  var handOvers: [String: Int64] = [:]
  /// How often each message was taken up.
  ///
  /// Its record may be removed before a slow provider accepts it.
  var takeUps: [String: Int64] = [:]

  var provedPassword: Set<[UInt8]> = []
  var provedCode: Set<[UInt8]> = []
  /// The number of token requests of apps for each authorization code, by its digest.
  var redemptions: [[UInt8]: Int] = [:]
  var acknowledgedSessions: [SessionID: Int64] = [:]
  var acknowledgedEndings: Set<SessionID> = []
  /// The sessions with a refresh token that a thief has used, and those that followed them.
  var stolen: Set<SessionID> = []
  /// The sessions of devices whose stored session was destroyed.
  ///
  /// No tab of such a device can find out which of its tokens is the newest.
  var destroyed: Set<SessionID> = []
  /// The transactions that ended sessions.
  var endSerials: [SessionID: Int] = [:]
  /// The refresh token that each presented one has given, by its session.
  var successors: [String: [SessionID: String]] = [:]
  /// The sessions of access tokens.
  var accessSessions: [String: SessionID] = [:]
  /// The proofs of requests that were answered with success.
  var acceptedProofs: Set<String> = []
  /// The sessions that were removed long after their end.
  var removed: Set<SessionID> = []

  /// The resets that set a password, by the digest of their handle.
  var resets: [[UInt8]: ResetPassword] = [:]
  /// The last transactions that changed an account's password and its status.
  var passwordSerials: [AccountID: Int] = [:]
  var statusSerials: [AccountID: Int] = [:]
  var acknowledgedPasswords: [AccountID: ResetPassword] = [:]
  var acknowledgedStatuses: [AccountID: AccountStatus] = [:]
  /// The numbers with an acknowledged registration.
  var acknowledgedNumbers: Set<String> = []

  /// What people did with their own accounts.
  var ownAccounts = OwnAccounts()

  /// The events that decisions wrote, in order.
  var writtenEvents: [UnlinkedEvent] = []

  init(idleSeconds: Int64, messagesPerNumber: Int64) {
    self.idleSeconds = idleSeconds
    self.messagesPerNumber = messagesPerNumber
  }

  func broken(_ law: Law, _ detail: String) {
    if violation == nil { violation = Violation(law: law, detail: detail) }
  }

  func sent(_ request: WireRequest) {
    guard request.isFromApp, case .redeem(let digest) = request.kind else { return }
    redemptions[digest, default: 0] += 1
  }

  func expect(_ isKept: Bool, _ law: Law, _ detail: @autoclosure () -> String) {
    if !isKept { broken(law, detail()) }
  }
}

// MARK: - Comparisons

extension LawBook {
  /// Records a password comparison.
  ///
  /// It counts even if the answer is lost.
  func passwordCompared(_ encoded: String, isRight: Bool, _ operation: SimulatedOperation) {
    let owner = FastPasswordHashing.owner(of: encoded)
    let key = operation.counterKey ?? LockoutKey(AccountID(owner))
    if isRight {
      operation.provedPassword = AccountID(owner)
      operation.provedHash = encoded
    } else {
      operation.comparedWrong = key
      // An answer that stalled until it was counted as a failure belongs to the resulting lockout.
      compareWrong(key, before: operation.lock ?? guesses[key]?.locks ?? 0)
    }
  }

  private func compareWrong(_ key: LockoutKey, before lock: Int) {
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
    guard violation == nil, let operation = SimulatedOperation.current else { return }
    operation.serial = serial
    operation.committedAt = now
    if before.challenges != after.challenges { challengesChanged(before, after, operation) }
    var accepted = acceptedCode(before, after, operation)
    if before.accounts != after.accounts {
      accepted = accountsChanged(before, after, operation) ?? accepted
    }
    if before.accounts != after.accounts || before.revocableChanges != after.revocableChanges {
      ownAccountsChanged(before, after, operation)
    }
    if before.challenges != after.challenges { signOutsEndCodes(before, after) }
    if before.attempts != after.attempts { attemptsChanged(before, after, operation) }
    if before.lockouts != after.lockouts {
      for (key, lockout) in after.lockouts where before.lockouts[key] != lockout {
        counted(key, before, lockout, operation, accepted)
      }
    }
    if before.messages != after.messages { messagesChanged(before, after, operation) }
    if before.sessions != after.sessions { sessionsChanged(before, after, operation) }
  }

  private func counted(
    _ key: LockoutKey, _ tables: MemoryTables, _ after: Lockout, _ operation: SimulatedOperation,
    _ accepted: AccountID?
  ) {
    let before = tables.lockouts[key] ?? .open
    // A reset counter is also locked during a lockout of its account, without its own lockout.
    let isLockedOut =
      key.isForResets
      && after.lockedUntil ?? operation.readClock > before.lockedUntil ?? operation.readClock
    if isLockedOut
      || (after.failures, after.reserved, after.locks)
        != (before.failures, before.reserved, before.locks)
    {
      touched[key] = serial
    }
    let isCounted = after.failures > before.failures || after.locks > before.locks || isLockedOut
    if isCounted { operation.wasWrongCounted = true }
    let locks = Int(max(after.locks - before.locks, isLockedOut ? 1 : 0))
    if operation.isCodeAnswer, isCounted, accepted == nil {
      compareWrong(
        key,
        before: (guesses[key]?.locks ?? 0)
          + Self.lockoutsFromAbandonedReservations(before, operation))
    }

    let givesBack =
      after.failuresInRow < before.failuresInRow || after.locks < before.locks
      || (locks == 0 && after.failures < before.failures)
    let mayOpen = Self.mayOpen(key, operation, accepted, tables)
    if accepted == nil {
      countWrong(key, before, after, operation)
    } else if case .verify = operation.kind {
      expectOwnOnly(key, before, after, operation)
    }
    expect(!givesBack || mayOpen, .triesNotRestored, "the counter of \(key) returned tries")
    if mayOpen { opened[key] = serial }
    var guesses = self.guesses[key] ?? Guesses()
    guesses.locks += locks
    if mayOpen { guesses.compared[guesses.locks] = 0 }
    if operation.counterKey == key, operation.hasStalled { guesses.stalled += 1 }
    self.guesses[key] = guesses
    reserved(key, tables, operation)
    expect(
      Int(after.failures + after.reserved) + guesses.stalled >= guesses.current, .fiveWrongAnswers,
      "\(key): \(after.failures) failures, \(after.reserved) reserved, \(guesses.current) compared"
    )
  }

  /// The lockouts caused by unsettled answers before this task's own answer was compared.
  private static func lockoutsFromAbandonedReservations(
    _ before: Lockout, _ operation: SimulatedOperation
  )
    -> Int
  {
    let ranOutAt = before.reservedAt.adding(seconds: Lockout.reservationSeconds)
    guard before.reserved > 0, operation.readClock >= ranOutAt else { return 0 }
    return Int(before.failures + before.reserved) / failureLimit
  }

  private func countWrong(
    _ key: LockoutKey, _ before: Lockout, _ after: Lockout, _ operation: SimulatedOperation
  ) {
    var earlier = before.failures
    if after.locks > before.locks {
      for device in (wrongAnswers[key] ?? [:]).keys {
        wrongAnswers[key]?[device]?.sinceLock = 0
      }
      // Reserved answers that expired can start a lockout before this answer is counted.
      earlier = 0
    }
    var wrong = wrongAnswers[key]?[operation.device] ?? WrongAnswers()
    wrong.sinceLock += max(0, after.failures - earlier)
    wrong.inRow += max(0, after.failuresInRow - before.failuresInRow)
    wrongAnswers[key, default: [:]][operation.device] = wrong
  }

  /// A completed sign-in may only take back failures of its own device.
  private func expectOwnOnly(
    _ key: LockoutKey, _ before: Lockout, _ after: Lockout, _ operation: SimulatedOperation
  ) {
    var own = wrongAnswers[key]?[operation.device] ?? WrongAnswers()
    let returned = before.failures - after.failures
    let returnedInRow = before.failuresInRow - after.failuresInRow
    expect(
      returned <= own.sinceLock && returnedInRow <= own.inRow, .ownTriesOnly,
      "the counter of \(key) lost failures of other devices"
    )
    // A known device has its own counter. Its earlier failures stay in the shared one, and count as
    // its own again if the device is forgotten.
    own.sinceLock -= max(0, returned)
    own.inRow -= max(0, returnedInRow)
    wrongAnswers[key]?[operation.device] = own
  }

  private static func mayOpen(
    _ key: LockoutKey, _ operation: SimulatedOperation, _ accepted: AccountID?,
    _ before: MemoryTables
  ) -> Bool {
    switch operation.kind {
    case .administration(let account, .unlock), .administration(let account, .reset):
      key.account == account
    case .administration(let account, .status(.deactivate)): isDeviceCounter(key, of: account)
    case .reset:
      accepted.map { key.account == $0 } ?? false
    case .verify: accepted.map { key == counter(of: $0, operation, before) } ?? false
    case .redeem(let code): isCounterOfNewDevice(key, redeeming: code, operation, before)
    // Wrong codes of a contact change have a law of their own, because they count by value.
    case .ownAccount: true
    case .passwordSignIn, .phoneSignIn, .resend, .refresh, .revoke, .forgot,
      .registration, .read, .administration(_, .status):
      false
    // A device whose session was ended by another one is forgotten, together with its counter.
    case .administration(let account, .endSessions): isDeviceCounter(key, of: account)
    case .endSession, .background: before.accounts.keys.contains { isDeviceCounter(key, of: $0) }
    }
  }

  private static func isDeviceCounter(_ key: LockoutKey, of account: AccountID) -> Bool {
    key.account == account && key.device != nil
  }

  /// Whether the key is of a device that becomes known, because it redeems this code.
  ///
  /// A wrong password may be counted after its device was forgotten. A device that becomes known
  /// again starts without such failures.
  private static func isCounterOfNewDevice(
    _ key: LockoutKey, redeeming code: [UInt8], _ operation: SimulatedOperation,
    _ before: MemoryTables
  ) -> Bool {
    guard let account = before.attempt(provedBy: code)?.account else { return false }
    let isKnown = before.knownDevices.values.contains {
      $0.account == account && $0.proofKeyThumbprint == operation.device
    }
    return !isKnown && key == LockoutKey(account, device: operation.device)
  }

  /// The counter of wrong reset codes of an account, beside the account's own counter.
  static func resetCounter(
    of account: AccountID, heldBy holder: CodeChallenge.Holder
  ) -> LockoutKey {
    switch holder {
    case .knownDevice(let device): LockoutKey(account, device: device, isForResets: true)
    case .unknownDevices: LockoutKey(account, isForResets: true)
    }
  }

  /// The holder of the codes for a reset: the unknown devices if the reset has no proved key.
  static func holder(
    of reset: PasswordReset, _ operation: SimulatedOperation, _ tables: MemoryTables
  ) -> CodeChallenge.Holder {
    guard reset.proofKeyThumbprint != nil else { return .unknownDevices }
    return holder(of: reset.account, operation, tables)
  }

  /// Notes the reservation, which is the first transaction of a password sign-in.
  private func reserved(_ key: LockoutKey, _ before: MemoryTables, _ operation: SimulatedOperation)
  {
    guard case .passwordSignIn(let username) = operation.kind, operation.counterKey == nil else {
      return
    }
    let account = before.accounts.values.first { $0.email?.text == username }
    let counter = account.map { Self.counter(of: $0.id, operation, before) } ?? key
    guard counter == key else { return }
    operation.counterKey = key
    operation.lock = guesses[key]?.locks ?? 0
    operation.reservedAt = operation.readClock
    expectUnlocked(key, before.lockouts[key], operation, "reserved a try")
  }

  /// The counter for this task's device: its own counter if the account knows the device.
  static func counter(
    of account: AccountID, _ operation: SimulatedOperation, _ tables: MemoryTables
  ) -> LockoutKey {
    switch holder(of: account, operation, tables) {
    case .knownDevice(let device): LockoutKey(account, device: device)
    case .unknownDevices: LockoutKey(account)
    }
  }

  /// The holder of codes for this task's device.
  static func holder(
    of account: AccountID, _ operation: SimulatedOperation, _ tables: MemoryTables
  ) -> CodeChallenge.Holder {
    let isKnown = tables.knownDevices.values.contains {
      $0.account == account && $0.proofKeyThumbprint == operation.device
        && operation.readClock < $0.lastSeenAt.adding(seconds: KnownDevice.retentionSeconds)
    }
    return isKnown ? .knownDevice(operation.device) : .unknownDevices
  }

  func expectUnlocked(
    _ account: AccountID, _ before: MemoryTables, _ operation: SimulatedOperation, _ action: String
  ) {
    let key = Self.counter(of: account, operation, before)
    expectUnlocked(key, before.lockouts[key], operation, action)
  }

  func expectUnlocked(
    _ key: LockoutKey, _ lockout: Lockout?, _ operation: SimulatedOperation, _ action: String
  ) {
    if let until = lockout?.lockedUntil, operation.readClock < until {
      broken(.lockoutEnforced, "\(action) for \(key) during its lockout")
    }
    if let told = announcedLockouts[key], told.isDurable, operation.readClock < told.until,
      told.serial > opened[key] ?? 0
    {
      broken(.lockoutEnforced, "\(action) for \(key) although its lockout was announced")
    }
  }
}

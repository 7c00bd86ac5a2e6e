internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

final class MemoryTransaction: Transaction {
  private(set) var tables: MemoryTables
  private let mayWrite: Bool
  private var locks = CounterLocks()
  let eventKey: EventKey?
  var databaseClock: MemoryStore.DatabaseClock?

  init(_ tables: MemoryTables, mayWrite: Bool, eventKey: EventKey? = nil) {
    self.tables = tables
    self.eventKey = eventKey
    self.mayWrite = mayWrite
  }

  func write<Answer>(
    _ change: (inout MemoryTables) throws(StoreFault) -> Answer
  ) throws(StoreFault) -> Answer {
    precondition(mayWrite, "a look writes nothing: use transact")
    return try change(&tables)
  }

  /// Locks counters of rate limits, as a decision in a shared database does.
  func lock(_ keys: [ThrottleKey]) {
    guard mayWrite else { return }
    precondition(
      locks.take(keys),
      "a decision locks counters in another order than that of their keys: "
        + "prepare them together")
  }

  /// Locks the count of refusals of this source.
  func lock(_ source: RefusalSource) {
    guard mayWrite else { return }
    precondition(locks.take(source), "a decision counts refusals of two sources")
  }
}

extension MemoryTransaction: AccountRecords {
  func account(_ id: AccountID) -> Account? { tables.accounts[id] }

  func account(email: EmailAddress) -> Account? {
    tables.accounts.values.first { $0.email == email }
  }

  func account(phone: PhoneNumber, role: AccountRole) -> Account? {
    tables.accounts.values.first { $0.phone == phone && $0.role == role }
  }

  func insert(_ account: Account) throws(StoreFault) {
    try checkUnique(account)
    try write { tables throws(StoreFault) in
      try tables.accounts.insertNew(account, for: account.id)
    }
  }

  func update(_ account: Account) throws(StoreFault) {
    try checkUnique(account)
    try write { tables throws(StoreFault) in
      tables.keepContacts(replacedBy: account)
      try tables.accounts.change(account.id) { stored in
        let signedOutAt = stored.signedOutAt
        stored = account
        stored.signedOutAt = signedOutAt
      }
    }
  }

  func save(signedOutAt moment: Instant, of account: AccountID) throws(StoreFault) {
    try write { tables in tables.accounts[account]?.signedOutAt = moment }
  }

  func hasGlobalAdministrator(besides id: AccountID) -> Bool {
    tables.accounts.values.contains { account in
      account.id != id && account.role == .administrator && account.status == .active
        && account.permission.hasEverywhere(.administrator)
    }
  }

  private func checkUnique(_ account: Account) throws(StoreFault) {
    let isTaken = tables.accounts.values.contains { other in
      other.id != account.id
        && (other.email != nil && other.email == account.email
          || other.phone != nil && other.phone == account.phone && other.role == account.role)
    }
    if isTaken { throw .conflict }
  }
}

extension MemoryTransaction: LockoutRecords {
  func lockout(_ key: LockoutKey) -> Lockout { tables.lockouts[key] ?? .open }

  func save(_ lockout: Lockout, for key: LockoutKey) throws(StoreFault) {
    try write { tables in tables.lockouts[key] = lockout }
  }

  func removeLockouts(
    quietSince moment: Instant, failuresBelow count: Int64, limit: Int
  ) throws(StoreFault) -> Int {
    try write { tables in
      let chosen = tables.lockouts.filter { _, lockout in
        lockout.reservedAt < moment && lockout.failuresInRow < count
          && lockout.failuresOfAccount < count
          && (lockout.lockedUntil.map { $0 < moment } ?? true)
      }
      let oldest = chosen.sorted { $0.value.reservedAt < $1.value.reservedAt }.prefix(limit)
      for (key, _) in oldest { tables.lockouts[key] = nil }
      return oldest.count
    }
  }
}

extension MemoryTransaction: SignInRecords {
  func insert(_ attempt: SignInAttempt) throws(StoreFault) {
    try checkUnique(attempt)
    try write { tables throws(StoreFault) in
      try tables.attempts.insertNew(attempt, for: attempt.digest)
    }
  }

  func signInAttempt(digest: [UInt8]) -> SignInAttempt? { tables.attempts[digest] }

  func signInAttempt(codeDigest: [UInt8]) -> SignInAttempt? {
    tables.attempts.values.first { $0.progress.codeDigest == codeDigest }
  }

  func update(_ attempt: SignInAttempt) throws(StoreFault) {
    try checkUnique(attempt)
    try write { tables throws(StoreFault) in
      try tables.attempts.change(attempt.digest) { $0.progress = attempt.progress }
    }
  }

  func removeSignInAttempts(
    expiredBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try write { tables in
      tables.attempts.remove(limit, by: { $0.expiresAt }, where: { $0.expiresAt < moment })
    }
  }

  func removeOpenSignInAttempts(
    of account: AccountID, proofKeyThumbprint: String, keeping count: Int
  ) throws(StoreFault) {
    func order(_ attempt: SignInAttempt) -> (Int64, String) {
      (-attempt.startedAt.milliseconds, "\(attempt.digest)")
    }
    try write { tables in
      let open = tables.attempts.values.filter {
        $0.account == account && $0.proofKeyThumbprint == proofKeyThumbprint
          && $0.progress == .awaitingCode
      }
      for attempt in open.sorted(by: { order($0) < order($1) }).dropFirst(count) {
        tables.attempts[attempt.digest] = nil
      }
    }
  }

  func removeSignInAttempt(digest: [UInt8]) throws(StoreFault) {
    try write { tables in tables.attempts[digest] = nil }
  }

  func removeSignInAttempts(of account: AccountID) throws(StoreFault) {
    try write { tables in tables.attempts = tables.attempts.filter { $0.value.account != account } }
  }

  func removeSignInAttempts(of account: AccountID, at provider: String) throws(StoreFault) {
    try write { tables in
      tables.attempts = tables.attempts.filter {
        $0.value.account != account || $0.value.federation?.provider != provider
      }
    }
  }

  private func checkUnique(_ attempt: SignInAttempt) throws(StoreFault) {
    guard let codeDigest = attempt.progress.codeDigest,
      let other = signInAttempt(codeDigest: codeDigest)
    else { return }
    guard other.digest == attempt.digest else { throw .conflict }
  }
}

extension MemoryTransaction: SessionRecords {
  func insert(_ session: Session) throws(StoreFault) {
    try write { tables throws(StoreFault) in
      try tables.sessions.insertNew(session, for: session.id)
    }
  }

  func session(_ id: SessionID) -> Session? { tables.sessions[id] }

  func update(_ session: Session) throws(StoreFault) {
    try write { tables throws(StoreFault) in
      try tables.sessions.change(session.id) {
        $0.lastUsedAt = session.lastUsedAt
        $0.refreshGeneration = session.refreshGeneration
        $0.renewals = session.renewals
        $0.end = session.end
        $0.successor = session.successor
      }
    }
  }

  func sessions(of account: AccountID) -> [Session] {
    tables.sessions.values.filter { $0.account == account }
      .sorted { ($0.startedAt, $0.id.text) > ($1.startedAt, $1.id.text) }
  }

  func sessions(renewedSinceBefore moment: Instant, limit: Int) -> [Session] {
    let due = tables.sessions.values.compactMap { session in
      session.renewals.flatMap { $0.firstAt < moment ? ($0.firstAt, session) : nil }
    }
    let sorted = due.sorted { ($0.0, $0.1.id.text) < ($1.0, $1.1.id.text) }
    return sorted.prefix(limit).map { $0.1 }
  }

  func openSessions(of account: AccountID) -> [Session] {
    sessions(of: account).filter { $0.end == nil }
  }

  func proofKeys(ofSessionsOf account: AccountID) -> Set<String> {
    Set(sessions(of: account).map(\.proofKeyThumbprint))
  }

  func removeSessions(expiredBefore moment: Instant, limit: Int) throws(StoreFault) -> Int {
    try write { tables in
      tables.sessions.remove(
        limit, by: { $0.expiresAt }, where: { $0.expiresAt < moment && $0.renewals == nil })
    }
  }
}

extension MemoryTransaction: OutboxRecords {
  func insert(_ message: OutboxMessage) throws(StoreFault) {
    try write { tables throws(StoreFault) in
      try tables.messages.insertNew(message, for: message.id)
    }
  }

  func waitingMessages(at now: Instant, limit: Int) -> [OutboxMessage] {
    let waiting = tables.messages.values.filter { $0.state == .waiting && $0.leasedUntil <= now }
      .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    return Array(waiting.prefix(limit))
  }

  func message(_ id: String) -> OutboxMessage? { tables.messages[id] }

  func update(_ message: OutboxMessage) throws(StoreFault) {
    try write { tables throws(StoreFault) in
      try tables.messages.change(message.id) {
        $0 = $0.changed(to: message)
      }
    }
  }

  func message(reference: String, messenger: String) -> OutboxMessage? {
    tables.messages.values.first { $0.reference == reference && $0.messenger == messenger }
  }

  func removeSettledMessages(
    expiredBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try write { tables in
      tables.messages.remove(
        limit, by: { $0.expiresAt }, where: { $0.state != .waiting && $0.expiresAt < moment })
    }
  }
}

extension MemoryTransaction: JobRecords {
  func jobs(of account: AccountID) -> [Job] {
    tables.jobs.values.filter { $0.account == account }
      .sorted { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }
  }

  func jobs(
    of account: AccountID, in organization: OrganizationID?, withShared: Bool, limit: Int
  ) -> [Job] {
    jobs(of: account).filter { $0.organization.isShown(in: organization, withShared) }
      .mostRelevant(limit, start: { $0.startsAt }, isOver: { $0.status == .done })
  }

  func save(_ job: Job) throws(StoreFault) {
    try write { tables in tables.jobs[job.key] = job }
  }

  func job(_ key: RecordKey) -> Job? { tables.jobs[key] }

  func jobs(named id: String, limit: Int) -> [Job] {
    let found = tables.jobs.values.filter { $0.organization != nil && $0.id == id }
    return Array(found.sorted { $0.key.text < $1.key.text }.prefix(limit))
  }

  func removeJob(_ key: RecordKey) throws(StoreFault) {
    try write { tables in tables.jobs[key] = nil }
  }
}

extension SignInAttempt.Progress {
  var codeDigest: [UInt8]? {
    switch self {
    case .awaitingCode: nil
    case .proved(let codeDigest, _), .redeemed(let codeDigest, _): codeDigest
    }
  }
}

extension OutboxMessage {
  /// The changed message.
  ///
  /// Fields that never change keep their first value.
  fileprivate func changed(to message: OutboxMessage) -> OutboxMessage {
    var changed = OutboxMessage(
      id: id, to: to, sealedText: message.sealedText, createdAt: createdAt, expiresAt: expiresAt,
      leasedUntil: message.leasedUntil, tries: message.tries, state: message.state
    )
    changed.client = message.client
    changed.account = message.account
    changed.organization = message.organization
    changed.segments = message.segments
    changed.messenger = message.messenger
    changed.reference = message.reference
    changed.unclearCount = message.unclearCount
    changed.handedOverAt = message.handedOverAt
    changed.receipt = message.receipt
    changed.receivedAt = message.receivedAt
    changed.price = message.price
    changed.channel = message.channel
    changed.kind = message.kind
    return changed
  }
}

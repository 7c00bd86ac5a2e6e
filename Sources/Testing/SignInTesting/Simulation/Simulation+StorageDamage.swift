internal import Cryptography
internal import SignInModel
internal import SignInRules
internal import SignInService
import SignInWire

// The planted defects that change what a store records.
extension Simulation {
  static let forgottenTransactions = 3

  func damage(_ before: MemoryTables, _ after: inout MemoryTables) {
    damageEnds(before, &after)
    damageOwnAccounts(before, &after)
    guard let defect, let operation = SimulatedOperation.current, !haveConditionsEnded
    else { return }
    damageCounters(defect, operation, before, &after)
    damageCodes(defect, operation, before, &after)
    damageSessions(defect, operation, before, &after)
    damageResets(defect, operation, before, &after)
    damageAccounts(defect, operation, before, &after)
    if defect == .eventMissingFromLog, before.events.count > 2, chance.isOne(in: 20) {
      after.events.remove(at: 1)
    }
    if defect == .acknowledgedTransactionLost {
      earlier.append(before)
      if earlier.count > Self.forgottenTransactions { earlier.removeFirst() }
    }
  }

  private func damageCounters(
    _ defect: PlantedDefect, _ operation: SimulatedOperation, _ before: MemoryTables,
    _ after: inout MemoryTables
  ) {
    if defect == .failureCountLost, before.lockouts != after.lockouts, chance.isOne(in: 4) {
      after.lockouts = before.lockouts
    }
    if defect == .resendResetsCounter, case .resend = operation.kind {
      for (place, challenge) in after.challenges where before.challenges[place] != challenge {
        after.lockouts[LockoutKey(place.account)] = .open
      }
    }
    if defect == .signInClearsAllDevices, case .verify = operation.kind,
      before.attempts != after.attempts
    {
      for key in after.lockouts.keys where key.device == nil && !key.isForResets {
        after.lockouts[key] = .open
      }
    }
    guard case .passwordSignIn = operation.kind else { return }
    if defect == .comparedBeforeCounted,
      after.lockouts.contains(where: { $1.reserved > before.lockouts[$0]?.reserved ?? 0 })
    {
      after.lockouts = before.lockouts
    }
    if defect == .lockoutRestartedByAttempts {
      for (key, lockout) in after.lockouts where lockout == before.lockouts[key] {
        after.lockouts[key] = lockout.locked(until: lockout.lockedUntil?.adding(seconds: 7))
      }
    }
    if defect == .messageToLockedAccount { recordForLockedAccount(before, &after, operation) }
  }

  private func damageCodes(
    _ defect: PlantedDefect, _ operation: SimulatedOperation, _ before: MemoryTables,
    _ after: inout MemoryTables
  ) {
    let isSending = after.messages.count > before.messages.count
    if defect == .earlierCodeStaysValid, isSending, !before.challenges.isEmpty {
      after.challenges = before.challenges
    }
    if defect == .resendWithoutCooldown {
      for (account, challenge) in after.challenges where before.challenges[account] != challenge {
        after.challenges[account] = challenge.resendable(at: operation.readClock)
      }
    }
    damageHolders(defect, operation, before, &after)
    if defect == .messageRecordedTwice, isSending {
      for (id, message) in after.messages where before.messages[id] == nil {
        guard let phone = message.to.phone else { continue }
        record("again-" + id, to: phone, &after, operation)
        break
      }
    }
    if defect == .messengerCalledBeforeCommit, isSending { laws.calledOtherSystem("a provider") }
    if defect == .sentMessagesNotCounted { after.throttles = before.throttles }
    guard case .verify(let digest, _) = operation.kind else { return }
    if defect == .codeAcceptedFromAnyDevice, let attempt = after.attempts[digest],
      attempt.progress == .awaitingCode, attempt.proofKeyThumbprint != operation.device
    {
      after.attempts[digest]?.progress = .proved(
        codeDigest: SHA256Digest.of(digest), expiresAt: operation.readClock.adding(seconds: 60))
    }
    if defect == .codeAcceptedTwice { after.challenges = before.challenges }
    if defect == .everyCodeAccepted, after.attempts[digest]?.progress == .awaitingCode {
      after.attempts[digest]?.progress = .proved(
        codeDigest: SHA256Digest.of(digest), expiresAt: operation.readClock.adding(seconds: 60))
    }
  }

  private func damageHolders(
    _ defect: PlantedDefect, _ operation: SimulatedOperation, _ before: MemoryTables,
    _ after: inout MemoryTables
  ) {
    if defect == .passwordMovesCode, let account = operation.provedPassword {
      for (place, code) in before.challenges
      where place.account == account && code.proofKeyThumbprint != operation.device
        && after.challenges[place] == code
      {
        after.challenges[place] = code.moved(to: operation.device)
      }
    }
    guard defect == .unknownDeviceReplacesCode else { return }
    for (place, code) in after.challenges
    where place.holder == .unknownDevices && before.challenges[place]?.id != code.id {
      for other in before.challenges.keys
      where other.account == place.account && other.purpose == place.purpose {
        after.challenges[other] = code.held(by: other.holder)
      }
    }
  }

  private func damageSessions(
    _ defect: PlantedDefect, _ operation: SimulatedOperation, _ before: MemoryTables,
    _ after: inout MemoryTables
  ) {
    if defect == .signOutNotRecorded, case .revoke = operation.kind {
      after.sessions = before.sessions
    }
    guard case .refresh(let token) = operation.kind, let id = LawBook.session(of: token),
      let session = before.sessions[id], session.end == nil
    else { return }
    let isNewest = LawBook.generation(of: token) == session.refreshGeneration
    switch defect {
    case .expiredSessionContinues where after.sessions[id]?.end == .expired:
      after.sessions[id] = session
      after.sessions[id]?.lastUsedAt = operation.readClock
    case .retryTakenForReuse where !isNewest: after.sessions[id]?.end = .reuseDetected
    case .generationSkipped where isNewest:
      after.sessions[id]?.refreshGeneration = session.refreshGeneration + 2
    case .deactivatedAccountKeepsSession:
      after.sessions[id] = session
      after.sessions[id]?.lastUsedAt = operation.readClock
    default: break
    }
  }

  private func recordForLockedAccount(
    _ before: MemoryTables, _ after: inout MemoryTables, _ operation: SimulatedOperation
  ) {
    let account = SimulatedPeople.tara.account
    let counter = LawBook.counter(of: account.id, operation, before)
    guard let until = before.lockouts[counter]?.lockedUntil, operation.readClock < until
    else { return }
    record("chatty-\(laws.serial)", to: account.number, &after, operation)
  }

  func record(
    _ id: String, to phone: PhoneNumber, _ after: inout MemoryTables,
    _ operation: SimulatedOperation
  ) {
    let text = Array("000000 is a code without a request.".utf8)
    after.messages[id] = OutboxMessage(
      id: id, to: .phone(phone), sealedText: SimulatedKeys.keyring.outbox.seal(text, context: id),
      createdAt: operation.readClock, expiresAt: operation.readClock.adding(seconds: 300),
      leasedUntil: operation.readClock, tries: 0, state: .waiting
    )
  }

  func damageByCrash() {
    releaseEvents()
    if defect == .acknowledgedTransactionLost, let older = earlier.first {
      server.store.tables = older
      laws.writtenEvents.removeAll { $0.id > older.lastUnlinkedEvent }
    }
    earlier = []
    guard defect == .lockoutInMemoryOnly || defect == .lockoutWithoutEndAfterCrash else { return }
    var tables = server.store.tables
    for (key, lockout) in tables.lockouts where lockout.lockedUntil != nil {
      let until =
        defect == .lockoutInMemoryOnly ? nil : lockout.lockedUntil?.adding(seconds: 900_000_000)
      tables.lockouts[key] = lockout.locked(until: until)
    }
    server.store.tables = tables
  }
}

extension CodeChallenge {
  fileprivate func moved(to key: String) -> CodeChallenge {
    CodeChallenge(
      id: id, place: place, client: client, proofKeyThumbprint: key, mac: mac,
      supersededMACs: supersededMACs, digits: digits, expiresAt: expiresAt, resendAt: resendAt,
      isConsumed: isConsumed
    )
  }

  fileprivate func resendable(at moment: Instant) -> CodeChallenge {
    CodeChallenge(
      id: id, place: place, client: client, proofKeyThumbprint: proofKeyThumbprint, mac: mac,
      supersededMACs: supersededMACs, digits: digits, expiresAt: expiresAt, resendAt: moment,
      isConsumed: isConsumed
    )
  }
}

extension Lockout {
  fileprivate func locked(until: Instant?) -> Lockout {
    Lockout(
      failures: failures, failuresInRow: failuresInRow, reserved: reserved, reservedAt: reservedAt,
      locks: locks, lockedUntil: until
    )
  }
}

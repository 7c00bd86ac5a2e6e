internal import Cryptography
internal import SignInModel
internal import SignInRules
internal import SignInService

// The planted defects that live in what a store keeps, or does not.
extension Simulation {
  static let forgottenTransactions = 3

  func spoil(_ before: MemoryTables, _ after: inout MemoryTables) {
    guard let defect, let errand = Errand.current, !isCalm else { return }
    spoilCounters(defect, errand, before, &after)
    spoilCodes(defect, errand, before, &after)
    spoilSessions(defect, errand, before, &after)
    spoilResets(defect, errand, before, &after)
    spoilAccounts(defect, errand, before, &after)
    if defect == .forgottenEvent, before.events.count > 2, chance.isOne(in: 20) {
      after.events.remove(at: 1)
    }
    if defect == .lostTransaction {
      earlier.append(before)
      if earlier.count > Self.forgottenTransactions { earlier.removeFirst() }
    }
  }

  private func spoilCounters(
    _ defect: PlantedDefect, _ errand: Errand, _ before: MemoryTables, _ after: inout MemoryTables
  ) {
    if defect == .forgottenFailures, before.lockouts != after.lockouts, chance.isOne(in: 4) {
      after.lockouts = before.lockouts
    }
    if defect == .resendGivesTries, case .resend = errand.kind {
      for (place, challenge) in after.challenges where before.challenges[place] != challenge {
        after.lockouts[place.account.text] = .open
      }
    }
    if defect == .forgivingSignIn, case .verify = errand.kind, before.attempts != after.attempts {
      for key in after.lockouts.keys where !key.contains("/") && !key.contains("|") {
        after.lockouts[key] = .open
      }
    }
    guard case .passwordSignIn = errand.kind else { return }
    if defect == .lateCounting,
      after.lockouts.contains(where: { $1.reserved > before.lockouts[$0]?.reserved ?? 0 })
    {
      after.lockouts = before.lockouts
    }
    if defect == .renewedLock {
      for (key, lockout) in after.lockouts where lockout == before.lockouts[key] {
        after.lockouts[key] = lockout.locked(until: lockout.lockedUntil?.adding(seconds: 7))
      }
    }
    if defect == .chattyLock { recordForTheLocked(before, &after, errand) }
  }

  private func spoilCodes(
    _ defect: PlantedDefect, _ errand: Errand, _ before: MemoryTables, _ after: inout MemoryTables
  ) {
    let isSending = after.messages.count > before.messages.count
    if defect == .olderCodeStays, isSending, !before.challenges.isEmpty {
      after.challenges = before.challenges
    }
    if defect == .hastyResend {
      for (account, challenge) in after.challenges where before.challenges[account] != challenge {
        after.challenges[account] = challenge.resendable(at: errand.readClock)
      }
    }
    spoilHolders(defect, errand, before, &after)
    if defect == .doubledMessage, isSending {
      for (id, message) in after.messages where before.messages[id] == nil {
        guard let phone = message.to.phone else { continue }
        record("again-" + id, to: phone, &after, errand)
        break
      }
    }
    if defect == .hastyProvider, isSending { laws.askedOutside("a provider") }
    if defect == .forgottenBudget { after.throttles = before.throttles }
    guard case .verify(let digest, _) = errand.kind else { return }
    if defect == .anyDevice, let attempt = after.attempts[digest],
      attempt.progress == .awaitingCode, attempt.proofKeyThumbprint != errand.device
    {
      after.attempts[digest]?.progress = .proved(
        codeDigest: SHA256Digest.of(digest), expiresAt: errand.readClock.adding(seconds: 60))
    }
    if defect == .unconsumedCode { after.challenges = before.challenges }
    if defect == .anyCode, after.attempts[digest]?.progress == .awaitingCode {
      after.attempts[digest]?.progress = .proved(
        codeDigest: SHA256Digest.of(digest), expiresAt: errand.readClock.adding(seconds: 60))
    }
  }

  private func spoilHolders(
    _ defect: PlantedDefect, _ errand: Errand, _ before: MemoryTables, _ after: inout MemoryTables
  ) {
    if defect == .movedCode, let account = errand.provedPassword {
      for (place, code) in before.challenges
      where place.account == account && code.proofKeyThumbprint != errand.device
        && after.challenges[place] == code
      {
        after.challenges[place] = code.moved(to: errand.device)
      }
    }
    guard defect == .sharedCode else { return }
    for (place, code) in after.challenges
    where place.holder == .unknownDevices && before.challenges[place]?.id != code.id {
      for other in before.challenges.keys
      where other.account == place.account && other.purpose == place.purpose {
        after.challenges[other] = code.held(by: other.holder)
      }
    }
  }

  private func spoilSessions(
    _ defect: PlantedDefect, _ errand: Errand, _ before: MemoryTables, _ after: inout MemoryTables
  ) {
    if defect == .forgottenSignOut, case .revoke = errand.kind { after.sessions = before.sessions }
    guard case .refresh(let token) = errand.kind, let id = LawBook.session(of: token),
      let session = before.sessions[id], session.end == nil
    else { return }
    let isNewest = LawBook.generation(of: token) == session.refreshGeneration
    switch defect {
    case .impatientRotation where !isNewest: after.sessions[id]?.end = .reuseDetected
    case .skippedGeneration where isNewest:
      after.sessions[id]?.refreshGeneration = session.refreshGeneration + 2
    case .wakefulSession:
      after.sessions[id] = session
      after.sessions[id]?.lastUsedAt = errand.readClock
    default: break
    }
  }

  private func recordForTheLocked(
    _ before: MemoryTables, _ after: inout MemoryTables, _ errand: Errand
  ) {
    let account = SimulatedPeople.tara.account
    let counter = LawBook.counter(of: account.id, errand, before)
    guard let until = before.lockouts[counter]?.lockedUntil, errand.readClock < until
    else { return }
    record("chatty-\(laws.serial)", to: account.phone, &after, errand)
  }

  func record(
    _ id: String, to phone: PhoneNumber, _ after: inout MemoryTables, _ errand: Errand
  ) {
    let text = Array("000000 is a code nobody asked for.".utf8)
    after.messages[id] = OutboxMessage(
      id: id, to: .phone(phone), sealedText: SimulatedKeys.keyring.outbox.seal(text, context: id),
      createdAt: errand.readClock, expiresAt: errand.readClock.adding(seconds: 300),
      leasedUntil: errand.readClock, tries: 0, state: .waiting
    )
  }

  func spoilByCrash() {
    if defect == .lostTransaction, let older = earlier.first { server.store.tables = older }
    earlier = []
    guard defect == .forgetfulLock || defect == .endlessLock else { return }
    var tables = server.store.tables
    for (key, lockout) in tables.lockouts where lockout.lockedUntil != nil {
      let until = defect == .forgetfulLock ? nil : lockout.lockedUntil?.adding(seconds: 900_000_000)
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

internal import Cryptography
internal import SignInModel
internal import SignInRules
internal import SignInService

// The planted defects that live in what a store keeps, or does not.
extension Simulation {
  static let forgottenTransactions = 3

  func spoil(_ before: MemoryTables, _ after: inout MemoryTables) {
    guard let defect, let errand = Errand.current, !isCalm else { return }
    switch (defect, errand.kind) {
    case (.forgottenFailures, _):
      if before.lockouts != after.lockouts, chance.isOne(in: 4) { after.lockouts = before.lockouts }
    case (.lateCounting, .passwordSignIn):
      if after.lockouts.contains(where: { $1.reserved > before.lockouts[$0]?.reserved ?? 0 }) {
        after.lockouts = before.lockouts
      }
    case (.resendGivesTries, .resend):
      for (account, challenge) in after.challenges where before.challenges[account] != challenge {
        after.lockouts[account.text] = .open
      }
    case (.unconsumedCode, .verify): after.challenges = before.challenges
    case (.olderCodeStays, _):
      if after.messages.count > before.messages.count, !before.challenges.isEmpty {
        after.challenges = before.challenges
      }
    case (.forgottenSignOut, .revoke): after.sessions = before.sessions
    case (.impatientRotation, .refresh(let token)): spoilRotation(token, before, &after)
    case (.chattyLock, .passwordSignIn): spoilSilence(&after, errand)
    case (.lateCounting, _), (.resendGivesTries, _), (.unconsumedCode, _), (.forgottenSignOut, _),
      (.impatientRotation, _), (.chattyLock, _), (.lateClock, _), (.doubleHandOver, _),
      (.secondText, _), (.anyPassword, _), (.lostTransaction, _), (.forgetfulLock, _):
      break
    }
  }

  private func spoilRotation(
    _ token: String, _ before: MemoryTables, _ after: inout MemoryTables
  ) {
    guard let id = LawBook.session(of: token), let session = before.sessions[id],
      LawBook.generation(of: token) == session.refreshGeneration - 1
    else { return }
    after.sessions[id]?.end = .reuseDetected
  }

  private func spoilSilence(_ after: inout MemoryTables, _ errand: Errand) {
    let account = SimulatedPeople.tara.account
    guard let until = after.lockouts[account.id.text]?.lockedUntil, errand.readClock < until
    else { return }
    let id = "chatty-\(laws.serial)"
    let text = Array("000000 is a message to a locked account.".utf8)
    after.messages[id] = OutboxMessage(
      id: id, to: account.phone, sealedText: SimulatedKeys.keyring.outbox.seal(text, context: id),
      createdAt: errand.readClock, expiresAt: errand.readClock.adding(seconds: 300),
      leasedUntil: errand.readClock, tries: 0, state: .waiting
    )
  }

  /// Keeps what was durable before the last transactions, for a store that lies.
  func remember(_ tables: MemoryTables) {
    earlier.append(tables)
    if earlier.count > Self.forgottenTransactions { earlier.removeFirst() }
  }

  func spoilByCrash() {
    if defect == .lostTransaction, let older = earlier.first { server.store.tables = older }
    earlier = []
    guard defect == .forgetfulLock else { return }
    var tables = server.store.tables
    for (key, lockout) in tables.lockouts {
      tables.lockouts[key] = Lockout(
        failures: lockout.failures, failuresInRow: lockout.failuresInRow,
        reserved: lockout.reserved, reservedAt: lockout.reservedAt, locks: lockout.locks,
        lockedUntil: nil
      )
    }
    server.store.tables = tables
  }
}

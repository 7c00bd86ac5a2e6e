internal import JSONText
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

// The planted defects around resets, registrations and what administrators decide.
extension Simulation {
  func spoilResets(
    _ defect: PlantedDefect, _ errand: Errand, _ before: MemoryTables, _ after: inout MemoryTables
  ) {
    if defect == .resetGivesTries, case .forgot = errand.kind {
      for key in before.lockouts.keys where key.hasPrefix(LawBook.resetPrefix) {
        after.lockouts[key] = .open
      }
    }
    if defect == .leavingDecoy {
      // Once it is recorded as a decoy, nobody may take it for another message.
      for (id, message) in before.messages where message.state == .decoy {
        after.messages[id]?.state = .waiting
      }
    }
    guard case .reset(let digest, _) = errand.kind else { return }
    if defect == .anyResetCode, before.accounts == after.accounts,
      let account = before.resets[digest]?.account
    {
      after.accounts[account]?.passwordHash = "fast$\(account.text)#any$"
    }
    guard before.accounts != after.accounts else { return }
    switch defect {
    case .unconsumedResetCode: after.challenges = before.challenges
    case .heedlessOpening:
      for account in after.accounts.keys where after.accounts[account] != before.accounts[account] {
        after.lockouts[account.text] = .open
      }
    case .resetSparesSessions: after.sessions = before.sessions
    case .resetSparesSignIns: after.attempts = before.attempts
    default: break
    }
  }

  func spoilAnswer(_ body: JSON, _ errand: Errand) -> JSON {
    guard defect == .tellingAnswer, case .passwordSignIn(let username) = errand.kind,
      !server.store.tables.accounts.values.contains(where: { $0.email?.text == username })
    else { return body }
    return ErrorAnswer(.accountNotRegistered).json
  }

  func spoilAccounts(
    _ defect: PlantedDefect, _ errand: Errand, _ before: MemoryTables, _ after: inout MemoryTables
  ) {
    switch (errand.kind, defect) {
    case (.registration, .selfApproval):
      for id in after.accounts.keys where before.accounts[id] == nil {
        after.accounts[id]?.status = .active
      }
    case (.registration, .doubledAccount):
      let waiting = before.accounts.values.first { $0.status == .pending }
      guard let waiting, before.accounts.count == after.accounts.count else { return }
      let id = AccountID("again")
      after.accounts[id] = Account(
        id: id, email: nil, phone: waiting.phone, name: waiting.name, role: waiting.role,
        status: .pending, passwordHash: nil, organizations: [], createdAt: errand.readClock
      )
    case (.phoneSignIn(let phone), .chattyRegistration):
      let account = after.accounts.values.first { $0.phone == phone }
      guard account?.status == .pending else { return }
      record("chatty-\(laws.serial)", to: phone, &after, errand)
    case (.administration(_, .status), .forgottenDecision): after = before
    case (.administration(_, .status(.deactivate)), .wakefulSession):
      after.sessions = before.sessions
    case (.administration(let account, .unlock), .heedlessOpening):
      after.lockouts[account.text] = .open
    default: break
    }
  }
}

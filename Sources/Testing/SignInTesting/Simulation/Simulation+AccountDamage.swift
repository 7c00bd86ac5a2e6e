internal import JSONText
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

// The planted defects of resets, registrations and administrators' decisions.
extension Simulation {
  func damageResets(
    _ defect: PlantedDefect, _ operation: SimulatedOperation, _ before: MemoryTables,
    _ after: inout MemoryTables
  ) {
    if defect == .resetRequestResetsCounter, case .forgot = operation.kind {
      for key in before.lockouts.keys where key.isForResets {
        after.lockouts[key] = .open
      }
    }
    if defect == .decoyMessageSent {
      // Only messages that were decoys before this operation are changed.
      for (id, message) in before.messages where message.state == .decoy {
        after.messages[id]?.state = .waiting
      }
    }
    guard case .reset(let digest, _) = operation.kind else { return }
    if defect == .everyResetCodeAccepted, before.accounts == after.accounts,
      let account = before.resets[digest]?.account
    {
      after.accounts[account]?.passwordHash = "fast$\(account.text)#any$"
    }
    guard before.accounts != after.accounts else { return }
    switch defect {
    case .resetCodeAcceptedTwice: after.challenges = before.challenges
    case .unlockIgnoresComparisons:
      for account in after.accounts.keys where after.accounts[account] != before.accounts[account] {
        after.lockouts[LockoutKey(account)] = .open
      }
    case .resetKeepsSessions: after.sessions = before.sessions
    case .resetKeepsSignInAttempts: after.attempts = before.attempts
    default: break
    }
  }

  func damageAccounts(
    _ defect: PlantedDefect, _ operation: SimulatedOperation, _ before: MemoryTables,
    _ after: inout MemoryTables
  ) {
    switch (operation.kind, defect) {
    case (.registration, .registrationApprovedAtOnce):
      for id in after.accounts.keys where before.accounts[id] == nil {
        after.accounts[id]?.status = .active
      }
    case (.registration, .secondAccountForNumber):
      let waiting = before.accounts.values.first { $0.status == .pending }
      guard let waiting, before.accounts.count == after.accounts.count else { return }
      let id = AccountID("again")
      after.accounts[id] = Account(
        id: id, email: nil, phone: waiting.phone, name: waiting.name, role: waiting.role,
        status: .pending, passwordHash: nil, organizations: [], createdAt: operation.readClock
      )
    case (.phoneSignIn(let phone), .codeSentBeforeApproval):
      let account = after.accounts.values.first { $0.phone == phone }
      guard account?.status == .pending else { return }
      record("chatty-\(laws.serial)", to: phone, &after, operation)
    case (.administration(_, .status), .deactivationNotRecorded): after = before
    case (.administration(_, .status(.deactivate)), .deactivatedAccountKeepsSession):
      after.sessions = before.sessions
    case (.administration(let account, .unlock), .unlockIgnoresComparisons):
      after.lockouts[LockoutKey(account)] = .open
    default: break
    }
  }
}

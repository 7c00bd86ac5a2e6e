internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

// The planted defects of own accounts.
extension Simulation {
  func damageOwnAccounts(_ before: MemoryTables, _ after: inout MemoryTables) {
    guard let defect, let operation = SimulatedOperation.current,
      case .ownAccount(let step) = operation.kind
    else { return }
    switch (step, defect) {
    case (.confirm(let session, _), .decoyContactCodeAccepted):
      guard before.accounts == after.accounts,
        let value = laws.ownAccounts.values[session],
        let account = laws.account(of: operation, before)
      else { return }
      switch value {
      case .email(let address): after.accounts[account]?.email = address
      case .phone(let number): after.accounts[account]?.phone = number
      }
    case (.confirm, .contactGuessesNotCounted):
      guard before.accounts == after.accounts else { return }
      (after.lockouts, after.throttles) = (before.lockouts, before.throttles)
    case (.confirm, .oldContactNotTold):
      for (id, message) in after.messages
      where before.messages[id] == nil && message.kind == .notice {
        after.messages[id] = nil
      }
    case (.confirm, .provedContactTaken):
      guard before.accounts != after.accounts else { return }
      let own = laws.account(of: operation, before)
      let others = after.accounts.values.filter { $0.id != own && $0.emailProof != nil }
      guard let other = others.min(by: { $0.id.text < $1.id.text }) else { return }
      after.accounts[other.id]?.email = nil
    case (.undo, .undoKeepsErasure):
      for (id, change) in before.revocableChanges where change.kind == .erasure {
        after.revocableChanges[id] = change
      }
    case (.cancelErasure, .erasureCancelIgnored): after.revocableChanges = before.revocableChanges
    default: break
    }
  }
}

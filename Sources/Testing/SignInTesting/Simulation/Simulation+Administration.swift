internal import SignInModel
internal import SignInService
internal import SignInWire

// The administrator uses the same use cases as the console and the command line.
extension Simulation {
  func administrate() {
    guard !haveConditionsEnded else { return }
    plan(.administrator, in: 10_000...200_000)
    guard server.isUp else { return }
    decideAboutAccount()
    // Two administrators may decide at the same time without knowing of each other.
    if chance.isOne(in: 6) { decideAboutAccount() }
  }

  private func decideAboutAccount() {
    let accounts = server.store.tables.accounts.values.sorted { $0.id.text < $1.id.text }
    let waiting = accounts.filter { $0.status == .pending }
    let account = chance.pick(waiting.isEmpty || chance.isOne(in: 4) ? accounts : waiting)
    decide(action(for: account), about: account.id)
  }

  func decide(_ action: SimulatedOperation.AdministratorAction, about account: AccountID) {
    note("the administrator acts", 0, 0, "\(account.text) \(action)")
    let operation = SimulatedOperation(
      .administration(account, action), in: server.life, isFromApp: false, at: clock.now())
    let password = chance.isOne(in: 2) ? Secret("given at the counter \(chance.below(100))") : nil
    let open = server.store.tables.sessions.values.filter {
      $0.account == account && end(of: $0.id) == nil
    }.map(\.id)
    let (reference, world) = (SimulationReference(world: self), server.world)
    server.perform(operation) {
      guard
        let result = await Self.perform(action, on: account, password: password, in: world),
        !operation.life.isOver
      else { return }
      reference.world.administrated(account, result, ending: open, operation)
    }
  }

  private func action(for account: Account) -> SimulatedOperation.AdministratorAction {
    switch account.status {
    case .pending: .status(chance.isOne(in: 5) ? .reject : .approve)
    case .rejected: chance.isOne(in: 2) ? .status(.approve) : .endSessions
    case .deactivated: .status(chance.isOne(in: 8) ? .deactivate : .reactivate)
    case .active:
      switch chance.below(12) {
      case 0...4: .status(.deactivate)
      case 5...8: .unlock
      case 9...10: .endSessions
      default: .reset
      }
    }
  }

  /// The result of an action.
  private enum Decision {
    case account(AccountEntry)
    case sessionsEnded
  }

  /// Returns `nil` if the action was refused, or a crash interrupted it.
  private static func perform(
    _ action: SimulatedOperation.AdministratorAction, on id: AccountID, password: Secret?,
    in world: World
  ) async -> Decision? {
    do throws(Refusal) {
      switch action {
      case .status(let transition):
        return .account(
          try await changeStatus(of: id, by: transition, rules: .operatorCommand, in: world))
      case .unlock:
        return .account(try await unlockAccount(id, rules: .operatorCommand, in: world))
      case .reset:
        return .account(
          try await resetAccount(id, password: password, rules: .operatorCommand, in: world))
      case .endSessions:
        _ = try await endSessions(of: id, rules: .operatorCommand, in: world)
        return .sessionsEnded
      }
    } catch {
      return nil
    }
  }

  private func administrated(
    _ id: AccountID, _ decision: Decision, ending open: [SessionID],
    _ operation: SimulatedOperation
  ) {
    switch decision {
    case .account(let entry):
      guard let status = AccountStatus(rawValue: entry.status) else { return }
      laws.administrated(id, status, operation)
    case .sessionsEnded: laws.endedSessions(open, server.store.tables)
    }
  }

  // MARK: Passwords

  /// The hash of a new password.
  ///
  /// Its salt names the account for the laws.
  func hash(_ password: Secret, for operation: SimulatedOperation?) -> String {
    let owner: AccountID?
    switch operation?.kind {
    case .reset(let digest, _): owner = server.store.tables.resets[digest]?.account
    case .administration(let id, _): owner = id
    default: owner = nil
    }
    hashCount += 1
    let encoded = FastPasswordHashing.encoded(
      password, salt: "\(owner?.text ?? "nobody")#\(hashCount)")
    chosenPasswords[encoded] = password.revealed
    return encoded
  }

  /// The password that a person remembers: the last one that was set for them.
  func password(of person: SimulatedPeople.Person) -> String {
    guard let hash = server.store.tables.accounts[person.account.id]?.passwordHash else {
      return person.password
    }
    return chosenPasswords[hash] ?? person.password
  }
}

internal import SignInModel
internal import SignInService
internal import SignInWire

// The administrator uses the same use cases as the console and the command line.
extension Simulation {
  func administrate() {
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
    let action = action(for: account)
    note("the administrator acts", accounts.firstIndex(of: account) ?? 0, 0, "\(action)")
    let operation = SimulatedOperation(
      .administration(account.id, action), in: server.life, isFromApp: false, at: clock.now())
    let password = chance.isOne(in: 2) ? Secret("given at the counter \(chance.below(100))") : nil
    let reference = SimulationReference(world: self)
    let world = server.world
    server.perform(operation) {
      let entry = await Self.perform(action, on: account.id, password: password, in: world)
      reference.world.administrated(account.id, entry, operation)
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

  /// Returns `nil` if the action was refused, or returns no account.
  private static func perform(
    _ action: SimulatedOperation.AdministratorAction, on id: AccountID, password: Secret?,
    in world: World
  ) async -> AccountEntry? {
    do throws(Refusal) {
      switch action {
      case .status(let transition):
        return try await changeStatus(of: id, by: transition, rules: .operatorCommand, in: world)
      case .unlock: return try await unlockAccount(id, rules: .operatorCommand, in: world)
      case .reset:
        return try await resetAccount(id, password: password, rules: .operatorCommand, in: world)
      case .endSessions:
        _ = try await endSessions(of: id, rules: .operatorCommand, in: world)
        return nil
      }
    } catch {
      return nil
    }
  }

  private func administrated(
    _ id: AccountID, _ entry: AccountEntry?, _ operation: SimulatedOperation
  ) {
    // A decision interrupted by a crash was not acknowledged.
    guard !operation.life.isOver, let entry, let status = AccountStatus(rawValue: entry.status)
    else { return }
    laws.administrated(id, status, operation)
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

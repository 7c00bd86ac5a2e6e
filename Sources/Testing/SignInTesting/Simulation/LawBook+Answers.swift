internal import JSONText
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

extension LawBook {
  /// The server made an answer.
  ///
  /// The answer may still be lost.
  func answered(_ answer: WireAnswer, _ operation: SimulatedOperation, _ tables: MemoryTables) {
    guard violation == nil else { return }
    expectOneForm(answer.body, operation, tables)
    if (200...299).contains(answer.status) { succeeded(answer.body, operation, tables) }
    if case .ownAccount(let step) = operation.kind {
      return ownAccountAnswered(answer, step, operation, tables)
    }
    guard let error = Refusal(json: answer.body) else { return }
    if case .refresh(let token) = operation.kind, error.reason == EndReason.reuseDetected.rawValue {
      let id = Self.session(of: token).map { tables.last(from: $0) }
      expect(
        id.flatMap { tables.sessions[$0] }?.end != nil, .reuseEndsSession,
        "the session continues after \(token.prefix(14)) was used again")
    }
    switch error.code {
    case .invalidCredentials:
      if operation.comparedWrong != nil {
        expect(
          operation.wasWrongCounted, .countedBeforeAnswered, "invalid_credentials before its count")
      }
      if let account = operation.provedPassword, let known = tables.accounts[account],
        known.status == .active, known.passwordHash == operation.provedHash
      {
        broken(.rightPasswordAccepted, "a right password of \(account.text) was refused as wrong")
      }
    case .invalidOTP:
      expect(operation.wasWrongCounted, .countedBeforeAnswered, "invalid_otp before its count")
    case .accountLocked: announceLockout(error, operation, tables)
    default: break
    }
  }

  private func announceLockout(
    _ error: Refusal, _ operation: SimulatedOperation, _ tables: MemoryTables
  ) {
    guard let until = error.lockedUntil, let key = counter(of: operation, tables),
      tables.lockouts[key]?.failuresInRow ?? 0 < Policy()[.lockoutStop],
      operation.serial > opened[key] ?? 0
    else { return }
    if let told = announcedLockouts[key], told.until > operation.readClock,
      touched[key] ?? 0 <= told.serial, told.serial <= operation.serial
    {
      expect(
        until == told.until, .lockoutEnds,
        "the lockout of \(key) moved from \(told.until.seconds) to \(until.seconds)"
      )
    }
    if until > announcedLockouts[key]?.until ?? Instant(seconds: 0) {
      let isDurable = tables.lockouts[key]?.lockedUntil?.seconds == until.seconds
      announcedLockouts[key] = ReportedLockout(
        until: until, serial: operation.serial, isDurable: isDurable)
    }
  }

  private func counter(of operation: SimulatedOperation, _ tables: MemoryTables) -> LockoutKey? {
    switch operation.kind {
    case .passwordSignIn(let username):
      let account = tables.accounts.values.first { $0.email?.text == username }
      return account.map { Self.counter(of: $0.id, operation, tables) }
    case .verify(let digest, _):
      let account = tables.attempts[digest]?.account
      return account.map { Self.counter(of: $0, operation, tables) }
    case .phoneSignIn(let phone):
      let account = tables.accounts.values.first { $0.phone == phone }
      return account.map { Self.counter(of: $0.id, operation, tables) }
    case .forgot(let username):
      let account = tables.accounts.values.first { $0.email?.text == username }
      return account.map {
        Self.resetCounter(of: $0.id, heldBy: Self.holder(of: $0.id, operation, tables))
      }
    case .reset(let digest, _):
      return tables.resets[digest].map {
        Self.resetCounter(of: $0.account, heldBy: Self.holder(of: $0, operation, tables))
      }
    case .resend, .redeem, .refresh, .revoke, .endSession, .registration, .read, .background,
      .administration, .ownAccount:
      return nil
    }
  }

  /// An answer arrived.
  ///
  /// From now on its contents must stay true.
  func received(_ request: WireRequest, _ answer: WireAnswer, _ tables: MemoryTables) {
    guard (200...299).contains(answer.status) else { return }
    revealsAccounts(request, tables)
    if let tokens = TokenAnswer(json: answer.body), let refresh = tokens.refreshToken {
      let id = tokens.session.id
      let generation = Self.generation(of: refresh.revealed)
      acknowledgedSessions[id] = max(generation, acknowledgedSessions[id] ?? 0)
      check(id, tables)
    }
    if case .revoke(let token) = request.kind, let id = Self.session(of: token) {
      if let session = tables.sessions[id], session.client.text == request.form[.clientID] {
        acknowledgedEndings.insert(id)
        check(id, tables)
      }
    }
  }

  /// Compares all acknowledged facts with the stored tables.
  func checkAcknowledged(_ tables: MemoryTables) {
    for id in acknowledgedSessions.keys { check(id, tables) }
    for id in acknowledgedEndings { check(id, tables) }
    checkAccounts(tables)
  }

  func checkLog(_ events: [SecurityEvent]) {
    var head = SecurityEvent.firstLink
    for (index, event) in events.enumerated() {
      expect(
        event.sequence == index + 1 && event.hash == event.hash(after: head), .logIsComplete,
        "event \(event.sequence) at place \(index + 1)"
      )
      head = event.hash
    }
  }

  private func check(_ id: SessionID, _ tables: MemoryTables) {
    guard let session = tables.sessions[id] else {
      return expect(removed.contains(id), .nothingIsLost, "\(id.text) is unknown")
    }
    if let generation = acknowledgedSessions[id] {
      expect(
        session.refreshGeneration >= generation, .nothingIsLost,
        "\(id.text) lost its issued tokens"
      )
    }
    if acknowledgedEndings.contains(id) {
      expect(session.end != nil, .nothingIsLost, "\(id.text) lost its sign-out")
    }
  }
}

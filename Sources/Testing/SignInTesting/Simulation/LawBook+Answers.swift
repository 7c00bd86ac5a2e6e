internal import JSONText
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

extension LawBook {
  /// The server made an answer, which may still be lost.
  func answered(_ body: JSON, _ errand: Errand, _ tables: MemoryTables) {
    guard violation == nil else { return }
    expectOneForm(body, errand, tables)
    guard let error = ErrorAnswer(json: body) else { return }
    switch error.code {
    case .invalidCredentials:
      if errand.comparedWrong != nil {
        expect(errand.wasWrongCounted, .countedBeforeTold, "invalid_credentials before its count")
      }
      if let account = errand.provedPassword, let known = tables.accounts[account],
        known.status == .active, known.passwordHash == errand.provedHash
      {
        broken(.rightPasswordIsHeard, "a right password of \(account.text) was answered as wrong")
      }
    case .invalidOTP:
      expect(errand.wasWrongCounted, .countedBeforeTold, "invalid_otp before its count")
    case .accountLocked: toldLock(error, errand, tables)
    default: break
    }
  }

  private func toldLock(_ error: ErrorAnswer, _ errand: Errand, _ tables: MemoryTables) {
    guard let until = error.lockedUntil, let key = counter(of: errand, tables),
      tables.lockouts[key]?.failuresInRow ?? 0 < Lockout.Policy().stopLimit,
      errand.serial > opened[key] ?? 0
    else { return }
    if let told = toldLocks[key], told.until > errand.readClock,
      touched[key] ?? 0 <= told.serial, told.serial <= errand.serial
    {
      expect(
        until == told.until, .lockEnds,
        "the lock of \(key) was to end at \(told.until.seconds), now at \(until.seconds)"
      )
    }
    if until > toldLocks[key]?.until ?? Instant(seconds: 0) {
      let isDurable = tables.lockouts[key]?.lockedUntil?.seconds == until.seconds
      toldLocks[key] = ToldLock(until: until, serial: errand.serial, isDurable: isDurable)
    }
  }

  private func counter(of errand: Errand, _ tables: MemoryTables) -> String? {
    switch errand.kind {
    case .passwordSignIn(let username):
      let account = tables.accounts.values.first { $0.email?.text == username }
      return account.map { Self.counter(of: $0.id, errand, tables) }
    case .verify(let digest, _):
      let account = tables.attempts[digest]?.account
      return account.map { Self.counter(of: $0, errand, tables) }
    case .phoneSignIn(let phone):
      let account = tables.accounts.values.first { $0.phone == phone }
      return account.map { Self.counter(of: $0.id, errand, tables) }
    case .forgot(let username):
      let account = tables.accounts.values.first { $0.email?.text == username }
      return account.map {
        Self.resetCounter(of: $0.id, heldBy: Self.holder(of: $0.id, errand, tables))
      }
    case .reset(let digest, _):
      return tables.resets[digest].map {
        Self.resetCounter(of: $0.account, heldBy: Self.holder(of: $0, errand, tables))
      }
    case .resend, .redeem, .refresh, .revoke, .registration, .read, .delivery, .tidying,
      .administration:
      return nil
    }
  }

  /// An answer reached whoever asked: from now on they count on it.
  func told(_ request: WireRequest, _ answer: WireAnswer, _ tables: MemoryTables) {
    guard (200...299).contains(answer.status) else { return }
    toldOfAccounts(request, tables)
    if let tokens = TokenAnswer(json: answer.body), let refresh = tokens.refreshToken {
      let id = tokens.session.id
      let generation = Self.generation(of: refresh.revealed)
      toldSessions[id] = max(generation, toldSessions[id] ?? 0)
      check(id, tables)
    }
    if request.path == Endpoint.revoke, let token = request.form["token"],
      let id = Self.session(of: token)
    {
      if let session = tables.sessions[id], session.client.text == request.form["client_id"] {
        toldEndings.insert(id)
        check(id, tables)
      }
    }
  }

  /// Everything anybody was told, compared with what is durable.
  func checkAcknowledged(_ tables: MemoryTables) {
    for id in toldSessions.keys { check(id, tables) }
    for id in toldEndings { check(id, tables) }
    checkAccounts(tables)
  }

  func checkLog(_ events: [SecurityEvent]) {
    var head = SecurityEvent.firstLink
    for (index, event) in events.enumerated() {
      expect(
        event.sequence == index + 1 && event.hash == event.hash(after: head), .logIsWhole,
        "event \(event.sequence) at place \(index + 1)"
      )
      head = event.hash
    }
  }

  private func check(_ id: SessionID, _ tables: MemoryTables) {
    guard let session = tables.sessions[id] else {
      return expect(removed.contains(id), .nothingIsLost, "\(id.text) is not known any more")
    }
    if let generation = toldSessions[id] {
      expect(
        session.refreshGeneration >= generation, .nothingIsLost,
        "\(id.text) forgot the tokens it handed out"
      )
    }
    if toldEndings.contains(id) {
      expect(session.end != nil, .nothingIsLost, "\(id.text) forgot that it was signed out")
    }
  }
}

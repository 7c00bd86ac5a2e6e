internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

// Laws about accounts, decisions about them, and their passwords.
extension LawBook {
  /// A password set by a reset, with the transaction that stored it.
  struct ResetPassword {
    let account: AccountID
    let hash: String?
    let serial: Int
  }

  /// The account whose reset this transaction accepted, or `nil`.
  func accountsChanged(
    _ before: MemoryTables, _ after: MemoryTables, _ operation: SimulatedOperation
  ) -> AccountID? {
    var accepted: AccountID?
    for (id, account) in after.accounts {
      guard let earlier = before.accounts[id] else {
        appeared(account, before, operation)
        continue
      }
      if earlier.status != account.status { decided(earlier, account.status, after, operation) }
      if earlier.passwordHash != account.passwordHash {
        if passwordChanged(of: earlier, before, operation) { accepted = id }
        expectNothingLeft(of: id, after)
        passwordSerials[id] = serial
        acknowledgedPasswords[id] = nil
        if case .reset(let digest, _) = operation.kind {
          resets[digest] = ResetPassword(account: id, hash: account.passwordHash, serial: serial)
        }
      }
    }
    return accepted
  }

  private func appeared(_ account: Account, _ before: MemoryTables, _ operation: SimulatedOperation)
  {
    guard case .registration = operation.kind, account.status == .pending else {
      return broken(.administratorsDecide, "\(account.status.rawValue) from the start")
    }
    let isKnown = before.accounts.values.contains {
      $0.phone == account.phone && $0.role == account.role
    }
    expect(!isKnown, .oneAccountEach, "\(account.number.e164) has a second account")
  }

  private func decided(
    _ earlier: Account, _ status: AccountStatus, _ after: MemoryTables,
    _ operation: SimulatedOperation
  ) {
    statusSerials[earlier.id] = serial
    acknowledgedStatuses[earlier.id] = nil
    guard case .administration(earlier.id, .status(let transition)) = operation.kind,
      earlier.status.after(transition) == status
    else {
      return broken(
        .administratorsDecide, "\(earlier.id.text) became \(status.rawValue) without a decision"
      )
    }
    let isOver = status != .deactivated || !hasSession(earlier.id, after)
    expect(isOver, .activeOnly, "\(earlier.id.text) was deactivated and keeps a session")
  }

  /// Whether the change used a reset code of the person.
  private func passwordChanged(
    of account: Account, _ before: MemoryTables, _ operation: SimulatedOperation
  ) -> Bool {
    if case .administration(account.id, .reset) = operation.kind { return false }
    guard case .reset(let digest, let typed) = operation.kind, let reset = before.resets[digest],
      reset.account == account.id, operation.readClock < reset.expiresAt,
      reset.proofKeyThumbprint ?? operation.device == operation.device
    else {
      broken(.resetNeedsCode, "the password of \(account.id.text) changed without a reset")
      return false
    }
    expect(account.status == .active, .activeOnly, "\(account.id.text) reset its password")
    let holder = Self.holder(of: reset, operation, before)
    let counter = Self.resetCounter(of: account.id, heldBy: holder)
    expectUnlocked(counter, before.lockouts[counter], operation, "accepted a reset")
    let place = CodePlace(account: account.id, purpose: .passwordReset, holder: holder)
    let session = "reset session " + Base64URL.encode(reset.digest)
    judge(typed, at: place, boundTo: reset.proofKeyThumbprint ?? session, operation)
    answeredMessages(of: account.id, for: holder, before)
    return true
  }

  private func expectNothingLeft(of id: AccountID, _ after: MemoryTables) {
    expect(!hasSession(id, after), .resetEndsAll, "\(id.text) keeps a session")
    expect(
      !after.attempts.values.contains { $0.account == id }, .resetEndsAll,
      "\(id.text) keeps an unfinished sign-in"
    )
    expect(
      !after.resets.values.contains { $0.account == id }, .resetEndsAll,
      "\(id.text) keeps another reset"
    )
  }

  private func hasSession(_ id: AccountID, _ tables: MemoryTables) -> Bool {
    tables.sessions.values.contains { $0.account == id && $0.end == nil }
  }
}

// MARK: - Acknowledged decisions

extension LawBook {
  /// An administrator got the new status of an account.
  func administrated(_ id: AccountID, _ status: AccountStatus, _ operation: SimulatedOperation) {
    if operation.serial >= statusSerials[id] ?? 0 { acknowledgedStatuses[id] = status }
  }

  /// An administrator got the answer that the sessions of an account have ended.
  func endedSessions(_ sessions: [SessionID], _ tables: MemoryTables) {
    acknowledgedEndings.formUnion(sessions)
    checkAcknowledged(tables)
  }

  func revealsAccounts(_ request: WireRequest, _ tables: MemoryTables) {
    switch request.kind {
    case .registration:
      if let phone = request.form[.phoneNumber] { acknowledgedNumbers.insert(phone) }
    case .reset(let digest, _):
      guard let reset = resets[digest] else {
        return broken(.nothingIsLost, "an acknowledged reset does not exist")
      }
      if passwordSerials[reset.account] == reset.serial {
        acknowledgedPasswords[reset.account] = reset
      }
    default: break
    }
    checkAccounts(tables)
  }

  func checkAccounts(_ tables: MemoryTables) {
    for (id, status) in acknowledgedStatuses {
      expect(
        tables.accounts[id]?.status == status, .nothingIsLost,
        "\(id.text) is no longer \(status.rawValue)"
      )
    }
    for (id, reset) in acknowledgedPasswords {
      expect(
        tables.accounts[id]?.passwordHash == reset.hash, .nothingIsLost,
        "\(id.text) has an earlier password again"
      )
    }
    for number in acknowledgedNumbers {
      expect(
        tables.accounts.values.contains { $0.phone?.e164 == number }, .nothingIsLost,
        "the registration of \(number) is lost"
      )
    }
  }
}

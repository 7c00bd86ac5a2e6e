internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

// Who has an account, who decides about it, and which password opens it.
extension LawBook {
  /// A password that a reset set, as the tables had it when it was durable.
  struct ResetPassword {
    let account: AccountID
    let hash: String?
    let serial: Int
  }

  /// Whose reset was accepted by this transaction, if one was.
  func accountsChanged(
    _ before: MemoryTables, _ after: MemoryTables, _ errand: Errand
  ) -> AccountID? {
    var accepted: AccountID?
    for (id, account) in after.accounts {
      guard let earlier = before.accounts[id] else {
        appeared(account, before, errand)
        continue
      }
      if earlier.status != account.status { decided(earlier, account.status, after, errand) }
      if earlier.passwordHash != account.passwordHash {
        if passwordChanged(of: earlier, before, errand) { accepted = id }
        expectNothingLeft(of: id, after)
        passwordSerials[id] = serial
        toldPasswords[id] = nil
        if case .reset(let digest, _) = errand.kind {
          resets[digest] = ResetPassword(account: id, hash: account.passwordHash, serial: serial)
        }
      }
    }
    return accepted
  }

  private func appeared(_ account: Account, _ before: MemoryTables, _ errand: Errand) {
    guard case .registration = errand.kind, account.status == .pending else {
      return broken(.administratorsDecide, "\(account.status.rawValue) from the start")
    }
    let isKnown = before.accounts.values.contains {
      $0.phone == account.phone && $0.role == account.role
    }
    expect(!isKnown, .oneAccountEach, "\(account.phone.e164) has a second account")
  }

  private func decided(
    _ earlier: Account, _ status: Account.Status, _ after: MemoryTables, _ errand: Errand
  ) {
    statusSerials[earlier.id] = serial
    toldStatuses[earlier.id] = nil
    guard case .administration(earlier.id, .status(let transition)) = errand.kind,
      earlier.status.after(transition) == status
    else {
      return broken(
        .administratorsDecide, "\(earlier.id.text) became \(status.rawValue) by nobody's decision"
      )
    }
    let isOver = status != .deactivated || !hasSession(earlier.id, after)
    expect(isOver, .activeOnly, "\(earlier.id.text) was deactivated and keeps a session")
  }

  /// Answers whether it was by a code of the person's own.
  private func passwordChanged(
    of account: Account, _ before: MemoryTables, _ errand: Errand
  ) -> Bool {
    if case .administration(account.id, .reset) = errand.kind { return false }
    guard case .reset(let digest, let typed) = errand.kind, let reset = before.resets[digest],
      reset.account == account.id, errand.readClock < reset.expiresAt,
      reset.proofKeyThumbprint ?? errand.device == errand.device
    else {
      broken(.resetNeedsCode, "the password of \(account.id.text) changed with no reset")
      return false
    }
    expect(account.status == .active, .activeOnly, "\(account.id.text) reset its password")
    let holder = Self.holder(of: reset, errand, before)
    let counter = Self.resetCounter(of: account.id, heldBy: holder)
    expectUnlocked(counter, before.lockouts[counter], errand, "accepted a reset")
    let place = CodePlace(account: account.id, purpose: .passwordReset, holder: holder)
    let session = "reset session " + Base64URL.encode(reset.digest)
    judge(typed, at: place, boundTo: reset.proofKeyThumbprint ?? session, errand)
    answeredMessages(of: account.id, for: holder, before)
    return true
  }

  private func expectNothingLeft(of id: AccountID, _ after: MemoryTables) {
    expect(!hasSession(id, after), .resetEndsAll, "\(id.text) keeps a session")
    expect(
      !after.attempts.values.contains { $0.account == id }, .resetEndsAll,
      "\(id.text) keeps a sign-in half done"
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

// MARK: - What people and administrators count on

extension LawBook {
  /// An administrator was told what became of an account.
  func administrated(_ id: AccountID, _ status: Account.Status, _ errand: Errand) {
    if errand.serial >= statusSerials[id] ?? 0 { toldStatuses[id] = status }
  }

  func toldOfAccounts(_ request: WireRequest, _ tables: MemoryTables) {
    switch request.path {
    case Endpoint.accounts:
      if let phone = request.form["phone_number"] { toldNumbers.insert(phone) }
    case Endpoint.resetPassword:
      let digest = DatedHandle.digest(of: request.form["reset_session"] ?? "")
      guard let reset = resets[digest] else {
        return broken(.nothingIsLost, "a reset was acknowledged that never was")
      }
      if passwordSerials[reset.account] == reset.serial { toldPasswords[reset.account] = reset }
    default: break
    }
    checkAccounts(tables)
  }

  func checkAccounts(_ tables: MemoryTables) {
    for (id, status) in toldStatuses {
      expect(
        tables.accounts[id]?.status == status, .nothingIsLost,
        "\(id.text) is not \(status.rawValue) any more"
      )
    }
    for (id, reset) in toldPasswords {
      expect(
        tables.accounts[id]?.passwordHash == reset.hash, .nothingIsLost,
        "\(id.text) has its older password again"
      )
    }
    for number in toldNumbers {
      expect(
        tables.accounts.values.contains { $0.phone.e164 == number }, .nothingIsLost,
        "the registration of \(number) is forgotten"
      )
    }
  }
}

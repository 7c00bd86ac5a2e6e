internal import JSONText
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

// Laws about what attackers learn, how often people get messages, and calls to other systems.
extension LawBook {
  /// The server calls another system, or hashes a password (L-07).
  func calledOtherSystem(_ whom: StaticString) {
    expect(!isDeciding, .noOutsideCallInTransaction, "\(whom) was called within a transaction")
  }

  // MARK: Numbers

  /// A message to a number of an account was recorded (L-16).
  func countMessage(
    to phone: PhoneNumber, for holder: CodeChallenge.Holder, _ operation: SimulatedOperation
  ) {
    let hourAgo = operation.readClock.adding(seconds: -Throttle.Limit.hourSeconds)
    let share = MessageShare(phone: phone, holder: holder)
    let recent = (recordedAt[share] ?? []).filter { $0 > hourAgo } + [operation.readClock]
    recordedAt[share] = recent
    expect(
      recent.count <= Int(messagesPerNumber), .budget,
      "\(phone.e164) gets \(recent.count) messages in an hour"
    )
  }

  /// A code was entered.
  ///
  /// The share of a known device is complete again. The share of unknown devices gets one message
  /// back.
  func answeredMessages(
    of account: AccountID, for holder: CodeChallenge.Holder, _ tables: MemoryTables
  ) {
    guard let phone = tables.accounts[account]?.phone else { return }
    let share = MessageShare(phone: phone, holder: holder)
    if holder == .unknownDevices {
      _ = recordedAt[share]?.popLast()
    } else {
      recordedAt[share] = nil
    }
  }

  // MARK: Devices

  func expectOwnDevice(_ attempt: SignInAttempt, _ operation: SimulatedOperation) {
    expect(
      attempt.proofKeyThumbprint == operation.device, .ownDevice,
      "a code of \(attempt.account.text) was accepted from another device"
    )
  }

  // MARK: Addresses

  /// Checks the answer to the first request of a sign-in or of a reset (T-03, L-12).
  func expectOneForm(_ body: JSON, _ operation: SimulatedOperation, _ tables: MemoryTables) {
    let (kind, username): (String, String)
    switch operation.kind {
    case .passwordSignIn(let name): (kind, username) = ("sign-in", name)
    case .forgot(let name): (kind, username) = ("forgot", name)
    case .phoneSignIn, .verify, .resend, .redeem, .refresh, .revoke, .endSession, .reset,
      .registration, .read, .background, .administration, .ownAccount:
      return
    }
    let error = body["error"]?.text ?? ""
    let isKnown = tables.accounts.values.contains { $0.email?.text == username }
    let form = Self.names(in: body)
    let known = forms[kind + error]
    expect(known == nil || known == form, .sameAnswerForUnknown, "\(kind) \(error) in another form")
    forms[kind + error] = form
    // A late proof is refused before the account is looked up.
    let words = [
      "", "invalid_credentials", "account_locked", "temporarily_unavailable", "invalid_dpop_proof",
    ]
    // Limits of the caller's key and address do not depend on the named account.
    let isOfCaller = error == ErrorCode.rateLimited.rawValue && tables.hasRefusedCaller
    expect(
      isKnown || words.contains(error) || isOfCaller, .sameAnswerForUnknown,
      "\(error) to \(username), which has no account"
    )
  }

  private static func names(in json: JSON) -> [String] {
    (json.objectMembers ?? []).flatMap { member in
      [member.key] + names(in: member.value).map { member.key + "." + $0 }
    }
  }
}

extension MemoryTables {
  private static let limitsOfCaller = [
    "device", "address sends", "site sends", "address failures", "site failures",
  ]

  /// Whether a request was refused by a limit of its key or its address.
  fileprivate var hasRefusedCaller: Bool {
    refusals.keys.contains { source in
      source.code == .refusedTooOften && source.subject.isEmpty
        && Self.limitsOfCaller.contains(source.detail ?? "")
    }
  }
}

internal import JSONText
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

// What strangers learn, how often people are written to, and whom the server asks meanwhile.
extension LawBook {
  /// Somebody outside, a provider or the hashing of passwords, is asked for something (L-07).
  func askedOutside(_ whom: StaticString) {
    expect(!isDeciding, .nobodyIsAsked, "\(whom) was asked within a transaction")
  }

  // MARK: Numbers

  /// A message was recorded to a number that somebody has (L-16).
  func countMessage(
    to phone: PhoneNumber, for holder: CodeChallenge.Holder, _ errand: Errand
  ) {
    let hourAgo = errand.readClock.adding(seconds: -Throttle.Limit.hourSeconds)
    let share = MessageShare(phone: phone, holder: holder)
    let recent = (recordedAt[share] ?? []).filter { $0 > hourAgo } + [errand.readClock]
    recordedAt[share] = recent
    expect(
      recent.count <= Int(MessageBudget().perNumberPerHour), .budget,
      "\(phone.e164) is sent \(recent.count) messages in an hour"
    )
  }

  /// A code was answered: a known device has its whole share again, of the others' share one
  /// message is taken back.
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

  func expectOwnDevice(_ attempt: SignInAttempt, _ errand: Errand) {
    expect(
      attempt.proofKeyThumbprint == errand.device, .ownDevice,
      "a code of \(attempt.account.text) was accepted from another device"
    )
  }

  // MARK: Addresses

  /// What is answered to a first call or to a wish for a reset (T-03, L-12).
  func expectOneForm(_ body: JSON, _ errand: Errand, _ tables: MemoryTables) {
    let (kind, username): (String, String)
    switch errand.kind {
    case .passwordSignIn(let name): (kind, username) = ("sign-in", name)
    case .forgot(let name): (kind, username) = ("forgot", name)
    case .phoneSignIn, .verify, .resend, .redeem, .refresh, .revoke, .reset, .registration, .read,
      .delivery, .tidying, .administration:
      return
    }
    let error = body["error"]?.text ?? ""
    let isKnown = tables.accounts.values.contains { $0.email?.text == username }
    let form = Self.names(in: body)
    let known = forms[kind + error]
    expect(known == nil || known == form, .oneForm, "\(kind) \(error) in another form")
    forms[kind + error] = form
    // A proof that came too late is refused before anybody is looked for.
    let words = [
      "", "invalid_credentials", "account_locked", "temporarily_unavailable", "invalid_dpop_proof",
    ]
    // Limits of the caller's key and address are the same whomever a call names.
    let isOfCaller = error == ErrorCode.rateLimited.rawValue && tables.hasRefusedCaller
    expect(
      isKnown || words.contains(error) || isOfCaller, .oneForm,
      "\(error) to \(username), whom nobody knows"
    )
  }

  private static func names(in json: JSON) -> [String] {
    (json.objectMembers ?? []).flatMap { member in
      [member.key] + names(in: member.value).map { member.key + "." + $0 }
    }
  }
}

extension MemoryTables {
  /// Whether a call was refused by a limit of the key or the address it came from.
  fileprivate var hasRefusedCaller: Bool {
    refusals.keys.contains { source in
      source.code == .refusedTooOften && source.subject.isEmpty
        && ["device", "address sends", "site sends"].contains(source.detail ?? "")
    }
  }
}

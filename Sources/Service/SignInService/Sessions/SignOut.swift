import SignInModel
import SignInRules
import SignInWire

/// What a sign-out ends.
///
/// Each case also ends everything that could begin a session in its place: sign-ins in progress,
/// one-time codes, password resets, and sign-ins at identity providers. Only `limited` does not.
enum SignOut: Sendable {
  typealias Records =
    AccountRecords & EventRecords & KnownDevice.Records & ResetMeansRecords & SessionRecords
    & SignInRecords

  /// Every session, every known device, a waiting password and an invitation.
  case everything
  /// The same for an account that is deactivated, but sign-ins in progress and their codes stay.
  ///
  /// So the person who enters a code reads that the account is deactivated. A reactivation ends
  /// these sign-ins.
  case deactivated
  /// The same, decided by the person with this session, whose device stays known.
  ///
  /// A session that began without the password keeps the waiting password and the invitation,
  /// because it may be of another person who has only the phone.
  case everythingOf(Session)
  /// The same, but this session continues, and its device stays known.
  case everythingExcept(Session)
  /// One session and its device, because the device may be lost.
  case device(Session)
  /// Only these sessions, because other reasons for a session remain.
  case sessions([Session])
  /// These sessions, and sign-ins at these providers of one organization.
  ///
  /// The organization may have caused it, and must not end what the person begins in another way.
  case limited([Session], providers: [String])
  /// No session, but a waiting password and an invitation, because the address has changed.
  case nothingBegun

  /// Whether the device is not known any more.
  fileprivate func forgets(_ device: KnownDevice) -> Bool {
    switch self {
    case .everything, .deactivated: true
    case .everythingOf(let session), .everythingExcept(let session):
      device.proofKeyThumbprint != session.proofKeyThumbprint
    case .device(let session): device.proofKeyThumbprint == session.proofKeyThumbprint
    case .sessions, .limited, .nothingBegun: false
    }
  }

  /// Whether sign-ins in progress and their codes end.
  fileprivate var endsSignIns: Bool {
    if case .deactivated = self { return false }
    return true
  }

  /// Whether a waiting password and an invitation end.
  fileprivate var endsPasswordMeans: Bool {
    switch self {
    case .everything, .deactivated, .everythingExcept, .nothingBegun: true
    case .everythingOf(let session): session.hasProvedPassword
    case .device, .sessions, .limited: false
    }
  }
}

extension SessionRecords where Self: SignOut.Records {
  /// Ends sessions of an account, and what could begin a session in their place (L-51).
  ///
  /// Every decision that ends the sessions of a person for a reason outside these sessions calls
  /// this. A session that ends alone, because it expired or its app signed out, ends with `end`.
  ///
  /// - Returns: The number of ended sessions.
  @discardableResult
  func signOut(
    _ account: AccountID, from extent: SignOut, because reason: EndReason, by caller: Caller,
    at now: Instant
  ) throws(StoreFault) -> Int {
    if case .limited(_, let providers) = extent {
      for provider in providers { try removeSignInAttempts(of: account, at: provider) }
    } else {
      try endBeginnings(of: account, extent, at: now)
    }
    let ending = try sessions(endedBy: extent, of: account)
    for session in ending {
      try end(session, because: reason, by: caller, at: now, self)
    }
    return ending.count
  }

  /// Ends what could begin a session, and forgets devices.
  private func endBeginnings(
    of account: AccountID, _ extent: SignOut, at now: Instant
  ) throws(StoreFault) {
    let devices = try knownDevices(of: account)
    try removeResetMeans(of: account, andPasswordMeans: extent.endsPasswordMeans)
    if extent.endsSignIns {
      try endSignIns(of: account, devices)
    }
    for device in devices where extent.forgets(device) { try forget(device) }
    try save(signedOutAt: now, of: account)
  }

  /// Ends sign-ins in progress and every code.
  ///
  /// A code stays as a used one, because its cooldown continues.
  private func endSignIns(
    of account: AccountID, _ devices: [KnownDevice]
  ) throws(StoreFault) {
    try removeSignInAttempts(of: account)
    let known = devices.map { CodeChallenge.Holder.knownDevice($0.proofKeyThumbprint) }
    for holder in [.unknownDevices] + known {
      for purpose in CodeChallenge.Purpose.allCases {
        let place = CodeChallenge.Key(account: account, purpose: purpose, holder: holder)
        guard let code = try codeChallenge(at: place) else { continue }
        try save(code.consumed())
      }
    }
  }

  private func sessions(
    endedBy extent: SignOut, of account: AccountID
  ) throws(StoreFault) -> [Session] {
    let open = try openSessions(of: account)
    switch extent {
    case .everything, .deactivated, .everythingOf: return open
    case .everythingExcept(let own): return open.filter { $0.id != own.id }
    case .device(let session): return open.filter { $0.id == session.id }
    case .sessions(let chosen), .limited(let chosen, _):
      return open.filter { chosen.map(\.id).contains($0.id) }
    case .nothingBegun: return []
    }
  }
}

extension ProviderJourney {
  /// Whether the account was signed out since the journey began, so that it begins no session.
  func isEnded(by account: Account) -> Bool {
    account.signedOutAt.map { startedAt <= $0 } ?? false
  }
}

extension SessionRecords where Self: SignOut.Records {
  /// What ends if an account gets another role, or leaves organizations; nil if nothing does.
  func signOut(leaving before: Account, for after: Account) throws(StoreFault) -> SignOut? {
    if before.role != after.role { return .everything }
    guard before.organizations.contains(where: { !after.organizations.contains($0) }) else {
      return nil
    }
    let lost = try openSessions(of: after.id).filter { session in
      session.organization.map { !after.organizations.contains($0) } ?? false
    }
    return .sessions(lost)
  }
}

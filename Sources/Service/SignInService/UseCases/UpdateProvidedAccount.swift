import SignInModel
import SignInWire

/// Why a sign-in at a provider has no account.
struct MissingAccount: Error {
  let reason: JourneyError
  /// The account that may not be used; nil if there is none.
  var account: AccountID?
}

extension Transaction {
  /// Gives an account that the provider created the role and the organization that its rules say
  /// now.
  ///
  /// Accounts that an administrator created or linked do not change, and neither do administrators
  /// and accounts that are not active. A new role ends every session, and so does the loss of every
  /// role. An account without a number cannot become a rider. Leaving an organization ends the
  /// sessions in it.
  func updated(
    _ account: Account, of identity: Identity, with claims: ProviderClaims,
    at provider: IdentityProvider, by caller: Caller, at now: Instant
  ) throws(StoreFault) -> Result<Account, MissingAccount> {
    guard let new = provider.settings.newAccounts, new.updatesAccounts,
      identity.hasCreatedAccount, account.status == .active, account.role != .administrator
    else { return .success(account) }
    var after = account
    switch new.assignment(for: claims.values) {
    case .assigned(let role, let organization) where role != .rider || account.phone != nil:
      after.role = role
      after.organizations = new.organizations(of: account, given: organization)
    case .assigned, .noRole:
      try endSessions(of: account.id, because: .revoked, by: caller, at: now, self)
      return .failure(MissingAccount(reason: .wrongRole, account: account.id))
    case .unknown:
      return .failure(MissingAccount(reason: .providerUnavailable, account: account.id))
    }
    guard after != account else { return .success(account) }
    try update(after)
    let changed = ChangedMember.allCases.filter { $0.differs(account, after) }
    let detail = ([provider.name] + changed.map(\.rawValue)).joined(separator: " ")
    try record(.accountChanged, about: account.id, detail: detail, by: caller, at: now)
    for session in try openSessions(of: account.id) {
      let isLost = session.organization.map { !after.organizations.contains($0) } ?? false
      guard isLost || changed.contains(.role) else { continue }
      try end(session, because: .revoked, by: caller, at: now, self)
    }
    return .success(after)
  }
}

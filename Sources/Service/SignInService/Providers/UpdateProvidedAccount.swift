import SignInModel
import SignInWire

/// Why a sign-in at a provider has no account.
struct MissingAccount: Error {
  let reason: JourneyError
  /// The account that may not be used; nil if there is none.
  var account: AccountID?
}

extension ProvidedSignInStep {
  /// Updates the role and the organization of an account by the provider's rules for accounts.
  ///
  /// Only active accounts that this provider created change, and never administrators. A changed
  /// role ends all sessions of the account. Leaving an organization ends the sessions in it. If the
  /// rules give no role, or give the role of a rider to an account without a number, all sessions
  /// end and the sign-in is refused.
  ///
  /// The provider of one organization decides nothing in others: if the account is also in others,
  /// its role stays, and only the sessions in this organization end.
  func updated(
    _ account: Account, of identity: Identity,
    _ transaction: any ContactProposalRecords & RevocableChangeRecords & SignOut.Records
  ) throws(StoreFault) -> Result<Account, MissingAccount> {
    guard let new = provider.settings.newAccounts, new.updatesAccounts,
      identity.hasCreatedAccount(at: provider), account.status == .active,
      account.role != .administrator
    else { return .success(account) }
    let owner = provider.settings.administeredBy.flatMap { account.isOnly(in: $0) ? nil : $0 }
    var after = account
    switch new.assignment(for: claims.values) {
    case .assigned(let role, let organization) where role != .rider || account.phone != nil:
      if owner == nil { after.role = role }
      after.organizations = new.organizations(of: account, given: organization)
    case .assigned, .noRole:
      let extent = try world.extent(.everything, of: account.id, within: owner, transaction)
      try transaction.signOut(account.id, from: extent, because: .revoked, by: caller, at: now)
      return .failure(MissingAccount(reason: .wrongRole, account: account.id))
    case .unknown:
      return .failure(MissingAccount(reason: .providerUnavailable, account: account.id))
    }
    guard after != account else { return .success(account) }
    // Another account may have the same number in the new role.
    if try taken(by: after, transaction) != nil {
      return .failure(MissingAccount(reason: .accountExists, account: account.id))
    }
    try transaction.update(after)
    try transaction.endOpenRequests(
      of: account, becoming: after, named: provider.name, by: caller, at: now)
    let changed = ChangedMember.allCases.filter { $0.differs(account, after) }
    let detail = ([provider.name] + changed.map(\.rawValue)).joined(separator: " ")
    try transaction.record(.accountChanged, about: account.id, detail: detail, by: caller, at: now)
    if let extent = try transaction.signOut(leaving: account, for: after) {
      try transaction.signOut(account.id, from: extent, because: .revoked, by: caller, at: now)
    }
    return .success(after)
  }
}

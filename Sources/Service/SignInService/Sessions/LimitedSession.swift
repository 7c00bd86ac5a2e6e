import SignInModel
import SignInWire

/// Sessions that began at a provider of one organization.
///
/// The organization may control what its provider says. So if the account is also in others, the
/// session changes nothing there.
extension World {
  /// The only organization in which this session may act; nil if it acts for the whole account.
  func limit(of session: Session, _ account: Account) -> OrganizationID? {
    guard let provider = session.provider, let owner = names.owners[provider],
      !account.isOnly(in: owner)
    else { return nil }
    return owner
  }

  /// Refuses what concerns the account in all its organizations, if the session is limited to one.
  func checkWholeAccount(_ session: Session, _ account: Account) throws(Refusal) {
    guard limit(of: session, account) == nil else { throw .limitedSession }
  }
}

extension Account {
  /// Whether the account is in no organization but this one, and has no permission elsewhere.
  func isOnly(in organization: OrganizationID) -> Bool {
    organizations.allSatisfy { $0 == organization } && permission.everywhere == nil
      && permission.organizations.keys.allSatisfy { $0 == organization }
  }
}

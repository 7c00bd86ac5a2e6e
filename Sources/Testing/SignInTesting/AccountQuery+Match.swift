internal import SignInModel
public import SignInService

extension AccountQuery {
  /// Whether the query finds the account, in the plainest way.
  public func finds(_ account: Account) -> Bool {
    if let status, account.status != status { return false }
    if let role, account.role != role { return false }
    if let organizations, !account.organizations.contains(where: organizations.contains) {
      return false
    }
    if words.isEmpty || words.match(account.searchText) { return true }
    guard let phoneText, let phone = account.phone else { return false }
    return phone.e164.utf8.contains(phoneText.utf8)
  }
}

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
    if text.isEmpty || lowered(account.name).contains(text.utf8) { return true }
    if account.email?.text.utf8.contains(text.utf8) == true { return true }
    guard let phoneText, let phone = account.phone else { return false }
    return phone.e164.utf8.contains(phoneText.utf8)
  }

  /// Changes ASCII letters only, as the search of the store does.
  private func lowered(_ text: String) -> [UInt8] {
    text.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 }
  }
}

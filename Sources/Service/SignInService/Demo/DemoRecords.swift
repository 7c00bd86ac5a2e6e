public import SignInModel

public protocol DemoRecords {
  func hasDemoAccounts() throws(StoreFault) -> Bool
  func hasAccounts() throws(StoreFault) -> Bool
  /// At most `limit` accounts that were inserted with `isDemo`, in order of their identifiers.
  func demoAccounts(limit: Int) throws(StoreFault) -> [AccountID]
  /// Removes the account, and every record that names it or contains one of its `addresses`, except
  /// the security log. Texts of events about others that contain its name are removed too.
  ///
  /// Remembered answers of other accounts that contain an address or the name lose their content
  /// and stay, so that a repeated request does not create the account again. What other people can
  /// take back stays too.
  ///
  /// - Returns: The number of records that were removed or lost their content.
  /// - Throws: `.conflict` if there is no such account.
  @discardableResult
  func removeAccount(
    _ id: AccountID, addresses: Set<Recipient>
  ) throws(StoreFault) -> Int
}

extension DemoRecords where Self: AccountRecords {
  /// Removes the account with its current address and number.
  @discardableResult
  public func removeAccount(_ id: AccountID) throws(StoreFault) -> Int {
    try removeAccount(id, addresses: Set(try account(id)?.contacts ?? []))
  }
}

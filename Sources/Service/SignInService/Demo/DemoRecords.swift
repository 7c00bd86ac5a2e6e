public import SignInModel

public protocol DemoRecords {
  func hasDemoAccounts() throws(StoreFault) -> Bool
  func hasAccounts() throws(StoreFault) -> Bool
  /// At most `limit` accounts that were inserted with `isDemo`, in order of their identifiers.
  func demoAccounts(limit: Int) throws(StoreFault) -> [AccountID]
  /// Removes the account and every record that names it or is addressed to it, except the security
  /// log.
  ///
  /// - Returns: The number of records that were removed.
  /// - Throws: `.conflict` if there is no such account.
  @discardableResult
  func removeAccount(_ id: AccountID) throws(StoreFault) -> Int
}

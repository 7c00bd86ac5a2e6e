public import SignInModel

public protocol DemoRecords {
  func hasDemoAccounts() throws(StoreFault) -> Bool
  func hasAccounts() throws(StoreFault) -> Bool
  /// Accounts that were inserted with `isDemo`, by identifier, at most `limit`.
  func demoAccounts(limit: Int) throws(StoreFault) -> [AccountID]
  /// Removes the account, and every record that names it or is addressed to it, apart from the
  /// security log; answers how many records were removed. Faults with `.conflict` when there is no
  /// such account.
  func removeAccount(_ id: AccountID) throws(StoreFault) -> Int
}

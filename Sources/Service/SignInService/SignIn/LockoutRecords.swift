public import SignInModel
public import SignInRules

public protocol LockoutRecords {
  /// The counter under `key`.
  ///
  /// A key that was never saved has the counter `Lockout.open`.
  func lockout(_ key: LockoutKey) throws(StoreFault) -> Lockout
  func save(_ lockout: Lockout, for key: LockoutKey) throws(StoreFault)
  /// Removes at most `limit` counters that have fewer than `count` failures in a row, no failure
  /// since `moment` and no lockout since `moment`.
  ///
  /// Counters of known and unknown accounts are removed by the same rule, so that the time of
  /// removal does not reveal whether an account exists.
  ///
  /// - Returns: The number of counters that were removed.
  func removeLockouts(
    quietSince moment: Instant, failuresBelow count: Int64, limit: Int
  ) throws(StoreFault) -> Int
}

public import SignInModel

public protocol PasswordResetRecords {
  func insert(_ reset: PasswordReset) throws(StoreFault)
  func passwordReset(digest: [UInt8]) throws(StoreFault) -> PasswordReset?
  /// The number of resets of this account and key that expire after `moment`.
  func passwordResetCount(
    of account: AccountID, proofKeyThumbprint: String, expiringAfter moment: Instant
  ) throws(StoreFault) -> Int
  /// Removes the resets of this account and key, except the newest `count`.
  func removePasswordResets(
    of account: AccountID, proofKeyThumbprint: String, keeping count: Int
  ) throws(StoreFault)
  /// Removes every reset of the account.
  func removePasswordResets(of account: AccountID) throws(StoreFault)
  /// Removes at most `limit` resets that expired before `moment`, and returns how many.
  func removePasswordResets(expiredBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}

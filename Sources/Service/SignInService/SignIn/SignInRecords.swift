public import SignInModel

public protocol SignInRecords {
  func insert(_ attempt: SignInAttempt) throws(StoreFault)
  func signInAttempt(digest: [UInt8]) throws(StoreFault) -> SignInAttempt?
  /// The attempt in the progress `.proved` or `.redeemed` with this code digest.
  func signInAttempt(codeDigest: [UInt8]) throws(StoreFault) -> SignInAttempt?
  func update(_ attempt: SignInAttempt) throws(StoreFault)
  /// Removes at most `limit` attempts that expired before `moment`, and returns how many.
  func removeSignInAttempts(expiredBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
  /// Removes the attempts of this account and key that await a code, except the newest `count`.
  func removeOpenSignInAttempts(
    of account: AccountID, proofKeyThumbprint: String, keeping count: Int
  ) throws(StoreFault)
  /// Does nothing if there is no such attempt.
  func removeSignInAttempt(digest: [UInt8]) throws(StoreFault)
  /// Removes every attempt of the account, in any progress.
  func removeSignInAttempts(of account: AccountID) throws(StoreFault)
  /// Removes the attempts of the account that began at this identity provider, in any progress.
  func removeSignInAttempts(of account: AccountID, at provider: String) throws(StoreFault)
}

import SignInModel
import SignInWire

/// The records that a new password changes.
typealias PasswordReplacementRecords = SignOut.Records

extension AccountRecords where Self: PasswordReplacementRecords {
  /// Gives an account a new password and ends everything that the old one allowed: sessions,
  /// sign-ins and resets in progress, a waiting password, an invitation, and the known devices.
  func replacePassword(
    of account: Account, with hash: String, by caller: Caller, at now: Instant
  ) throws(StoreFault) {
    var account = account
    account.passwordHash = hash
    try update(account)
    try open(account.id, forgettingDevices: true)
    try signOut(account.id, from: .everything, because: .passwordChanged, by: caller, at: now)
  }
}

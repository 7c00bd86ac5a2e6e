public import SignInModel

public protocol WaitingPasswordRecords {
  func waitingPassword(of account: AccountID) throws(StoreFault) -> WaitingPassword?
  /// Replaces the account's earlier one.
  func save(_ waiting: WaitingPassword) throws(StoreFault)
  /// Does nothing if the account has none.
  func removeWaitingPassword(of account: AccountID) throws(StoreFault)
  /// At most `limit` passwords that are available at `moment` or before, earliest first.
  func waitingPasswords(
    availableAt moment: Instant, limit: Int
  ) throws(StoreFault) -> [WaitingPassword]
}

public protocol InvitationRecords {
  func invitation(digest: [UInt8]) throws(StoreFault) -> Invitation?
  /// Replaces the account's earlier one.
  func save(_ invitation: Invitation) throws(StoreFault)
  /// Does nothing if the account has none.
  func removeInvitation(of account: AccountID) throws(StoreFault)
  /// Removes at most `limit` invitations that expired before `moment`, and returns how many.
  func removeInvitations(expiredBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}

public import SignInModel

public protocol WaitingPasswordRecords {
  func waitingPassword(of account: AccountID) throws(StoreFault) -> WaitingPassword?
  /// Takes the place of the account's earlier one.
  func save(_ waiting: WaitingPassword) throws(StoreFault)
  /// Does nothing when the account has none.
  func removeWaitingPassword(of account: AccountID) throws(StoreFault)
  /// Those available at `moment` or before, the earliest first, at most `limit`.
  func waitingPasswords(
    availableAt moment: Instant, limit: Int
  ) throws(StoreFault) -> [WaitingPassword]
}

public protocol InvitationRecords {
  func invitation(digest: [UInt8]) throws(StoreFault) -> Invitation?
  /// Takes the place of the account's earlier one.
  func save(_ invitation: Invitation) throws(StoreFault)
  /// Does nothing when the account has none.
  func removeInvitation(of account: AccountID) throws(StoreFault)
  /// Removes the invitations that expired before `moment`, at most `limit`; answers how many.
  func removeInvitations(expiredBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}

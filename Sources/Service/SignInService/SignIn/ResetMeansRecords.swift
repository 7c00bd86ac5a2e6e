import SignInModel

/// The records of what could change a password without the old one.
public protocol ResetMeansRecords: InvitationRecords, PasswordResetRecords, WaitingPasswordRecords {
}

extension ResetMeansRecords {
  /// Removes everything that could change the password without the old one.
  func removePasswordResetMeans(_ account: AccountID) throws(StoreFault) {
    try removePasswordResets(of: account)
    try removeWaitingPassword(of: account)
    try removeInvitation(of: account)
  }
}

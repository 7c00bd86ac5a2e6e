import SignInModel

/// The records of what could change a password without the old one.
public protocol ResetMeansRecords: InvitationRecords, PasswordResetRecords, WaitingPasswordRecords {
}

extension ResetMeansRecords {
  /// Removes password resets and, if told so, a waiting password and an invitation.
  func removeResetMeans(
    of account: AccountID, andPasswordMeans endsPasswordMeans: Bool
  ) throws(StoreFault) {
    try removePasswordResets(of: account)
    guard endsPasswordMeans else { return }
    try removeWaitingPassword(of: account)
    try removeInvitation(of: account)
  }
}

import SignInModel

/// Why a session must be renewed although its token has not expired.
struct RenewalReasons: Equatable, Sendable {
  /// Only the server knows whether the session is active.
  var isTokenUncertain = false
  /// How many renewals must still follow because a lock was set.
  var renewalsLeft = 0
  /// The organization that the session is switching to.
  var organization: OrganizationID?
  /// Why the session has ended, as an answer says; a renewal must confirm it.
  var endNotice: Notice?

  /// Whether the token was stored without the lock that was set.
  var mustReplaceToken: Bool { renewalsLeft == RenewingSession.renewalsAfterLock }

  /// Whether only the last of the renewals that a lock requires must follow.
  var mustRenewAgain: Bool { renewalsLeft > 0 && !mustReplaceToken }

  /// Whether the token must not be used before a renewal.
  var forbidToken: Bool { isTokenUncertain || mustReplaceToken || organization != nil }
}

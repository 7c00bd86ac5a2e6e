extension SecurityEvent.Code {
  // MARK: Signing in

  /// A wrong password, or any password for an address that belongs to no account.
  public static let passwordRefused = Self("sign_in.password_refused")
  /// This wrong answer was the last one allowed.
  public static let locked = Self("sign_in.locked")
  /// This wrong answer was the hundredth in a row.
  public static let stopped = Self("sign_in.stopped")
  /// A request during a lockout or a stop.
  ///
  /// Nothing was compared and nothing was sent.
  public static let refusedLocked = Self("sign_in.refused_locked")
  public static let refusedDeactivated = Self("sign_in.refused_deactivated")
  /// The person does not belong to the requested organization.
  public static let refusedNotAMember = Self("sign_in.refused_not_a_member")
  /// An identifier without an account, or of an account that is not approved.
  public static let refusedUnregistered = Self("sign_in.refused_unregistered")
  /// A message was requested during the cooldown.
  public static let refusedTooSoon = Self("sign_in.refused_too_soon")
  /// A number, an address, a device or a budget has reached its limit.
  public static let refusedTooOften = Self("sign_in.refused_too_often")
  /// Every messenger that can send the message is known to fail.
  ///
  /// Nothing was sent or counted.
  public static let refusedUndeliverable = Self("sign_in.refused_undeliverable")
  /// A message with a code was put into the outbox.
  public static let codeSent = Self("sign_in.code_sent")
  /// A challenge like any other, but without a message, because the number belongs to no account.
  public static let codeWithheld = Self("sign_in.code_withheld")
  /// The open challenge was given again.
  ///
  /// Nothing was sent.
  public static let codeRepeated = Self("sign_in.code_repeated")
  public static let codeRefused = Self("sign_in.code_refused")
  /// An answer to a code that was expired, used or replaced.
  public static let codeExpired = Self("sign_in.code_expired")
  public static let codeAccepted = Self("sign_in.code_accepted")
  /// A handle or an authorization code came from another app or device than the one it was made
  /// for.
  public static let foreignDevice = Self("sign_in.foreign_device")
  /// An authorization code was used a second time.
  public static let codeReplayed = Self("sign_in.code_replayed")
  /// A session began.
  public static let signInCompleted = Self("sign_in.completed")
  /// The session began on a device that was not known to the account, and the account had other
  /// known devices.
  public static let newDevice = Self("sign_in.new_device")

  /// An answer of an identity provider was refused, or it was not for this browser.
  public static let providerRefused = Self("sign_in.provider_refused")
  /// An identity at a provider was linked with the account.
  ///
  /// The detail is the name of the provider. If an administrator linked it, their identifier, or
  /// `shell`, comes first.
  public static let identityLinked = Self("account.identity_linked")
  /// The link was removed.
  ///
  /// The detail is the same as for a link.
  public static let identityUnlinked = Self("account.identity_unlinked")
  /// The person declined the number or the address of an identity provider.
  ///
  /// The detail is the name of the provider and the member, never the value.
  public static let proposalDeclined = Self("account.proposal_declined")

  // MARK: The log itself

  /// Old events were removed.
  ///
  /// The detail is the number and the hash of the last one.
  public static let logCut = Self("log.cut")
  /// From here on events are linked with the key that they name.
  ///
  /// The detail is the number and the hash of the event before.
  public static let logKeyed = Self("log.keyed")
  /// Unlinked events were not written with the key of the log, so they were not linked.
  ///
  /// The count is their number.
  public static let logEventsRefused = Self("log.events_refused")

  /// Another key signs tokens from a later time on.
  ///
  /// The detail is the name of the key.
  public static let signingKeyRotated = Self("signing_key.rotated")

  // MARK: Sessions

  /// The session was renewed, once or several times on one day.
  ///
  /// The detail has the times of the first and the last renewal, and `count` the number of them.
  public static let sessionRefreshed = Self("session.refreshed")
  /// An answer that may have been lost was given again.
  public static let refreshRepeated = Self("session.refresh_repeated")
  /// A refresh token came from another app or device than the one it was made for.
  public static let sessionForeignDevice = Self("session.foreign_device")
  /// The session replaced another one of the same device.
  ///
  /// The detail is its organization.
  public static let sessionSwitched = Self("session.switched")
  public static let reuseDetected = Self("session.reuse_detected")
  /// The detail is the `reason` of the wire contract.
  public static let sessionEnded = Self("session.ended")

  // MARK: Accounts and passwords

  /// A person registered.
  ///
  /// The account waits for approval.
  public static let accountRegistered = Self("account.registered")
  /// A person registered with a number that has an account already.
  ///
  /// Nothing was changed.
  public static let registrationRepeated = Self("account.registration_repeated")
  /// A change of an address or a number was taken back.
  ///
  /// The detail is the member.
  public static let contactChangeUndone = Self("account.change_undone")
  /// A person asked for the erasure of the own account.
  ///
  /// The detail is its time in Unix seconds.
  public static let erasureRequested = Self("account.erasure_requested")
  public static let erasureCancelled = Self("account.erasure_cancelled")
  public static let resetRequested = Self("password.reset_requested")
  public static let resetRefusedLocked = Self("password.reset_refused_locked")
  public static let resetCodeRefused = Self("password.reset_code_refused")
  public static let resetCodeExpired = Self("password.reset_code_expired")
  /// The code was right, but the new password is not allowed.
  ///
  /// The code was not used up.
  public static let newPasswordRefused = Self("password.new_refused")
  public static let passwordReset = Self("password.reset")
  /// The new password waits for approval or for its time.
  ///
  /// The detail is that time in Unix seconds.
  public static let resetWaiting = Self("password.reset_waiting")
  /// The person cancelled the waiting password.
  public static let resetCancelled = Self("password.reset_cancelled")
  /// The person dismissed a notice about the account.
  public static let noticeDismissed = Self("account.notice_dismissed")
  /// A person chose a password with an invitation.
  public static let invitationAccepted = Self("password.invitation_accepted")
  /// The invitation is unknown, used or expired.
  public static let invitationRefused = Self("password.invitation_refused")
  /// A signed-in person changed the password.
  ///
  /// The other sessions are reported as `session.ended`.
  public static let passwordChanged = Self("password.changed")
  /// A signed-in person gave a wrong current password.
  public static let currentPasswordRefused = Self("password.current_refused")

  // MARK: Service accounts

  /// The service account received an access token.
  ///
  /// It is the client of the event.
  public static let serviceTokenIssued = Self("service.token_issued")
  /// A wrong secret, a wrong or repeated assertion, or too many of them.
  ///
  /// The detail says which.
  public static let serviceRefused = Self("service.refused")

  // MARK: Products

  /// The detail is the product.
  public static let productTransferred = Self("product.transferred")
  /// The detail is the product.
  public static let serviceRequested = Self("product.service_requested")
}

extension SecurityEvent.Code {
  // MARK: Signing in

  /// A wrong password, or any password of an address that belongs to nobody.
  public static let passwordRefused = Self("sign_in.password_refused")
  /// This wrong answer was the last one allowed.
  public static let locked = Self("sign_in.locked")
  /// This wrong answer was the hundredth in a row.
  public static let stopped = Self("sign_in.stopped")
  /// Asked while locked or stopped: nothing was compared and nothing sent.
  public static let refusedLocked = Self("sign_in.refused_locked")
  public static let refusedDeactivated = Self("sign_in.refused_deactivated")
  /// The person does not belong to the organization that was asked for.
  public static let refusedNotAMember = Self("sign_in.refused_not_a_member")
  /// Nobody's identifier, or that of an account nobody has approved.
  public static let refusedUnregistered = Self("sign_in.refused_unregistered")
  /// Asked for a message inside the cooldown.
  public static let refusedTooSoon = Self("sign_in.refused_too_soon")
  /// A number, an address, a device or a budget has had as much as it may.
  public static let refusedTooOften = Self("sign_in.refused_too_often")
  /// Every messenger that could carry the message is known to fail: nothing was sent or counted.
  public static let refusedUndeliverable = Self("sign_in.refused_undeliverable")
  /// A message with a code was put into the outbox.
  public static let codeSent = Self("sign_in.code_sent")
  /// A challenge like any other, with no message behind it: the number belongs to nobody.
  public static let codeWithheld = Self("sign_in.code_withheld")
  /// The open challenge was given again; nothing was sent.
  public static let codeRepeated = Self("sign_in.code_repeated")
  public static let codeRefused = Self("sign_in.code_refused")
  /// Answered when the code was over, used or superseded.
  public static let codeExpired = Self("sign_in.code_expired")
  public static let codeAccepted = Self("sign_in.code_accepted")
  /// A handle or an authorization code came from another app or device than it was made for.
  public static let foreignDevice = Self("sign_in.foreign_device")
  /// An authorization code was used a second time.
  public static let codeReplayed = Self("sign_in.code_replayed")
  /// A session began.
  public static let signInCompleted = Self("sign_in.completed")
  /// It began on a device that had not signed in to this account before, which had others.
  public static let newDevice = Self("sign_in.new_device")

  // MARK: The log itself

  /// Old events were cut off; the detail is the last one's number and hash.
  public static let logCut = Self("log.cut")
  /// From here on events are linked with the key they name; the detail is the number and the hash
  /// of the event before.
  public static let logKeyed = Self("log.keyed")

  /// Another key signs tokens from some moment on; the detail is its name.
  public static let signingKeyRotated = Self("signing_key.rotated")

  // MARK: Sessions

  public static let sessionRefreshed = Self("session.refreshed")
  /// A lost answer was given again.
  public static let refreshRepeated = Self("session.refresh_repeated")
  /// A refresh token came from another app or device than it was made for.
  public static let sessionForeignDevice = Self("session.foreign_device")
  /// It began in place of another, in the organization that is the detail.
  public static let sessionSwitched = Self("session.switched")
  public static let reuseDetected = Self("session.reuse_detected")
  /// The detail is the wire's `reason`.
  public static let sessionEnded = Self("session.ended")

  // MARK: Accounts and passwords

  /// A person asked to be let in; the account waits for approval.
  public static let accountRegistered = Self("account.registered")
  /// The same for a number that has an account already: nothing was changed.
  public static let registrationRepeated = Self("account.registration_repeated")
  public static let resetRequested = Self("password.reset_requested")
  public static let resetRefusedLocked = Self("password.reset_refused_locked")
  public static let resetCodeRefused = Self("password.reset_code_refused")
  public static let resetCodeExpired = Self("password.reset_code_expired")
  /// The code was right, but the new password may not be one; the code was not spent.
  public static let newPasswordRefused = Self("password.new_refused")
  public static let passwordReset = Self("password.reset")
  /// The new password waits for approval or for its time, which the detail tells in Unix seconds.
  public static let resetWaiting = Self("password.reset_waiting")
  /// The person cancelled the waiting password.
  public static let resetCancelled = Self("password.reset_cancelled")
  /// The person has read what they were told of their account.
  public static let noticeDismissed = Self("account.notice_dismissed")
  /// A person chose a password with an invitation.
  public static let invitationAccepted = Self("password.invitation_accepted")
  /// An invitation that is unknown, used or expired.
  public static let invitationRefused = Self("password.invitation_refused")
  /// A signed-in person changed it; the other sessions are reported as `session.ended`.
  public static let passwordChanged = Self("password.changed")
  /// A signed-in person gave a wrong current password.
  public static let currentPasswordRefused = Self("password.current_refused")

  // MARK: Service accounts

  /// An access token was given to the service account that is the event's client.
  public static let serviceTokenIssued = Self("service.token_issued")
  /// A wrong secret, a wrong or repeated assertion, or too many of them; the detail tells which.
  public static let serviceRefused = Self("service.refused")

  // MARK: Products

  /// The detail is the product.
  public static let productTransferred = Self("product.transferred")
  /// The detail is the product.
  public static let serviceRequested = Self("product.service_requested")
}

public import SignInModel

/// What a banner says.
public enum Notice: Equatable, Sendable {
  case invalidCredentials
  case accountDeactivated
  case codeRefused
  /// The device has no network (T-07).
  case noConnection
  /// The device has a network, but the server cannot be reached (P-03).
  case serviceUnreachable
  case noAnswerInTime
  /// The server answered with a fault, or with an answer that cannot be read (P-03).
  case serverFault
  case serviceBusy
  case rateLimited(until: Instant)
  case codeTooSoon(until: Instant)
  case deliveryFailed(until: Instant)
  case signInExpired
  case signsInElsewhere
  /// About a sign-in at the provider of `FlowContext.providerLabel`.
  case atProvider(ProviderNotice)
  case newCodeSent
  case sessionEnded
  case signedOut
  /// About the session, or about its app lock.
  case session(SessionNotice)
  case sessionNotKept
  case notRegistered
  case passwordChanged
  case passwordMaybeChanged
  /// An invited person has set the first password.
  case passwordSaved
  case invitationOver
  /// The code of a reset or of a registration has expired.
  case resetExpired
  /// The new password takes effect at this moment, unless it is cancelled before.
  case passwordPending(until: Instant)
  case resetByAdministrator
  case registrationClosed
  /// The account waits for the approval of an administrator.
  case approvalPending
  case copyNotStored
  case requestSent
  case productTransferred
  case productGone
}

/// What a banner says about a sign-in at a provider.
public enum ProviderNotice: Equatable, Sendable, CaseIterable {
  /// The person cancelled there, or the provider refused the person.
  case cancelled
  /// The person came back without a result.
  case interrupted
  case unavailable
  case misconfigured
  /// The answer of the provider did not pass a check.
  case untrusted
  case notRegistered
  case accountExists
  case wrongRole
  /// A code is needed, and the account has no phone number.
  case phoneMissing
  /// The result does not belong to a sign-in of this device.
  case unknown
  /// There is no safe place to store the sign-in while the browser is open.
  case notStored
}

/// What a banner says about the session or about its app lock.
public enum SessionNotice: Equatable, Sendable {
  /// A link with an invitation opened the app while a person was signed in.
  case invitationWaits
  case signedOutElsewhere
  /// The session that this device stored can never be read again.
  case damaged
  case revoked
  case unsafe
  case passwordChangedElsewhere
  /// The account is locked until this moment.
  ///
  /// The session can be used again after that.
  case lockedOut(until: Instant)
  /// The person did nothing for longer than the organization allows.
  case idleTooLong
  /// The app was hidden for longer than allowed, and without a lock the device cannot verify the
  /// person.
  case awayTooLong
  /// The fingerprints or faces that the device knows have changed.
  case lockChanged
  case lockSet
  case lockRemoved
  case lockNotSet
  /// The organization requires an app lock, and this device has none.
  case lockImpossible
  case unlockCancelled
  case unlockBusy
  /// The person has ended a session on another device.
  case ended
  case notAMember
  case notesSaved
  case statusSaved
  /// The new status is sent when the network returns.
  case statusUnsent
  /// The person has cancelled a new password that had not taken effect.
  case newPasswordCancelled
  /// The person has accepted a number or an address of an identity provider.
  case contactChanged
  /// The person has changed the password in this app.
  case passwordSet
  /// The person tried to change the password and got no answer, so it may have been changed.
  case passwordMaybeSet

  var changesWithTime: Bool {
    switch self {
    case .lockedOut: true
    case .invitationWaits, .signedOutElsewhere, .damaged, .revoked, .unsafe,
      .passwordChangedElsewhere, .idleTooLong, .awayTooLong, .lockChanged, .lockSet, .lockRemoved,
      .lockNotSet, .lockImpossible, .unlockCancelled, .unlockBusy, .ended, .notAMember, .notesSaved,
      .statusSaved, .statusUnsent, .newPasswordCancelled, .contactChanged, .passwordSet,
      .passwordMaybeSet:
      false
    }
  }
}

extension Notice {
  package var changesWithTime: Bool {
    switch self {
    case .rateLimited, .codeTooSoon, .deliveryFailed: true
    case .session(let notice): notice.changesWithTime
    case .invalidCredentials, .accountDeactivated, .codeRefused, .noConnection, .serviceUnreachable,
      .noAnswerInTime, .serverFault, .serviceBusy, .signInExpired, .signsInElsewhere, .newCodeSent,
      .sessionEnded, .signedOut, .sessionNotKept, .notRegistered, .passwordChanged,
      .passwordMaybeChanged, .resetExpired, .registrationClosed, .approvalPending, .copyNotStored,
      .requestSent, .atProvider, .productTransferred, .productGone, .passwordPending,
      .resetByAdministrator, .passwordSaved, .invitationOver:
      false
    }
  }

  /// Whether the typed password has no further use after this notice.
  package var invalidatesPassword: Bool {
    switch self {
    case .invalidCredentials, .accountDeactivated, .codeRefused, .signInExpired,
      .signsInElsewhere, .passwordChanged, .passwordMaybeChanged, .passwordPending:
      true
    case .noConnection, .serviceUnreachable, .noAnswerInTime, .serverFault, .serviceBusy,
      .rateLimited, .codeTooSoon, .deliveryFailed, .newCodeSent, .sessionEnded, .signedOut,
      .sessionNotKept, .notRegistered, .resetExpired, .registrationClosed, .approvalPending,
      .session, .copyNotStored, .requestSent, .atProvider, .productTransferred, .productGone,
      .resetByAdministrator, .passwordSaved, .invitationOver:
      false
    }
  }
}

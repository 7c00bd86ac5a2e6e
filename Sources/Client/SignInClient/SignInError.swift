public import Foundation

/// The errors of a sign-in and of the calls in a session.
///
/// `errorDescription` says what happened, and `recoverySuggestion` says what the person can do.
/// Both are in the first of the person's languages among English, Hindi and Norwegian.
public enum SignInError: LocalizedError, Equatable, Sendable {
  // MARK: Input
  case invalidCredentials
  case emailMalformed
  case phoneMalformed
  case nameMalformed
  case wrongCode(attemptsLeft: Int)
  case codeExpired
  /// It is an earlier code.
  ///
  /// A newer one is on its way, which the person can enter.
  case codeSuperseded
  /// The code has this many digits.
  case codeIncomplete(digits: Int)

  // MARK: The account
  case notRegistered
  case accountDeactivated
  case lockedOut(until: Date)
  /// This account signs in at its own identity provider, in a browser.
  case signsInElsewhere
  /// A sign-in at an identity provider failed.
  case provider(ProviderFault)

  // MARK: Waiting
  case resendTooSoon(until: Date)
  case rateLimited(until: Date)
  case deliveryFailed(until: Date)
  /// The sign-in or the reset took too long or was refused.
  ///
  /// The person must start again.
  case signInExpired
  /// A new password was sent, but no answer arrived.
  ///
  /// The password may already be changed.
  case passwordChangeUnconfirmed

  // MARK: The session
  /// The call needs a session, and no person is signed in.
  case notSignedIn
  /// The call is not possible while the app is locked.
  ///
  /// Call `unlock()` or `signInInsteadOfUnlocking()` first.
  case appLocked
  /// The stored session or the key of the device cannot be read now, for example on a locked
  /// device.
  ///
  /// Call `open()` later.
  case storageUnavailable
  case sessionExpired
  /// It was ended from another device or by an administrator.
  case sessionEndedElsewhere
  case passwordChangedElsewhere
  /// The server detected the reuse of a token and ended the session.
  ///
  /// The token was probably copied.
  case sessionUnsafe
  /// The stored session can never be read again.
  case sessionDamaged
  /// Another finger or face was enrolled, so the locked session can never be opened again.
  case appLockChanged
  /// The owner or the system closed the prompt.
  ///
  /// You can call `unlock()` again.
  case unlockCancelled
  /// Another prompt is open, the sensor is in use, or the stored session cannot be read now.
  ///
  /// You can call `unlock()` again.
  case unlockBusy

  // MARK: The network and the server
  /// The device has no network.
  case noConnection
  /// The device has a network, but the server cannot be reached.
  case serviceUnreachable
  case noAnswerInTime
  case serviceBusy
  /// The server answered with a fault or with unreadable data.
  case serverFault
  /// The server refused for another reason, with this stable code.
  ///
  /// The codes are `password_too_short`, `password_too_long`, `password_too_common`,
  /// `not_a_member`, `reset_by_administrator`, `registration_closed`, `country_not_supported`,
  /// `insufficient_scope` and others.
  case refused(code: String)

  // MARK: The call
  /// The URL has no host, or it is neither `https` nor on this device.
  case addressNotAllowed
  /// The server does not support the method or the body of the request.
  case requestMalformed
  /// The calls are in the wrong order, or the configuration does not have this sign-in method.
  ///
  /// Examples are `submitCode(_:)` before a code was sent, a second `signIn` of a person who is
  /// signed in, and a call in the states `.loading` and `.confirming`. The other causes have their
  /// own cases: `.notSignedIn`, `.appLocked` and `.storageUnavailable`.
  case notPossibleNow
  /// The task of the call was cancelled.
  ///
  /// Requests that were already sent are not undone.
  case cancelled

  public var errorDescription: String? { texts(in: .preferred).description }

  public var recoverySuggestion: String? { texts(in: .preferred).suggestion }
}

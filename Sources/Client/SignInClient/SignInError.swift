public import Foundation

/// Every way in which a sign-in, or a call in a session, can fail.
///
/// `errorDescription` says what happened and `recoverySuggestion` what the person can do, in the
/// first of the person's languages among English, Hindi and Norwegian.
public enum SignInError: LocalizedError, Equatable, Sendable {
  // MARK: What was entered
  case invalidCredentials
  case emailMalformed
  case phoneMalformed
  case nameMalformed
  case wrongCode(attemptsLeft: Int)
  case codeExpired
  /// The code has this many digits.
  case codeIncomplete(digits: Int)

  // MARK: The account
  case notRegistered
  case accountDeactivated
  case lockedOut(until: Date)
  /// This account signs in at its own identity provider, in a browser.
  case signsInElsewhere

  // MARK: Waiting
  case resendTooSoon(until: Date)
  case rateLimited(until: Date)
  case deliveryFailed(until: Date)
  /// The sign-in or the reset took too long, or was refused for good: begin again.
  case signInExpired
  /// A new password was sent and no answer came: it may be in force already.
  case passwordChangeUnconfirmed

  // MARK: The session
  case sessionExpired
  /// Ended from another device, or by an administrator.
  case sessionEndedElsewhere
  case passwordChangedElsewhere
  /// A token was used that must have been copied; the server ended the session.
  case sessionUnsafe
  /// What was stored of the session can never be read again.
  case sessionDamaged
  /// Another finger or face was enrolled: the locked session can never be opened again.
  case lockChanged
  /// The owner, or the system in their place, closed the prompt; `unlock()` may be called again.
  case unlockCancelled
  /// Another prompt is open, or the sensor is in use; `unlock()` may be called again.
  case unlockBusy

  // MARK: The network and the server
  /// The device has no network.
  case noConnection
  /// The device has a network, and the server cannot be reached.
  case serviceUnreachable
  case noAnswerInTime
  case serviceBusy
  /// The server answered with a fault, or with something that cannot be read.
  case serverFault
  /// The server refused for another reason, by its stable code: such as `password_too_short`,
  /// `password_too_long`, `password_too_common`, `not_a_member`, `reset_by_administrator`,
  /// `registration_closed`, `country_not_supported`, `insufficient_scope`.
  case refused(code: String)

  // MARK: The call
  /// An address is neither `https` nor on this device, or names no host.
  case addressNotAllowed
  /// The request has a method or a body that this server does not take.
  case requestMalformed
  /// The call does not fit the state, as `submitCode(_:)` before a code was sent.
  case notPossibleNow
  /// The task that made the call was cancelled. What was already sent is not taken back.
  case cancelled

  public var errorDescription: String? { texts(in: .preferred).description }

  public var recoverySuggestion: String? { texts(in: .preferred).suggestion }
}

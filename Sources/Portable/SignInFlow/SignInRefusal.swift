import SignInWire

/// Why a way in goes no further, as far as a person is told one reason from another.
///
/// Whatever else the wire can say is, to somebody who signs in, a fault of the server or ours.
enum SignInRefusal: String, Equatable, Sendable, CaseIterable {
  case invalidCredentials = "invalid_credentials"
  case accountNotRegistered = "account_not_registered"
  case accountDeactivated = "account_deactivated"
  case accountLocked = "account_locked"
  case invalidOTP = "invalid_otp"
  case otpExpired = "otp_expired"
  case resendTooSoon = "resend_too_soon"
  case rateLimited = "rate_limited"
  case deliveryFailed = "delivery_failed"
  case invalidSession = "invalid_session"
  case invalidGrant = "invalid_grant"
  case redirectToWeb = "redirect_to_web"
  case temporarilyUnavailable = "temporarily_unavailable"

  /// Nil for a code that says nothing to a person.
  init?(_ code: ErrorCode) { self.init(rawValue: code.rawValue) }
}

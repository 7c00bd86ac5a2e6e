import SignInWire

/// Why a sign-in is refused, as far as the person sees a difference.
///
/// Every other error code is, for a person who signs in, a fault of the server or a defect of the
/// app.
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

  /// `nil` if the code has no meaning for a person.
  init?(_ code: ErrorCode) { self.init(rawValue: code.rawValue) }
}

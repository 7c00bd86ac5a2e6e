/// Why a sign-in at a provider failed, for the app.
///
/// The raw value is the parameter `reason`. `code` is the parameter `error`.
public enum JourneyError: String, Equatable, Sendable, CaseIterable {
  /// The person cancelled at the provider, or the provider refused the person.
  case cancelled
  case providerUnavailable = "provider_unavailable"
  case providerMisconfigured = "provider_misconfigured"
  /// The provider's answer did not pass a check.
  case untrustedAnswer = "untrusted_answer"
  /// The identity has no account, and the provider may not create one.
  case accountNotRegistered = "account_not_registered"
  /// A new account would have the e-mail address or phone number of another account.
  case accountExists = "account_exists"
  case accountDeactivated = "account_deactivated"
  /// The account may not use this app.
  case wrongRole = "wrong_role"
  /// A code by text message is needed, and the account has no phone number.
  case phoneMissing = "phone_missing"
  /// This server could not record the result.
  case serverUnavailable = "server_unavailable"

  /// The code of RFC 6749, section 4.1.2.1.
  public var code: String {
    switch self {
    case .cancelled, .accountNotRegistered, .accountExists, .accountDeactivated, .wrongRole,
      .phoneMissing:
      "access_denied"
    case .providerUnavailable, .serverUnavailable: "temporarily_unavailable"
    case .providerMisconfigured, .untrustedAnswer: "server_error"
    }
  }
}

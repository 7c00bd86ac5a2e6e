import SignInModel

/// The codes of all unsuccessful answers.
///
/// The text is `error` at the OAuth and sign-in endpoints, and `code` of a problem under `/api` and
/// `/admin`. The property `status` is the HTTP status of the code.
public enum ErrorCode: String, Sendable, CaseIterable {
  // First-party sign-in.
  case insufficientAuthorization = "insufficient_authorization"
  case invalidCredentials = "invalid_credentials"
  case accountNotRegistered = "account_not_registered"
  /// The account waits for an approval, and the sender has proved its number.
  case accountPending = "account_pending"
  case accountDeactivated = "account_deactivated"
  case accountLocked = "account_locked"
  case invalidOTP = "invalid_otp"
  case otpExpired = "otp_expired"
  case resendTooSoon = "resend_too_soon"
  case rateLimited = "rate_limited"
  case deliveryFailed = "delivery_failed"
  case invalidSession = "invalid_session"
  case redirectToWeb = "redirect_to_web"
  case notAMember = "not_a_member"
  case temporarilyUnavailable = "temporarily_unavailable"
  // Refusals of a new password.
  case passwordTooShort = "password_too_short"
  case passwordTooLong = "password_too_long"
  case passwordTooCommon = "password_too_common"
  // Password reset and invitations.
  case resetByAdministrator = "reset_by_administrator"
  case passwordResetNotFound = "password_reset_not_found"
  case invalidInvitation = "invalid_invitation"
  case passwordAlreadySet = "password_already_set"
  case appPageMissing = "app_page_missing"
  case noticeNotFound = "notice_not_found"
  // Identities at identity providers.
  case identityNotFound = "identity_not_found"
  case providerNotFound = "provider_not_found"
  case identityExists = "identity_exists"
  case lastIdentity = "last_identity"
  case proposalNotFound = "proposal_not_found"
  // Changes of the own account.
  case recentSignInNeeded = "recent_sign_in_needed"
  case managedByProvider = "managed_by_provider"
  case contactChangeClosed = "contact_change_closed"
  case mailUnavailable = "mail_unavailable"
  case changeNotFound = "change_not_found"
  // RFC 6749, RFC 6750 and RFC 9449.
  case invalidRequest = "invalid_request"
  case invalidClient = "invalid_client"
  case invalidGrant = "invalid_grant"
  case unauthorizedClient = "unauthorized_client"
  case unsupportedGrantType = "unsupported_grant_type"
  case unsupportedResponseType = "unsupported_response_type"
  case unsupportedTokenType = "unsupported_token_type"
  case invalidScope = "invalid_scope"
  /// RFC 8707, section 2.
  case invalidTarget = "invalid_target"
  case invalidToken = "invalid_token"
  case insufficientScope = "insufficient_scope"
  case invalidProof = "invalid_dpop_proof"
  case useProofNonce = "use_dpop_nonce"
  case serverError = "server_error"
  // Data of the apps.
  case activityNotFound = "activity_not_found"
  case jobNotFound = "job_not_found"
  case deliveryNotFound = "delivery_not_found"
  case sessionEnded = "session_ended"
  // Administration, and the sessions of the account.
  case accountNotFound = "account_not_found"
  case sessionNotFound = "session_not_found"
  case accountExists = "account_exists"
  case illegalTransition = "illegal_transition"
  case ownAccount = "own_account"
  case permissionDenied = "permission_denied"
  case lastAdministrator = "last_administrator"
  case idempotencyKeyReused = "idempotency_key_reused"
  case clientNotFound = "client_not_found"
  case organizationNotFound = "organization_not_found"
  case invalidPolicy = "invalid_policy"
  case preconditionFailed = "precondition_failed"
  // Products.
  case productNotFound = "product_not_found"
  case unknownCursor = "unknown_cursor"
  case alreadyOwner = "already_owner"
  case photoNotFound = "photo_not_found"
  case photoTooLarge = "photo_too_large"
  case photoFormatUnknown = "photo_format_unknown"
  /// The photo cannot be decoded.
  case photoDamaged = "photo_damaged"

  public init?(rawValue: String) {
    guard let known = Self.first(named: rawValue) else { return nil }
    self = known
  }

  /// The status on a data route.
  ///
  /// There the proof belongs to the token, so an error in the proof is 401.
  public var dataStatus: Int { self == .invalidProof || self == .useProofNonce ? 401 : status }

  /// The status on every other route.
  public var status: Int {
    switch self {
    case .insufficientAuthorization, .accountDeactivated, .accountPending, .accountLocked,
      .redirectToWeb, .notAMember, .insufficientScope, .resetByAdministrator, .permissionDenied,
      .recentSignInNeeded, .contactChangeClosed:
      403
    case .invalidCredentials, .accountNotRegistered, .invalidOTP, .otpExpired, .invalidSession,
      .invalidRequest, .invalidGrant, .unauthorizedClient, .unsupportedGrantType,
      .unsupportedResponseType, .unsupportedTokenType, .invalidScope, .invalidTarget, .invalidProof,
      .useProofNonce, .passwordTooShort, .passwordTooLong, .passwordTooCommon, .invalidInvitation:
      400
    case .resendTooSoon, .rateLimited: 429
    case .deliveryFailed, .temporarilyUnavailable: 503
    case .invalidClient, .invalidToken, .sessionEnded: 401
    case .serverError: 500
    case .accountNotFound, .sessionNotFound, .productNotFound, .activityNotFound,
      .jobNotFound, .deliveryNotFound,
      .clientNotFound, .organizationNotFound, .passwordResetNotFound, .noticeNotFound,
      .identityNotFound, .providerNotFound, .proposalNotFound, .photoNotFound, .changeNotFound:
      404
    case .accountExists, .illegalTransition, .ownAccount, .alreadyOwner, .passwordAlreadySet,
      .appPageMissing, .lastAdministrator, .identityExists, .lastIdentity, .managedByProvider,
      .mailUnavailable:
      409
    case .unknownCursor: 410
    case .preconditionFailed: 412
    case .photoTooLarge: 413
    case .photoFormatUnknown: 415
    case .idempotencyKeyReused, .invalidPolicy, .photoDamaged: 422
    }
  }
}

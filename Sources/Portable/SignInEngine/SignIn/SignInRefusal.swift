import SignInWire

/// Why a sign-in is refused, as far as the person sees a difference.
///
/// Every other error code is, for a person who signs in, a fault of the server or a defect of the
/// app.
enum SignInRefusal: Equatable, Sendable {
  case invalidCredentials
  case accountNotRegistered
  case accountPending
  case accountDeactivated
  case accountLocked
  case invalidOTP
  case otpExpired
  case resendTooSoon
  case rateLimited
  case deliveryFailed
  case invalidSession
  case invalidGrant
  case redirectToWeb
  case temporarilyUnavailable

  /// `nil` if the code has no meaning for a person.
  init?(_ code: ErrorCode) {
    switch code {
    case .invalidCredentials: self = .invalidCredentials
    case .accountNotRegistered: self = .accountNotRegistered
    case .accountPending: self = .accountPending
    case .accountDeactivated: self = .accountDeactivated
    case .accountLocked: self = .accountLocked
    case .invalidOTP: self = .invalidOTP
    case .otpExpired: self = .otpExpired
    case .resendTooSoon: self = .resendTooSoon
    case .rateLimited: self = .rateLimited
    case .deliveryFailed: self = .deliveryFailed
    case .invalidSession: self = .invalidSession
    case .invalidGrant: self = .invalidGrant
    case .redirectToWeb: self = .redirectToWeb
    case .temporarilyUnavailable: self = .temporarilyUnavailable
    case .insufficientAuthorization, .notAMember, .passwordTooShort, .passwordTooLong,
      .passwordTooCommon, .resetByAdministrator, .passwordResetNotFound, .invalidInvitation,
      .passwordAlreadySet, .appPageMissing, .noticeNotFound, .identityNotFound, .providerNotFound,
      .identityExists, .lastIdentity, .proposalNotFound, .recentSignInNeeded, .managedByProvider,
      .contactChangeClosed, .mailUnavailable, .changeNotFound, .invalidRequest, .invalidClient,
      .unauthorizedClient, .unsupportedGrantType, .unsupportedResponseType, .unsupportedTokenType,
      .invalidScope, .invalidTarget, .invalidToken, .insufficientScope, .invalidProof,
      .useProofNonce, .serverError, .activityNotFound, .jobNotFound, .deliveryNotFound,
      .sessionEnded, .accountNotFound, .sessionNotFound, .accountExists, .illegalTransition,
      .ownAccount, .permissionDenied, .lastAdministrator, .idempotencyKeyReused, .clientNotFound,
      .organizationNotFound, .invalidPolicy, .preconditionFailed, .productNotFound, .unknownCursor,
      .alreadyOwner, .photoNotFound, .photoTooLarge, .photoFormatUnknown, .photoDamaged:
      return nil
    }
  }
}

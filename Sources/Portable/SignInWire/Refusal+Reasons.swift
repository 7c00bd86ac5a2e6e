public import SignInModel

// Every refusal is constructed here.

// MARK: Requests

extension Refusal {
  /// The request has these mistakes, of which there is at least one, in the order of its members.
  public static func mistaken(_ mistakes: [MemberMistake]) -> Refusal {
    let words = mistakes.map { "\($0.member) \($0.problem)" }
    return invalidRequest(words.joined(separator: "; ")).naming(mistakes)
  }

  /// The same refusal, with the members that caused it.
  public func naming(_ mistakes: [MemberMistake]) -> Refusal {
    var refusal = self
    refusal.mistakes = mistakes
    return refusal
  }

  /// A policy with these mistakes, of which there is at least one.
  ///
  /// Their members are paths in the document.
  public static func invalidPolicy(_ mistakes: [MemberMistake]) -> Refusal {
    Refusal(.invalidPolicy, "nothing was changed; see mistakes").naming(mistakes)
  }

  public static func invalidRequest(_ why: String) -> Refusal { Refusal(.invalidRequest, why) }

  public static var unsupportedGrantType: Refusal { Refusal(.unsupportedGrantType) }

  public static var unsupportedResponseType: Refusal {
    Refusal(.unsupportedResponseType, "response_type must be code")
  }

  public static var invalidScope: Refusal {
    Refusal(.invalidScope, "this service account does not have every requested scope")
  }

  public static var invalidTarget: Refusal {
    Refusal(.invalidTarget, "this app cannot get tokens for this resource")
  }

  public static var idempotencyKeyReused: Refusal {
    Refusal(.idempotencyKeyReused, "this key was used for another request")
  }

  /// The answer to this key was erased with the account that it was about.
  public static var answerErased: Refusal {
    Refusal(.idempotencyKeyReused, "the record of this key was erased; use another key")
  }

  /// `currentVersion` is `nil` if there is no such record, or if the caller must read it.
  public static func preconditionFailed(
    _ why: String, currentVersion: Int64? = nil
  ) -> Refusal {
    var refusal = Refusal(.preconditionFailed, why)
    refusal.currentVersion = currentVersion
    return refusal
  }
}

// MARK: Apps and tokens

extension Refusal {
  public static func invalidClient(_ why: String? = nil) -> Refusal { Refusal(.invalidClient, why) }

  public static func unauthorizedClient(_ why: String) -> Refusal {
    Refusal(.unauthorizedClient, why)
  }

  public static var noPasswords: Refusal { unauthorizedClient("this app does not use passwords") }

  public static func invalidProof(_ why: String) -> Refusal { Refusal(.invalidProof, why) }

  public static func useProofNonce(_ nonce: String) -> Refusal {
    var refusal = Refusal(.useProofNonce, "the proof must carry the nonce of DPoP-Nonce")
    refusal.proofNonce = nonce
    return refusal
  }

  public static func invalidToken(_ why: String) -> Refusal { Refusal(.invalidToken, why) }

  public static var tokenOfEndedSession: Refusal { invalidToken("the session has ended") }

  public static func insufficientScope(_ scope: String) -> Refusal {
    Refusal(.insufficientScope, "the scope \(scope) is needed")
  }

  public static var passwordSignInNeeded: Refusal {
    Refusal(.insufficientScope, "sign in with the password to cancel")
  }

  /// `reason` says why the session ended.
  public static func invalidGrant(_ why: String?, _ reason: EndReason? = nil) -> Refusal {
    var refusal = Refusal(.invalidGrant, why)
    refusal.reason = reason?.told.rawValue
    return refusal
  }

  public static func sessionEnded(_ reason: EndReason) -> Refusal {
    var refusal = Refusal(.sessionEnded, "the session has ended")
    refusal.reason = reason.told.rawValue
    return refusal
  }
}

extension Refusal {
  /// A member that is missing or not valid; its value is not repeated.
  public static func wrongMember(_ field: WireField) -> Refusal {
    wrongMember(field.rawValue)
  }

  public static func wrongMember(_ name: String) -> Refusal {
    mistaken([
      MemberMistake(
        member: name, problem: "is missing or malformed",
        remedy: "see the description of the operation")
    ])
  }
}

// MARK: Signing in

extension Refusal {
  /// The next step of the sign-in is a code.
  ///
  /// First-party sign-in answers a first step with this error
  /// (draft-ietf-oauth-first-party-apps-04).
  public static func insufficientAuthorization(
    _ authSession: Secret, _ prompt: CodePrompt
  ) -> Refusal {
    var refusal = Refusal(.insufficientAuthorization, "a code was sent by text message")
    refusal.authSession = authSession
    refusal.challenge = prompt
    return refusal
  }

  public static func redirectToWeb(
    _ why: String = "open the authorization endpoint in a browser", requestURI: String? = nil,
    expiresIn: Int64? = nil, reason: String? = nil
  ) -> Refusal {
    var refusal = Refusal(.redirectToWeb, why)
    refusal.requestURI = requestURI
    refusal.expiresIn = expiresIn
    refusal.reason = reason
    return refusal
  }

  public static var invalidCredentials: Refusal { Refusal(.invalidCredentials) }

  public static var wrongCurrentPassword: Refusal {
    Refusal(.invalidCredentials, "the current password is wrong")
  }

  public static var invalidSession: Refusal { Refusal(.invalidSession, "start again") }

  public static func invalidOTP(authSession: Secret? = nil, attemptsLeft: Int64) -> Refusal {
    var refusal = Refusal(.invalidOTP, "wrong code")
    refusal.authSession = authSession
    refusal.attemptsLeft = attemptsLeft
    return refusal
  }

  /// The code has expired, or another one has taken its place.
  public static func otpExpired(
    authSession: Secret?, resendAt: Instant?, superseded: SupersededCode? = nil
  ) -> Refusal {
    let description =
      switch superseded {
      case nil: "the code has expired; request a new one"
      case .byNewerCode: "a newer code was sent; enter that one"
      case .byAnotherDevice: "a code for another device replaced it; request a new one"
      }
    var refusal = Refusal(.otpExpired, description)
    refusal.authSession = authSession
    refusal.resendAt = resendAt
    refusal.superseded = superseded
    refusal.reason = superseded?.reason
    return refusal
  }

  public static var accountDeactivated: Refusal { Refusal(.accountDeactivated) }
  public static var accountNotRegistered: Refusal { Refusal(.accountNotRegistered) }

  public static var accountPending: Refusal {
    Refusal(.accountPending, "the account waits for the approval of an administrator")
  }

  public static var notAMember: Refusal {
    notAMember("the account does not belong to this organization")
  }

  public static func notAMember(_ why: String) -> Refusal { Refusal(.notAMember, why) }

  public static var invalidInvitation: Refusal {
    Refusal(.invalidInvitation, "the invitation is unknown, used or expired")
  }
}

// MARK: Limits

extension Refusal {
  public static func locked(until: Instant, at now: Instant) -> Refusal {
    var refusal = Refusal(.accountLocked, "too many failed attempts")
    refusal.lockedUntil = until
    refusal.retryIn = now.wholeSeconds(until: until)
    return refusal
  }

  public static func tooSoon(resendAt: Instant, at now: Instant) -> Refusal {
    var refusal = Refusal(.resendTooSoon, "a code was just sent")
    refusal.resendAt = resendAt
    refusal.retryIn = now.wholeSeconds(until: resendAt)
    return refusal
  }

  /// `reason` says why the number gets no messages.
  public static func rateLimited(
    _ why: String = "too many requests; nothing was sent or counted", reason: String? = nil,
    until: Instant, at now: Instant
  ) -> Refusal {
    var refusal = Refusal(.rateLimited, why)
    refusal.reason = reason
    refusal.retryIn = max(1, now.wholeSeconds(until: until))
    return refusal
  }

  public static func deliveryFailed(until: Instant, at now: Instant) -> Refusal {
    var refusal = Refusal(
      .deliveryFailed, "no messenger accepted the message; nothing was counted")
    refusal.retryIn = max(1, now.wholeSeconds(until: until))
    return refusal
  }

  public static var serverError: Refusal { Refusal(.serverError) }

  public static func overloaded(
    _ why: String = "busy; nothing was done, try again", retrySeconds: Int64
  ) -> Refusal {
    var refusal = Refusal(.temporarilyUnavailable, why)
    refusal.retryIn = retrySeconds
    return refusal
  }
}

// MARK: Passwords

extension Refusal {
  public static func passwordTooShort(least: Int) -> Refusal {
    Refusal(.passwordTooShort, "at least \(least) characters")
  }

  public static func passwordTooLong(limit: Int) -> Refusal {
    Refusal(.passwordTooLong, "at most \(limit) bytes")
  }

  public static var passwordTooCommon: Refusal {
    Refusal(.passwordTooCommon, "the password is too common")
  }

  public static var passwordAlreadySet: Refusal {
    Refusal(.passwordAlreadySet, "the account has a password; reset the account first")
  }

  public static var appPageMissing: Refusal {
    Refusal(
      .appPageMissing,
      "no app with passwords for this role has a page; name a page, or ask for no link")
  }

  public static var noWaitingPassword: Refusal {
    Refusal(.passwordResetNotFound, "this account has no pending new password")
  }

  public static var resetByAdministrator: Refusal {
    Refusal(.resetByAdministrator, "an administrator resets passwords of this app")
  }
}

// MARK: Administration

extension Refusal {
  public static var permissionDenied: Refusal {
    permissionDenied("your permission does not allow this")
  }

  public static func permissionDenied(_ why: String) -> Refusal { Refusal(.permissionDenied, why) }

  public static var targetHasMorePermission: Refusal {
    permissionDenied("the account has a permission that you do not have")
  }

  public static var grantsTooMuch: Refusal {
    permissionDenied("permissions: you cannot grant a permission that you do not have")
  }

  public static var ownAccount: Refusal {
    Refusal(.ownAccount, "another administrator must do this")
  }

  public static var lastAdministrator: Refusal {
    Refusal(.lastAdministrator, "this is the last global administrator; make another one first")
  }

  public static var lastIdentity: Refusal {
    Refusal(
      .lastIdentity, "without another identity, this account needs a password and a number")
  }

  public static var identityExists: Refusal {
    Refusal(.identityExists, "this identity belongs to another account")
  }

  public static var alreadyOwner: Refusal {
    Refusal(.alreadyOwner, "the account already owns this product")
  }

  public static func illegalTransition(_ why: String) -> Refusal {
    Refusal(.illegalTransition, why)
  }

  public static func accountExists(
    _ why: String, _ mistakes: [MemberMistake] = []
  ) -> Refusal {
    Refusal(.accountExists, why).naming(mistakes)
  }
}

// MARK: Records that do not exist

extension Refusal {
  public static var noSuchAccount: Refusal { Refusal(.accountNotFound, "no such account") }
  public static var noSuchClient: Refusal { Refusal(.clientNotFound, "no such app") }
  public static var noSuchDelivery: Refusal { Refusal(.deliveryNotFound, "no such delivery") }
  public static var noSuchJob: Refusal { Refusal(.jobNotFound, "no such job") }
  public static var noSuchNotice: Refusal { Refusal(.noticeNotFound, "no such notice") }
  public static var noSuchProduct: Refusal { Refusal(.productNotFound, "no such product") }
  public static var noSuchPhoto: Refusal { Refusal(.photoNotFound, "the product has no photo") }
  public static var photoTooLarge: Refusal {
    Refusal(.photoTooLarge, "a photo has at most \(ProductPhoto.byteLimit) bytes")
  }
  public static func photoTooLarge(points: Int, side: Int) -> Refusal {
    Refusal(
      .photoTooLarge, "a photo has at most \(points) points and sides of at most \(side) points")
  }
  public static var photoDamaged: Refusal {
    Refusal(.photoDamaged, "the photo cannot be decoded to its end, or it moves")
  }
  public static var photoFormatUnknown: Refusal {
    Refusal(.photoFormatUnknown, "a photo is a JPEG, PNG or WebP image")
  }
  public static var noSuchProvider: Refusal { Refusal(.providerNotFound, "no such provider") }

  public static var noSuchOrganization: Refusal {
    Refusal(.organizationNotFound, "no such organization")
  }

  public static var noSuchIdentity: Refusal {
    Refusal(.identityNotFound, "no such identity of this account")
  }

  public static var recentSignInNeeded: Refusal {
    Refusal(.recentSignInNeeded, "sign in again, then repeat the request")
  }

  public static var managedByProvider: Refusal {
    Refusal(.managedByProvider, "the identity provider of this account manages this")
  }

  /// The session began at the provider of one organization, and the account is also in others.
  public static var limitedSession: Refusal {
    Refusal(
      .managedByProvider, "sign in another way: this session has rights in one organization only")
  }

  public static var contactChangeClosed: Refusal {
    Refusal(.contactChangeClosed, "an administrator changes addresses and numbers here")
  }

  public static var mailUnavailable: Refusal {
    Refusal(.mailUnavailable, "this server sends no e-mail, so an address cannot be proved")
  }

  public static var noSuchChange: Refusal {
    Refusal(.changeNotFound, "no such change, or it has expired")
  }

  public static var noSuchProposal: Refusal {
    Refusal(.proposalNotFound, "no such proposal for this session, or it has expired")
  }

  public static var noSuchSession: Refusal {
    Refusal(.sessionNotFound, "no such session of this account")
  }

  public static func noSuchActivity(_ why: String = "no such activity") -> Refusal {
    Refusal(.activityNotFound, why)
  }

  public static var unknownCursor: Refusal {
    Refusal(.unknownCursor, "start over without a cursor")
  }
}

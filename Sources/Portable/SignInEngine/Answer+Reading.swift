package import JSONText
package import SignInModel
public import SignInWire

extension Answer {
  /// The body of a successful answer.
  package var success: JSON? {
    if case .received(200..<300, let body, _) = self { body } else { nil }
  }

  var authorizationCode: Secret? { success.flatMap { AuthorizationCodeAnswer(json: $0)?.code } }

  /// Where the person signs out of the identity provider, as the answer to a revocation says.
  package var signOutPage: String? { success.flatMap { RevocationAnswer(json: $0).signOutPage } }

  package var status: Int64? {
    if case .received(let status, _, _) = self { status } else { nil }
  }

  /// Why the server refused; `nil` if the answer has no code that this version knows.
  var error: Refusal? {
    if case .received(_, let body, _) = self { Refusal(json: body) } else { nil }
  }

  package var refusal: ErrorCode? { error?.code }

  /// Why the session has ended; `nil` if the answer does not say that it has.
  var endReason: Notice? {
    guard let error else { return nil }
    if error.code == .accountDeactivated { return .accountDeactivated }
    guard error.code == .invalidGrant || error.code == .sessionEnded else { return nil }
    return error.reason.flatMap { EndReason(rawValue: $0) }?.notice ?? .sessionEnded
  }

  /// The code that the server has just sent; `session` is used if the answer names none.
  func sentCode(in session: Secret? = nil) -> SentCode? {
    if let error, error.code == .insufficientAuthorization, let prompt = error.challenge,
      let session = error.authSession ?? session
    {
      return SentCode(session: session, prompt: prompt)
    }
    guard let body = success else { return nil }
    if let reset = ResetAnswer(json: body) {
      return SentCode(session: reset.resetSession, prompt: reset.challenge)
    }
    if case .codeSent(let session, let prompt)? = RegistrationAnswer(json: body) {
      return SentCode(session: session, prompt: prompt)
    }
    return nil
  }

  /// The notice for an answer, if a flow has no more exact one.
  package func notice(at now: Instant) -> Notice {
    switch self {
    case .noNetwork: return .noConnection
    case .unreachable: return .serviceUnreachable
    case .timedOut: return .noAnswerInTime
    case .received, .onDevice:
      guard let error else { return .serverFault }
      let wait = error.retryIn ?? Refusal.usualWaitSeconds
      switch SignInRefusal(error.code) {
      case .invalidCredentials: return .invalidCredentials
      case .accountDeactivated: return .accountDeactivated
      case .accountPending: return .approvalPending
      case .rateLimited: return .rateLimited(until: now.adding(seconds: wait))
      case .resendTooSoon: return .codeTooSoon(until: now.adding(seconds: wait))
      case .deliveryFailed: return .deliveryFailed(until: now.adding(seconds: wait))
      case .temporarilyUnavailable: return .serviceBusy
      case .invalidSession, .invalidGrant: return .signInExpired
      case .redirectToWeb:
        let isPhoneMissing = error.reason == JourneyError.phoneMissing.rawValue
        return isPhoneMissing ? .atProvider(.phoneMissing) : .signsInElsewhere
      case .accountLocked: return .session(.lockedOut(until: error.lockEnd(at: now)))
      case .accountNotRegistered: return .notRegistered
      // A screen that asks for a code has its own texts for these.
      case .invalidOTP, .otpExpired, nil: return .serverFault
      }
    }
  }
}

/// A code that the server has just sent.
struct SentCode {
  /// The server's identifier of the sign-in, reset or registration that the code belongs to.
  let session: Secret
  let prompt: CodePrompt
}

extension Refusal {
  /// The wait in seconds, if the server names none.
  public static let usualWaitSeconds: Int64 = 60
}

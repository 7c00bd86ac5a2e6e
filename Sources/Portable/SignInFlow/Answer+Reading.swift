import JSONText
import SignInModel
import SignInWire

extension Answer {
  /// The body of a successful answer.
  var success: JSON? {
    if case .received(200..<300, let body, _) = self { body } else { nil }
  }

  var authorizationCode: Secret? { success.flatMap { AuthorizationCodeAnswer(json: $0)?.code } }

  /// Where the person signs out of the identity provider, as the answer to a revocation says.
  var signOutPage: String? { success.flatMap { RevocationAnswer(json: $0).signOutPage } }

  var status: Int64? {
    if case .received(let status, _, _) = self { status } else { nil }
  }

  var error: Refusal? {
    if case .received(_, let body, _) = self { Refusal(json: body) } else { nil }
  }

  /// The stable code of an OAuth error, or of a problem document under `/api`.
  var refusal: ErrorCode? {
    guard case .received(_, let body, _) = self else { return nil }
    guard let text = body["error"]?.text ?? body["code"]?.text else { return nil }
    return ErrorCode(rawValue: text)
  }

  /// Why the session has ended; `nil` if the answer does not say that it has.
  var endReason: Notice? {
    guard case .received(_, let body, _) = self else { return nil }
    switch body["error"]?.text ?? body["code"]?.text {
    case ErrorCode.invalidGrant.rawValue, "session_ended":
      return body["reason"]?.text.flatMap { EndReason(rawValue: $0) }?.notice ?? .sessionEnded
    case ErrorCode.accountDeactivated.rawValue: return .accountDeactivated
    default: return nil
    }
  }

  /// The code that the server has just sent; `session` is used if the answer names none.
  func sentCode(in session: Secret? = nil) -> CodeEntry? {
    if let error, error.code == .insufficientAuthorization, let prompt = error.challenge,
      let session = error.authSession ?? session
    {
      return CodeEntry(session: session, prompt: prompt)
    }
    if let body = success, let reset = ResetAnswer(json: body) {
      return CodeEntry(session: reset.resetSession, prompt: reset.challenge)
    }
    return nil
  }

  /// The notice for an answer, if a flow has no more exact one.
  func notice(at now: Instant) -> Notice {
    switch self {
    case .noNetwork: return .noConnection
    case .unreachable: return .serviceUnreachable
    case .timedOut: return .noAnswerInTime
    case .received:
      let wait = member("retry_in")?.seconds ?? Self.usualWaitSeconds
      switch refusal.flatMap({ SignInRefusal($0) }) {
      case .invalidCredentials: return .invalidCredentials
      case .accountDeactivated: return .accountDeactivated
      case .rateLimited: return .rateLimited(until: now.adding(seconds: wait))
      case .resendTooSoon: return .codeTooSoon(until: now.adding(seconds: wait))
      case .deliveryFailed: return .deliveryFailed(until: now.adding(seconds: wait))
      case .temporarilyUnavailable: return .serviceBusy
      case .invalidSession, .invalidGrant: return .signInExpired
      case .redirectToWeb:
        let isPhoneMissing = member("reason")?.text == JourneyError.phoneMissing.rawValue
        return isPhoneMissing ? .atProvider(.phoneMissing) : .signsInElsewhere
      case .accountLocked: return .session(.lockedOut(until: lockEnd(at: now)))
      case .accountNotRegistered: return .notRegistered
      // A screen that asks for a code has its own texts for these.
      case .invalidOTP, .otpExpired, nil: return .serverFault
      }
    }
  }

  /// A member of an OAuth error or of a problem document.
  private func member(_ name: String) -> JSON? {
    if case .received(_, let body, _) = self { body[name] } else { nil }
  }

  private func lockEnd(at now: Instant) -> Instant {
    if let until = member("locked_until")?.unixSeconds { return Instant(seconds: until) }
    return now.adding(seconds: member("retry_in")?.seconds ?? Refusal.defaultLockoutSeconds)
  }

  /// The wait in seconds, if the server names none.
  private static let usualWaitSeconds: Int64 = 60
}

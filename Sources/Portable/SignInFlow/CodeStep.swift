import SignInModel
import SignInWire

/// A code that was sent, until it has become tokens: a part of every way in.
///
///     entering ──▶ checking ──▶ redeeming ──▶ signed in
///      ▲ ▲  │          │            │
///      │ │  ▼          ▼            ▼
///      │ resending    wrong, too old, no network
///      └───────────────┘
///
/// It also ends by a lock, by what makes the person start over, and when they go back.
public struct CodeStep: Equatable, Sendable {
  public enum Activity: Equatable, Sendable {
    case entering
    case checking(Wait)
    case resending(Wait)
    case redeeming(Wait)
  }

  enum Ending: Equatable, Sendable {
    case signedIn(TokenAnswer)
    case locked(until: Instant)
    /// The person must start over, and why.
    case over(Notice)
    case left
  }

  public private(set) var entry: CodeEntry
  public private(set) var activity = Activity.entering
  /// The button that leads out of here.
  public let wayBack: ButtonName
  private(set) var ending: Ending?

  /// Nil when the answer asks for no code.
  init?(_ answer: ErrorAnswer, wayBack: ButtonName) {
    guard answer.code == .insufficientAuthorization, let prompt = answer.challenge,
      let authSession = answer.authSession
    else { return nil }
    entry = CodeEntry(authSession: Secret(authSession), prompt: prompt)
    self.wayBack = wayBack
  }

  /// The same code after the person left it, with the news that brought them back.
  func resumed(saying notice: Notice) -> CodeStep {
    var step = self
    step.activity = .entering
    step.ending = nil
    step.entry.notice = notice
    return step
  }

  /// The verifier is the one the code's challenge was asked for with (RFC 7636).
  mutating func handle(
    _ event: Event, verifier: Secret, _ context: inout FlowContext
  ) -> [Effect] {
    if event == .buttonPressed(wayBack) {
      ending = .left
      return []
    }
    switch activity {
    case .entering: return enter(event, verifier, &context)
    case .checking(let wait), .resending(let wait), .redeeming(let wait):
      if case .answered(let id, let answer) = event, wait.isFor(id) {
        return answered(answer, verifier, &context)
      }
      return event == .ticked ? wait.announcements(context) : []
    }
  }

  private mutating func enter(
    _ event: Event, _ verifier: Secret, _ context: inout FlowContext
  ) -> [Effect] {
    switch event {
    case .fieldEdited(.code, let text): entry.edit(text)
    case .bannerDismissed: entry.notice = nil
    case .buttonPressed(.verify): return verify(verifier, &context)
    case .buttonPressed(.resend): return resend(&context)
    case .ticked: return entry.announcements(context)
    case .started, .storageRead, .fieldEdited, .buttonPressed, .passwordRevealToggled,
      .verifierMade, .answered, .renewalClaimed, .sessionSaveRefused, .networkReturned, .device,
      .home:
      break
    }
    return []
  }

  // MARK: Asking

  private mutating func verify(_ verifier: Secret, _ context: inout FlowContext) -> [Effect] {
    guard entry.isComplete else { return [] }
    entry.notice = nil
    if let code = entry.authorizationCode { return redeem(code, verifier, &context) }
    let (id, effect) = context.start(challenge(.init("otp", entry.text), context))
    activity = .checking(Wait(request: id, since: context.now))
    return [.announce(.checkingCode), effect]
  }

  private mutating func resend(_ context: inout FlowContext) -> [Effect] {
    guard entry.canResend(at: context.now) else { return [] }
    entry.notice = nil
    let (id, effect) = context.start(challenge(.init("resend", "true"), context))
    activity = .resending(Wait(request: id, since: context.now))
    return [.announce(.sendingNewCode), effect]
  }

  private func challenge(_ field: Form.Field, _ context: FlowContext) -> Call {
    .post(
      Endpoint.challenge,
      Form([
        .init("client_id", context.app.rawValue),
        .init("auth_session", entry.authSession.revealed),
        field,
      ]),
      .proof
    )
  }

  /// The code stays in the entry, so that a lost answer can be asked for again by Verify.
  private mutating func redeem(
    _ code: Secret, _ verifier: Secret, _ context: inout FlowContext
  ) -> [Effect] {
    entry.authorizationCode = code
    let (id, effect) = context.start(
      .post(
        Endpoint.token,
        Form([
          .init("grant_type", "authorization_code"),
          .init("code", code.revealed),
          .init("code_verifier", verifier.revealed),
          .init("client_id", context.app.rawValue),
        ]),
        .proof
      ))
    activity = .redeeming(Wait(request: id, since: context.now))
    return [effect]
  }

  // MARK: Answers

  private mutating func answered(
    _ answer: Answer, _ verifier: Secret, _ context: inout FlowContext
  ) -> [Effect] {
    switch activity {
    case .entering: return []
    case .checking:
      if let code = answer.authorizationCode { return redeem(code, verifier, &context) }
    case .resending:
      if let error = answer.error, error.code == .insufficientAuthorization,
        error.challenge != nil
      {
        return startOver(error, &context)
      }
    case .redeeming:
      if let body = answer.success, let tokens = TokenAnswer(json: body) {
        ending = .signedIn(tokens)
        return []
      }
    }
    activity = .entering
    return failed(answer, &context)
  }

  private mutating func startOver(
    _ error: ErrorAnswer, _ context: inout FlowContext
  ) -> [Effect] {
    activity = .entering
    entry.adopt(error)
    entry.startOver()
    context.moveFocus(to: .code)
    return [.announce(.newCodeSent(destination: entry.prompt.destination))]
  }

  private mutating func failed(_ answer: Answer, _ context: inout FlowContext) -> [Effect] {
    let reason = answer.notice(at: context.now)
    if let error = answer.error {
      entry.adopt(error)
      switch error.code {
      case .accountLocked:
        ending = .locked(until: error.lockEnd(at: context.now))
        return []
      case .invalidOTP where entry.prompt.attemptsLeft <= 0:
        ending = .over(.codeRefused)
        return []
      case .otpExpired where context.app.tellsExpiry:
        entry.expire()
        context.moveFocus(to: .code)
        return [.announce(.codeExpired)]
      case .invalidOTP, .otpExpired:
        entry.refuse()
        context.moveFocus(to: .code)
        return [.announce(.codeRefused(attemptsLeft: entry.attemptsLeftWorthSaying))]
      case .invalidSession, .invalidGrant, .accountDeactivated, .accountNotRegistered,
        .redirectToWeb:
        ending = .over(reason)
        return []
      case .insufficientAuthorization, .invalidCredentials, .resendTooSoon, .rateLimited,
        .deliveryFailed, .temporarilyUnavailable, .invalidRequest, .invalidClient,
        .unauthorizedClient, .unsupportedGrantType, .unsupportedResponseType,
        .unsupportedTokenType, .invalidScope, .invalidToken, .insufficientScope, .invalidProof,
        .passwordTooShort, .passwordTooLong, .passwordTooCommon, .serverError, .accountNotFound,
        .sessionNotFound, .accountExists, .illegalTransition, .ownAccount, .idempotencyKeyReused:
        break
      }
    }
    entry.notice = reason
    return [.announce(.notice(reason))]
  }
}

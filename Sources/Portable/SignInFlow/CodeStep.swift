import SignInModel
import SignInWire

/// A code that was sent, until it has become what it was asked for: a part of every way in.
///
///     entering ──▶ checking ──▶ redeeming ──▶ signed in
///      ▲ ▲  │          │            │
///      │ │  ▼          ▼            ▼
///      │ resending    wrong, too old, no network
///      └───────────────┘
///
/// It also ends by a lock, by what makes the person start over, and when they go back.
public struct CodeStep: Equatable, Sendable {
  /// What a right code is exchanged for.
  enum Purpose {
    /// The verifier is the one the code's challenge was asked for with (RFC 7636).
    case tokens(verifier: Secret)
    /// Whoever holds the step takes the answer to this one (T-11).
    case newPassword(Secret, username: String)
  }

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
  init?(_ answer: Answer, wayBack: ButtonName) {
    guard let entry = answer.sentCode() else { return nil }
    self.entry = entry
    self.wayBack = wayBack
  }

  /// The same code, to be entered once more.
  func resumed(saying notice: Notice?) -> CodeStep {
    var step = self
    step.activity = .entering
    step.ending = nil
    step.entry.notice = notice
    return step
  }

  func isChecking(_ id: RequestID) -> Bool {
    if case .checking(let wait) = activity { wait.isFor(id) } else { false }
  }

  mutating func handle(
    _ event: Event, for purpose: Purpose, _ context: inout FlowContext
  ) -> [Effect] {
    if event == .buttonPressed(wayBack) {
      ending = .left
      return []
    }
    switch activity {
    case .entering: return enter(event, purpose, &context)
    case .checking(let wait), .resending(let wait), .redeeming(let wait):
      if case .answered(let id, let answer) = event, wait.isFor(id) {
        return answered(answer, purpose, &context)
      }
      return event == .ticked ? wait.announcements(context) : []
    }
  }

  private mutating func enter(
    _ event: Event, _ purpose: Purpose, _ context: inout FlowContext
  ) -> [Effect] {
    switch event {
    case .fieldEdited(.code, let text): entry.edit(text)
    case .bannerDismissed: entry.notice = nil
    case .buttonPressed(.verify): return verify(purpose, &context)
    case .buttonPressed(.resend): return resend(purpose, &context)
    case .ticked: return entry.announcements(context)
    case .started, .storageRead, .fieldEdited, .buttonPressed, .passwordRevealToggled,
      .verifierMade, .answered, .renewalClaimed, .sessionSaveRefused, .networkReturned, .device,
      .home:
      break
    }
    return []
  }

  // MARK: Asking

  private mutating func verify(
    _ purpose: Purpose, _ context: inout FlowContext
  ) -> [Effect] {
    guard entry.isComplete else { return [] }
    entry.notice = nil
    let (call, announcement): (Call, Announcement)
    switch purpose {
    case .tokens(let verifier):
      if let code = entry.authorizationCode { return redeem(code, verifier, &context) }
      (call, announcement) = (challenge(.init("otp", entry.text), context), .checkingCode)
    case .newPassword(let password, _):
      (call, announcement) = (reset(to: password), .changingPassword)
    }
    let (id, effect) = context.start(call)
    activity = .checking(Wait(request: id, since: context.now))
    return [.announce(announcement), effect]
  }

  private mutating func resend(
    _ purpose: Purpose, _ context: inout FlowContext
  ) -> [Effect] {
    guard entry.canResend(at: context.now) else { return [] }
    entry.notice = nil
    let call =
      switch purpose {
      case .tokens: challenge(.init("resend", "true"), context)
      case .newPassword(_, let username): Call.forgotPassword(of: username, context)
      }
    let (id, effect) = context.start(call)
    activity = .resending(Wait(request: id, since: context.now))
    return [.announce(.sendingNewCode), effect]
  }

  private func challenge(_ field: Form.Field, _ context: FlowContext) -> Call {
    .post(
      Endpoint.challenge,
      Form([
        .init("client_id", context.app.rawValue),
        .init("auth_session", entry.session.revealed),
        field,
      ]),
      .proof
    )
  }

  private func reset(to password: Secret) -> Call {
    .post(
      Endpoint.resetPassword,
      Form([
        .init("reset_session", entry.session.revealed),
        .init("otp", entry.text),
        .init("password", password.revealed),
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
    _ answer: Answer, _ purpose: Purpose, _ context: inout FlowContext
  ) -> [Effect] {
    switch activity {
    case .entering: return []
    case .checking:
      if let code = answer.authorizationCode, case .tokens(let verifier) = purpose {
        return redeem(code, verifier, &context)
      }
    case .resending:
      if let sent = answer.sentCode(in: entry.session) { return startOver(sent, &context) }
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
    _ sent: CodeEntry, _ context: inout FlowContext
  ) -> [Effect] {
    activity = .entering
    entry = sent
    entry.notice = .newCodeSent
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
        .sessionNotFound, .accountExists, .illegalTransition, .ownAccount, .idempotencyKeyReused,
        .productNotFound, .unknownCursor, .alreadyOwner, .notAMember, .useProofNonce,
        .activityNotFound, .sessionEnded, .clientNotFound, .organizationNotFound,
        .invalidPolicy, .preconditionFailed:
        break
      }
    }
    entry.notice = reason
    return [.announce(.notice(reason))]
  }
}

extension Call {
  static func forgotPassword(of username: String, _ context: FlowContext) -> Call {
    .post(
      Endpoint.forgotPassword,
      Form([
        .init("client_id", context.app.rawValue),
        .init("username", username),
        .init("ui_locales", context.reader.uiLocales),
      ]),
      .proof
    )
  }
}

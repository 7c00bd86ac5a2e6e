import JSONText
public import SignInModel
import SignInWire

/// A password reset (T-11): an e-mail, then the code sent for it and the new password.
///
///     e-mail ──▶ asking ──▶ code and password ──▶ changed
///      ▲  │ ▲      │              │  │
///      │  ▼ └──────┴──▶ locked ◀──┘  │
///      │ left                        │
///      └─────── back, expired ───────┘
public struct PasswordReset: Equatable, Sendable {
  public indirect enum Step: Equatable, Sendable {
    case enteringEmail
    case askingForCode(Wait)
    case enteringCode(CodeStep)
  }

  /// Why the server refuses the password.
  public enum PasswordFault: Equatable, Sendable { case tooShort, tooLong, tooCommon }

  enum Ending: Equatable, Sendable {
    case left
    case locked(until: Instant)
    /// The reset is finished.
    ///
    /// The notice says what happened to the password.
    case ended(Notice)
  }

  public private(set) var step = Step.enteringEmail
  public private(set) var email: String
  public private(set) var isEmailMalformed = false
  public private(set) var password = Secret("")
  public private(set) var isPasswordRevealed = false
  public private(set) var passwordFault: PasswordFault?
  public private(set) var notice: Notice?
  public private(set) var missing = MissingFields()
  private(set) var ending: Ending?

  /// The new password was sent and there was no answer, so it may be set already.
  private var isAnswerLost = false

  init(email: String) { self.email = email }

  public var canAsk: Bool { !email.isEmpty }

  var needsTicks: Bool {
    switch step {
    case .enteringEmail: notice?.changesWithTime ?? false
    case .askingForCode, .enteringCode: true
    }
  }

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    switch (step, event) {
    case (.enteringEmail, .page(let event)): return enterEmail(event, &context)
    case (.askingForCode(let wait), .answered(let id, let answer)) where wait.isFor(id):
      return asked(answer, &context)
    case (.askingForCode(let wait), .ticked): return wait.announcements(context)
    case (.askingForCode, .page(.buttonPressed(.back))): ending = .left
    case (.enteringCode(let code), .page(let page)):
      return enterPassword(page, code, &context) ?? enterCode(event, code, &context)
    case (.enteringCode(let code), .answered(let id, let answer))
    where code.verification.isChecking(id):
      return passwordAnswered(answer, code, &context) ?? enterCode(event, code, &context)
    case (.enteringCode(let code), _): return enterCode(event, code, &context)
    case (.enteringEmail, _), (.askingForCode, _): break
    }
    return []
  }

  // MARK: E-mail

  private mutating func enterEmail(_ event: PageEvent, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .fieldEdited(.email, let text):
      email = text.revealed
      isEmailMalformed = false
      missing.typed(in: .email)
    case .bannerDismissed: notice = nil
    case .buttonPressed(.sendCode): return ask(&context)
    case .buttonPressed(.back): ending = .left
    case .fieldEdited, .buttonPressed, .passwordRevealToggled: break
    }
    return []
  }

  private mutating func ask(_ context: inout FlowContext) -> [Effect] {
    missing.check([(.email, email.isEmpty)])
    guard canAsk else { return missing.explain(&context) }
    guard EmailAddress(typed: email) != nil else {
      isEmailMalformed = true
      context.moveFocus(to: .email)
      return [.announce(.emailMalformed)]
    }
    notice = nil
    let (id, effect) = context.start(.forgotPassword(of: email, context))
    step = .askingForCode(Wait(request: id, since: context.now))
    return [.announce(.sendingCode), effect]
  }

  private mutating func asked(_ answer: Answer, _ context: inout FlowContext) -> [Effect] {
    let purpose = CodeVerification.Purpose.newPassword(username: email)
    if let verification = CodeVerification(answer, for: purpose, at: context.now) {
      step = .enteringCode(CodeStep(verification))
      context.moveFocus(to: .code)
      return [.announce(.codeSent(destination: verification.prompt.destination))]
    }
    if let error = answer.error, error.code == .accountLocked {
      ending = .locked(until: error.lockEnd(at: context.now))
      return []
    }
    if answer.refusal == .resetByAdministrator {
      return returnToEmail(.resetByAdministrator, &context)
    }
    return returnToEmail(answer.notice(at: context.now), &context)
  }

  private mutating func returnToEmail(
    _ reason: Notice, _ context: inout FlowContext
  ) -> [Effect] {
    notice = reason
    step = .enteringEmail
    context.moveFocus(to: .email)
    return [.announce(.notice(reason))]
  }

  // MARK: Code and password

  /// Handles the events that concern the password; returns `nil` for those that concern the code.
  private mutating func enterPassword(
    _ event: PageEvent, _ code: CodeStep, _ context: inout FlowContext
  ) -> [Effect]? {
    switch event {
    case .fieldEdited(.newPassword, let text) where code.verification.activity == .entering:
      password = text
      passwordFault = nil
      missing.typed(in: .newPassword)
      return []
    case .passwordRevealToggled where code.verification.activity == .entering:
      isPasswordRevealed.toggle()
      return []
    case .buttonPressed(.verify) where password.isEmpty && code.verification.activity != .entering:
      return []
    case .buttonPressed(.verify) where password.isEmpty:
      missing.check([(.newPassword, true)])
      // The code field is above the password field, so its error comes first.
      return code.isComplete ? missing.explain(&context) : nil
    case .buttonPressed(.verify):
      isPasswordRevealed = false
      return nil
    case .fieldEdited, .buttonPressed, .passwordRevealToggled, .bannerDismissed: return nil
    }
  }

  /// A refused password uses up neither the code nor an attempt.
  private mutating func passwordAnswered(
    _ answer: Answer, _ code: CodeStep, _ context: inout FlowContext
  ) -> [Effect]? {
    if let body = answer.success {
      // On an unknown device the new password may take effect later.
      if let waiting = WaitingPasswordAnswer(json: body) {
        ending = .ended(.passwordPending(until: waiting.availableAt))
      } else {
        ending = .ended(.passwordChanged)
      }
      return []
    }
    if answer.refusal == .resetByAdministrator {
      forgetPassword()
      return returnToEmail(.resetByAdministrator, &context)
    }
    if answer.status == nil { isAnswerLost = true }
    guard let fault = PasswordFault(answer.refusal) else { return nil }
    passwordFault = fault
    step = .enteringCode(code.resumed(saying: nil))
    context.moveFocus(to: .newPassword)
    return [.announce(.passwordRefused(fault))]
  }

  private mutating func enterCode(
    _ event: Event, _ code: CodeStep, _ context: inout FlowContext
  ) -> [Effect] {
    var code = code
    let effects = code.handle(event, newPassword: password, &context)
    switch code.ending {
    case nil: step = .enteringCode(code)
    case .signedIn: preconditionFailure("a reset gives no tokens")
    case .locked(let until): ending = .locked(until: until)
    case .ended(.signInExpired) where isAnswerLost: ending = .ended(.passwordMaybeChanged)
    case .ended(let reason):
      forgetPassword()
      return returnToEmail(reason == .signInExpired ? .resetExpired : reason, &context)
    case .left:
      context.forgetCalls()
      forgetPassword()
      notice = nil
      step = .enteringEmail
      context.moveFocus(to: .email)
    }
    return effects
  }

  private mutating func forgetPassword() {
    password = Secret("")
    passwordFault = nil
    missing = MissingFields()
  }
}

extension PasswordReset.PasswordFault {
  init?(_ code: ErrorCode?) {
    switch code {
    case .passwordTooShort: self = .tooShort
    case .passwordTooLong: self = .tooLong
    case .passwordTooCommon: self = .tooCommon
    default: return nil
    }
  }
}

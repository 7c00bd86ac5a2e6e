public import SignInEngine
public import SignInModel

/// The form of a password reset (T-11): an e-mail, then the code sent for it and the new password.
///
/// `PasswordReset` decides. The form has the typed text, the errors of the fields and the banner.
public struct PasswordResetForm: Equatable, Sendable {
  public indirect enum Step: Equatable, Sendable {
    case enteringEmail
    case askingForCode(Wait)
    case enteringCode(CodeStep)
  }

  enum Ending: Equatable, Sendable {
    case left
    case locked(until: Instant)
    /// The reset is finished.
    ///
    /// The notice says what happened to the password.
    case ended(Notice)
  }

  public private(set) var email: String
  public private(set) var isEmailMalformed = false
  public private(set) var password = Secret("")
  public private(set) var isPasswordRevealed = false
  public private(set) var passwordFault: PasswordFault?
  public private(set) var notice: Notice?
  public private(set) var missing = MissingFields()
  private(set) var ending: Ending?
  private var reset = PasswordReset<CodeStep>()

  init(email: String) { self.email = email }

  public var step: Step {
    switch reset.step {
    case .idle: .enteringEmail
    case .asking(let wait, _): .askingForCode(wait)
    case .code(let code): .enteringCode(code)
    }
  }

  public var canAsk: Bool { !email.isEmpty }

  var needsTicks: Bool {
    switch reset.step {
    case .idle: notice?.changesWithTime ?? false
    case .asking, .code: true
    }
  }

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [PageEffect] {
    switch (reset.step, event) {
    case (.idle, .page(let event)): return enterEmail(event, &context)
    case (.asking(let wait, _), .ticked): return wait.reports(context).inApp()
    case (.asking, .page(.buttonPressed(.back))):
      ending = .left
      return []
    case (.code(let code), .page(let page)):
      if let effects = enterPassword(page, code, &context) { return effects }
    case (.idle, _), (.asking, _), (.code, _): break
    }
    let effects = reset.handle(event, newPassword: password, &context)
    return effects + follow(&context)
  }

  private mutating func follow(_ context: inout FlowContext) -> [PageEffect] {
    switch reset.takeOutcome() {
    case nil: return []
    case .codeSent(let destination):
      context.moveFocus(to: .code)
      return [.report(.codeSent(destination: destination))]
    case .passwordRefused(let fault):
      passwordFault = fault
      context.moveFocus(to: .newPassword)
      return [.announce(.passwordRefused(fault))]
    case .locked(let until): ending = .locked(until: until)
    case .finished(let notice): ending = .ended(notice)
    case .failed(let reason):
      forgetPassword()
      notice = reason
      context.moveFocus(to: .email)
      return [.report(.notice(reason))]
    case .left:
      forgetPassword()
      notice = nil
      context.moveFocus(to: .email)
    }
    return []
  }

  // MARK: E-mail

  private mutating func enterEmail(_ event: PageEvent, _ context: inout FlowContext) -> [PageEffect]
  {
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

  private mutating func ask(_ context: inout FlowContext) -> [PageEffect] {
    missing.check([(.email, email.isEmpty)])
    guard canAsk else { return missing.explain(&context) }
    guard let address = EmailAddress(typed: email) else {
      isEmailMalformed = true
      context.moveFocus(to: .email)
      return [.announce(.emailMalformed)]
    }
    notice = nil
    let effects = reset.ask(for: address, &context)
    return reset.isAsking ? [.announce(.sendingCode)] + effects : follow(&context)
  }

  // MARK: Password

  /// Handles the events that concern the password; returns `nil` for those that concern the code.
  private mutating func enterPassword(
    _ event: PageEvent, _ code: CodeStep, _ context: inout FlowContext
  ) -> [PageEffect]? {
    switch event {
    case .fieldEdited(.newPassword, let text) where code.verification.activity == .entering:
      password = text
      passwordFault = nil
      missing.typed(in: .newPassword)
      return []
    case .passwordRevealToggled where code.verification.activity == .entering:
      isPasswordRevealed.toggle()
      return []
    case .buttonPressed(.verify)
    where password.isEmpty && code.verification.activity != .entering:
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

  private mutating func forgetPassword() {
    password = Secret("")
    passwordFault = nil
    missing = MissingFields()
  }
}

public import SignInEngine
public import SignInModel
public import SignInWire

/// A technician's form: e-mail and password, then a code by text message (T-01).
///
/// `DirectSignIn` decides. The form has the typed text, the errors of the fields and the banner. A
/// form for a forgotten password or for an invitation can take its place.
public struct TechnicianSignIn: PasswordSignInForm {
  public indirect enum Step: Equatable, Sendable {
    case enteringCredentials
    case submittingCredentials(Wait)
    case enteringCode(CodeStep)
    /// After a lockout for wrong codes of a reset, the server refuses resets too.
    case locked(until: Instant, canReset: Bool = true)
    case resettingPassword(PasswordResetForm)
    case acceptingInvitation(InvitationAcceptance)
    case finished(TokenAnswer)
  }

  /// The form that is shown in place of this one.
  private indirect enum OtherForm: Equatable, Sendable {
    case reset(PasswordResetForm)
    case invitation(InvitationAcceptance)
  }

  public private(set) var email = ""
  public private(set) var password = Secret("")
  public private(set) var isPasswordRevealed = false
  public private(set) var isEmailMalformed = false
  public private(set) var notice: Notice?
  public private(set) var missing = MissingFields()
  private var otherForm: OtherForm?
  private var signIn = DirectSignIn<CodeStep>()

  public init(notice: Notice? = nil, invitation: Secret? = nil) {
    self.notice = notice
    otherForm = invitation.map { .invitation(InvitationAcceptance($0)) }
  }

  /// Continues a sign-in of an earlier run of the app.
  public init(resuming pending: PendingCodeSignIn, email: String) {
    self.email = email
    signIn = DirectSignIn(resuming: pending)
  }

  public var step: Step {
    switch otherForm {
    case .reset(let reset)?: return .resettingPassword(reset)
    case .invitation(let acceptance)?: return .acceptingInvitation(acceptance)
    case nil: break
    }
    switch signIn.step {
    case .idle: return .enteringCredentials
    case .preparing(_, let since): return .submittingCredentials(Wait(request: nil, since: since))
    case .submitting(let wait, _, _): return .submittingCredentials(wait)
    case .code(let code): return .enteringCode(code)
    case .locked(let until, let canReset): return .locked(until: until, canReset: canReset)
    case .finished(let tokens): return .finished(tokens)
    }
  }

  public mutating func fillIn(email: String) { self.email = email }

  public var firstPart: PagePart {
    switch otherForm {
    case .invitation?: .newPassword
    case .reset?, nil: .email
    }
  }

  public var pendingCode: PendingCodeSignIn? { signIn.pendingCode }

  public var isAtStart: Bool { otherForm == nil && signIn.step == .idle }

  public var tokens: TokenAnswer? { signIn.tokens }

  public var isAtRest: Bool { otherForm == nil && signIn.isAtRest }

  /// Whether Login can find a provider by the address, without a password.
  public func canFindProvider(_ menu: ProviderMenu) -> Bool {
    menu.findsByEmail && !email.isEmpty && password.isEmpty
  }

  public func findsProvider(_ event: Event, _ context: FlowContext) -> Bool {
    guard case .page(.buttonPressed(.login)) = event, isAtStart, password.isEmpty else {
      return false
    }
    return context.providerMenu.findsByEmail && EmailAddress(typed: email) != nil
  }

  public mutating func needPassword(_ context: inout FlowContext) -> [PageEffect] {
    missing.check([(.password, true)])
    return missing.explain(&context)
  }

  public var isUntouched: Bool {
    isAtStart && notice == .signedOut && email.isEmpty && password.isEmpty
  }

  public var canLogIn: Bool { !email.isEmpty && !password.isEmpty }

  public var needsTicks: Bool {
    switch otherForm {
    case .reset(let reset)?: reset.needsTicks
    case .invitation?: true
    case nil: isAtStart ? notice?.changesWithTime ?? false : signIn.needsTicks
    }
  }

  public mutating func handle(_ event: Event, _ context: inout FlowContext) -> [PageEffect] {
    switch otherForm {
    case .reset(let reset)?: return resetPassword(event, reset, &context)
    case .invitation(let acceptance)?: return accept(event, acceptance, &context)
    case nil: break
    }
    switch (signIn.step, event) {
    case (.idle, .page(let event)): return enterCredentials(event, &context)
    case (.preparing, .page(.buttonPressed(.cancel))),
      (.submitting, .page(.buttonPressed(.cancel))):
      signIn.cancel(&context)
      context.moveFocus(to: .password)
      return []
    case (.locked(_, canReset: true), .page(.buttonPressed(.forgotPassword))):
      openReset(&context)
      return []
    case (.locked, .page(.buttonPressed(.useAnotherAccount))):
      email = ""
      signIn.returnToStart()
      context.moveFocus(to: .email)
      return []
    case (_, .ticked):
      if let wait = signIn.wait { return wait.reports(context).inApp() }
    case (.idle, _), (.preparing, _), (.submitting, _), (.code, _), (.locked, _), (.finished, _):
      break
    }
    return signIn.handle(event, &context) + follow(&context)
  }

  private mutating func follow(_ context: inout FlowContext) -> [PageEffect] {
    switch signIn.takeOutcome() {
    case nil: return []
    case .codeSent(let destination):
      password = Secret("")
      context.moveFocus(to: .code)
      return [.report(.codeSent(destination: destination))]
    case .codeShownAgain: preconditionFailure("the person did not type the number")
    case .locked(let until, let canReset):
      password = Secret("")
      notice = nil
      context.moveFocus(to: .heading)
      return [.announce(.locked(until: until, canReset: canReset))]
    case .lockEnded:
      context.moveFocus(to: .password)
      return [.announce(.lockEnded)]
    case .failed(let reason): return returnToCredentials(reason, &context)
    case .left:
      notice = nil
      context.moveFocus(to: .password)
      return []
    }
  }

  // MARK: E-mail and password

  private mutating func enterCredentials(
    _ event: PageEvent, _ context: inout FlowContext
  ) -> [PageEffect] {
    switch event {
    case .fieldEdited(.email, let text):
      email = text.revealed
      isEmailMalformed = false
      missing.typed(in: .email)
    case .fieldEdited(.password, let text):
      password = text
      missing.typed(in: .password)
    case .passwordRevealToggled: isPasswordRevealed.toggle()
    case .bannerDismissed: notice = nil
    case .buttonPressed(.forgotPassword): openReset(&context)
    case .buttonPressed(.login): return logIn(&context)
    case .fieldEdited, .buttonPressed: break
    }
    return []
  }

  private mutating func logIn(_ context: inout FlowContext) -> [PageEffect] {
    missing.check([(.email, email.isEmpty), (.password, password.isEmpty)])
    let address = EmailAddress(typed: email)
    isEmailMalformed = address == nil && !email.isEmpty
    if isEmailMalformed {
      context.moveFocus(to: .email)
      return [.announce(.emailMalformed)]
    }
    guard let address, canLogIn else { return missing.explain(&context) }
    notice = nil
    isPasswordRevealed = false
    return [.report(.signingIn)] + signIn.signIn(with: .password(address, password), &context)
  }

  /// Returns to the form, and keeps the typed text that is still useful.
  private mutating func returnToCredentials(
    _ reason: Notice, _ context: inout FlowContext
  ) -> [PageEffect] {
    notice = reason
    if reason.invalidatesPassword { password = Secret("") }
    context.moveFocus(to: reason == .accountDeactivated ? .email : .password)
    return [.report(.notice(reason))]
  }

  // MARK: Invitation

  private mutating func accept(
    _ event: Event, _ acceptance: InvitationAcceptance, _ context: inout FlowContext
  ) -> [PageEffect] {
    var acceptance = acceptance
    let effects = acceptance.dispatch(event, &context)
    guard let ending = acceptance.ending else {
      otherForm = .invitation(acceptance)
      return effects
    }
    context.forgetCalls()
    context.forgetInvitation()
    otherForm = nil
    context.moveFocus(to: .email)
    guard case .ended(let reason) = ending else { return effects }
    notice = reason
    return effects + [.report(.notice(reason))]
  }

  // MARK: Password reset

  private mutating func openReset(_ context: inout FlowContext) {
    signIn.returnToStart()
    otherForm = .reset(PasswordResetForm(email: email))
    context.moveFocus(to: email.isEmpty ? .email : .heading)
  }

  private mutating func resetPassword(
    _ event: Event, _ reset: PasswordResetForm, _ context: inout FlowContext
  ) -> [PageEffect] {
    var reset = reset
    let effects = reset.handle(event, &context)
    email = reset.email
    guard let ending = reset.ending else {
      otherForm = .reset(reset)
      return effects
    }
    otherForm = nil
    let address = EmailAddress(typed: email)
    switch ending {
    case .left:
      context.forgetCalls()
      if let address, signIn.showLock(of: address, &context) {
        _ = signIn.takeOutcome()
        context.moveFocus(to: .heading)
      } else {
        context.moveFocus(to: email.isEmpty ? .email : .password)
      }
      return effects
    case .locked(let until):
      signIn.lock(until, canReset: false, &context)
      return follow(&context)
    case .ended(let notice): return returnToCredentials(notice, &context)
    }
  }
}

public import SignInModel
public import SignInWire

/// A technician's sign-in: e-mail and password, then a code by text message (T-01).
///
///     credentials ──▶ submitting ──▶ code ──▶ finished
///       ▲  ▲   │           │          │  │
///       │  │   ▼           ▼          │  ▼
///       │ reset          locked       │ locked ──time──▶ credentials
///       └── back, last attempt, expired
public struct TechnicianSignIn: PasswordSignInForm {
  public indirect enum Step: Equatable, Sendable {
    case enteringCredentials
    case submittingCredentials(Wait)
    case enteringCode(CodeStep)
    /// After a lockout for wrong codes of a reset, the server refuses resets too.
    case locked(until: Instant, canReset: Bool = true)
    case resettingPassword(PasswordReset)
    case acceptingInvitation(InvitationAcceptance)
    case finished(TokenAnswer)
  }

  public internal(set) var step: Step = .enteringCredentials
  public var email = ""
  public internal(set) var password = Secret("")
  public internal(set) var isPasswordRevealed = false
  public internal(set) var isEmailMalformed = false
  public internal(set) var notice: Notice?
  public internal(set) var missing = MissingFields()

  private var verifier = Secret("")
  private var locks = KnownLockouts()

  public init(notice: Notice? = nil, invitation: Secret? = nil) {
    self.notice = notice
    if let invitation { step = .acceptingInvitation(InvitationAcceptance(invitation)) }
  }

  /// Continues a sign-in of an earlier run of the app.
  public init(resuming pending: PendingCodeSignIn, email: String) {
    self.email = email
    step = .enteringCode(CodeStep(CodeVerification(resuming: pending)))
  }

  /// The sign-in to continue if the app is closed now; `nil` if it does not wait for a code.
  public var pendingCode: PendingCodeSignIn? {
    guard case .enteringCode(let code) = step else { return nil }
    return PendingCodeSignIn(code.verification)
  }

  public var isAtStart: Bool { step == .enteringCredentials }

  public var tokens: TokenAnswer? {
    if case .finished(let tokens) = step { tokens } else { nil }
  }

  /// Whether the person can continue in another tab without losing anything here.
  public var isAtRest: Bool {
    if case .enteringCode(let code) = step { return code.verification.isUntouched }
    return step == .enteringCredentials
  }

  /// Whether Login can find a provider by the address, without a password.
  public func canFindProvider(_ menu: ProviderMenu) -> Bool {
    menu.findsByEmail && !email.isEmpty && password.isEmpty
  }

  /// Whether this event asks for the provider of the typed address.
  public func findsProvider(_ event: Event, _ context: FlowContext) -> Bool {
    guard event == .page(.buttonPressed(.login)), step == .enteringCredentials, password.isEmpty
    else {
      return false
    }
    let finds = context.app.name == nil || context.providerMenu.findsByEmail
    return finds && EmailAddress(typed: email) != nil
  }

  /// Explains that the person needs a password, because no provider belongs to the address.
  public mutating func needPassword(_ context: inout FlowContext) -> [Effect] {
    missing.check([(.password, true)])
    return missing.explain(&context)
  }

  /// Whether the person has done nothing since the sign-out.
  public var isUntouched: Bool {
    step == .enteringCredentials && notice == .signedOut && email.isEmpty && password.isEmpty
  }

  public var canLogIn: Bool { !email.isEmpty && !password.isEmpty }

  public var needsTicks: Bool {
    switch step {
    case .enteringCredentials: notice?.changesWithTime ?? false
    case .resettingPassword(let reset): reset.needsTicks
    case .acceptingInvitation: true
    case .finished: false
    case .submittingCredentials, .enteringCode, .locked: true
    }
  }

  public mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    switch (step, event) {
    case (.enteringCredentials, .page(let event)): return enterCredentials(event, &context)
    case (.submittingCredentials(let wait), .signIn(.verifierMade(let verifier, let challenge)))
    where wait.request == nil:
      return submit(verifier, challenge, since: wait.since, &context)
    case (.submittingCredentials(let wait), .answered(let id, let answer)) where wait.isFor(id):
      return credentialsAnswered(answer, &context)
    case (.submittingCredentials(let wait), .ticked): return wait.announcements(context)
    case (.submittingCredentials, .page(.buttonPressed(.cancel))): cancel(&context)
    case (.enteringCode(let code), _): return enterCode(event, code, &context)
    case (.locked(let until, _), .ticked) where until <= context.now: return unlock(&context)
    case (.locked(_, canReset: true), .page(.buttonPressed(.forgotPassword))): openReset(&context)
    case (.locked, .page(.buttonPressed(.useAnotherAccount))): useAnotherAccount(&context)
    case (.resettingPassword(let reset), _): return resetPassword(event, reset, &context)
    case (.acceptingInvitation(let acceptance), _): return accept(event, acceptance, &context)
    case (.enteringCredentials, _), (.submittingCredentials, _), (.locked, _), (.finished, _): break
    }
    return []
  }

  // MARK: E-mail and password

  private mutating func enterCredentials(
    _ event: PageEvent, _ context: inout FlowContext
  ) -> [Effect] {
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

  private mutating func logIn(_ context: inout FlowContext) -> [Effect] {
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
    // No request while a lockout is known (T-05).
    if let until = locks.end(of: address, at: context.now) { return lock(until, &context) }
    step = .submittingCredentials(Wait(request: nil, since: context.now))
    return [.announce(.signingIn), .makeVerifier]
  }

  private mutating func submit(
    _ verifier: Secret, _ challenge: String, since start: Instant, _ context: inout FlowContext
  ) -> [Effect] {
    self.verifier = verifier
    var form = context.signInForm(challenge: challenge)
    form.username = email
    form.password = password
    let (id, effect) = context.startSignIn(form)
    step = .submittingCredentials(Wait(request: id, since: start))
    return [effect]
  }

  private mutating func cancel(_ context: inout FlowContext) {
    context.forgetCalls()
    step = .enteringCredentials
    context.moveFocus(to: .password)
  }

  private mutating func credentialsAnswered(
    _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect] {
    let purpose = CodeVerification.Purpose.signIn(.email(email), verifier: verifier)
    if let verification = CodeVerification(answer, for: purpose, at: context.now) {
      password = Secret("")
      step = .enteringCode(CodeStep(verification))
      context.moveFocus(to: .code)
      return [.announce(.codeSent(destination: verification.prompt.destination))]
    }
    if let error = answer.error, error.code == .accountLocked {
      return lock(error.lockEnd(at: context.now), &context)
    }
    return returnToCredentials(answer.notice(at: context.now), &context)
  }

  /// Returns to the form, and keeps the typed text that is still useful.
  private mutating func returnToCredentials(
    _ reason: Notice, _ context: inout FlowContext
  ) -> [Effect] {
    notice = reason
    if reason.invalidatesPassword { password = Secret("") }
    step = .enteringCredentials
    context.moveFocus(to: reason == .accountDeactivated ? .email : .password)
    return [.announce(.notice(reason))]
  }

  // MARK: Code

  private mutating func enterCode(
    _ event: Event, _ code: CodeStep, _ context: inout FlowContext
  ) -> [Effect] {
    var code = code
    let effects = code.handle(event, &context)
    switch code.ending {
    case nil: step = .enteringCode(code)
    case .signedIn(let tokens): step = .finished(tokens)
    case .locked(let until): return lock(until, &context)
    case .ended(let notice): return returnToCredentials(notice, &context)
    case .left: goBack(&context)
    }
    return effects
  }

  private mutating func goBack(_ context: inout FlowContext) {
    context.forgetCalls()
    notice = nil
    step = .enteringCredentials
    context.moveFocus(to: .password)
  }

  // MARK: Lockout

  private mutating func lock(
    _ until: Instant, canReset: Bool = true, _ context: inout FlowContext
  ) -> [Effect] {
    context.forgetCalls()
    if let address = EmailAddress(typed: email) {
      locks.learn(address, until: until, at: context.now)
    }
    password = Secret("")
    notice = nil
    step = .locked(until: until, canReset: canReset)
    context.moveFocus(to: .heading)
    return [.announce(.locked(until: until, canReset: canReset))]
  }

  private mutating func unlock(_ context: inout FlowContext) -> [Effect] {
    step = .enteringCredentials
    context.moveFocus(to: .password)
    return [.announce(.lockEnded)]
  }

  private mutating func useAnotherAccount(_ context: inout FlowContext) {
    email = ""
    step = .enteringCredentials
    context.moveFocus(to: .email)
  }

  // MARK: Invitation

  private mutating func accept(
    _ event: Event, _ acceptance: InvitationAcceptance, _ context: inout FlowContext
  ) -> [Effect] {
    var acceptance = acceptance
    let effects = acceptance.dispatch(event, &context)
    guard let ending = acceptance.ending else {
      step = .acceptingInvitation(acceptance)
      return effects
    }
    context.forgetCalls()
    context.forgetInvitation()
    step = .enteringCredentials
    context.moveFocus(to: .email)
    guard case .ended(let reason) = ending else { return effects }
    notice = reason
    return effects + [.announce(.notice(reason))]
  }

  // MARK: Password reset

  private mutating func openReset(_ context: inout FlowContext) {
    step = .resettingPassword(PasswordReset(email: email))
    context.moveFocus(to: email.isEmpty ? .email : .heading)
  }

  private mutating func resetPassword(
    _ event: Event, _ reset: PasswordReset, _ context: inout FlowContext
  ) -> [Effect] {
    var reset = reset
    let effects = reset.handle(event, &context)
    email = reset.email
    switch reset.ending {
    case nil: step = .resettingPassword(reset)
    case .left: leaveReset(&context)
    case .locked(let until): return lock(until, canReset: false, &context)
    case .ended(let notice):
      // A new password ends the lockout that this app knows.
      if let address = EmailAddress(typed: email) { locks.forget(address) }
      return returnToCredentials(notice, &context)
    }
    return effects
  }

  private mutating func leaveReset(_ context: inout FlowContext) {
    context.forgetCalls()
    if let address = EmailAddress(typed: email), let until = locks.end(of: address, at: context.now)
    {
      step = .locked(until: until)
      context.moveFocus(to: .heading)
    } else {
      step = .enteringCredentials
      context.moveFocus(to: email.isEmpty ? .email : .password)
    }
  }
}

public import SignInModel
public import SignInWire

/// The signed-out state of an app that draws its own screens.
///
/// It takes intents, and its `result` is the result of the last one. The web apps have forms
/// instead.
public struct IntentSignIn: PasswordSignInForm, PhoneSignInForm {
  public typealias Event = AppEvent<NoPage>

  private indirect enum OtherTask: Equatable, Sendable {
    case reset(PasswordReset<CodeVerification>)
    case registration(Registration<CodeVerification>)
  }

  public private(set) var notice: Notice?
  private var signIn = DirectSignIn<CodeVerification>()
  /// No provider belongs to the address of the last intent.
  private var isPasswordNeeded = false
  /// What the person does instead of signing in.
  private var otherTask: OtherTask?

  public init(notice: Notice?, invitation: Secret?) { self.notice = notice }

  public init(notice: Notice?, callingCode: String?) { self.notice = notice }

  public init(resuming pending: PendingCodeSignIn, email: String) {
    signIn = DirectSignIn(resuming: pending)
  }

  public init(resuming pending: PendingCodeSignIn, phone: PhoneNumber) {
    signIn = DirectSignIn(resuming: pending)
  }

  public var isAtStart: Bool { otherTask == nil && signIn.step == .idle }

  public var isAtRest: Bool { otherTask == nil && signIn.isAtRest }

  public var isUntouched: Bool { isAtStart && notice == .signedOut }

  public var needsTicks: Bool { signIn.needsTicks || otherTask != nil }

  public var pendingCode: PendingCodeSignIn? { signIn.pendingCode }

  public var tokens: TokenAnswer? { signIn.tokens }

  /// The code of the sign-in that was sent; `nil` in all other steps.
  public var verification: CodeVerification? {
    if case .code(let code) = signIn.step { code } else { nil }
  }

  /// The code of the password reset that was sent; `nil` in all other steps.
  public var resetVerification: CodeVerification? {
    if case .reset(let reset)? = otherTask, case .code(let code) = reset.step { code } else { nil }
  }

  /// The code of the registration that was sent; `nil` in all other steps.
  public var registrationVerification: CodeVerification? {
    if case .registration(let registration)? = otherTask, case .code(let code) = registration.step {
      return code
    }
    return nil
  }

  /// When the lockout ends; `nil` if there is none.
  public var lockedUntil: Instant? {
    if case .locked(let until, _) = signIn.step { until } else { nil }
  }

  /// There is no text to keep, because the app has its own fields.
  public var email: String { "" }

  /// The app has its own fields.
  public var firstPart: PagePart { .heading }

  public mutating func fillIn(email: String) {}

  public mutating func fillIn(_ callingCode: String) {}

  public mutating func fillIn(signedUp number: PhoneNumber) {}

  public func findsProvider(_ event: Event, _ context: FlowContext) -> Bool { false }

  public mutating func needPassword(_ context: inout FlowContext) -> [AppEffect<NoPage>] {
    isPasswordNeeded = true
    return []
  }

  public var result: IntentResult? {
    switch otherTask {
    case .reset(let reset)?: return reset.result
    case .registration(let registration)?: return registration.result
    case nil: break
    }
    switch signIn.step {
    case .preparing, .submitting, .finished: return nil
    case .idle where isPasswordNeeded: return .refused(.passwordNeeded)
    case .idle: return .refused(notice.map { .notice($0) } ?? .notPossible)
    case .locked(let until, _): return .refused(.locked(until: until))
    case .code(let code):
      if case .codeShownAgain(let reason) = signIn.outcome { return .refused(.notice(reason)) }
      return code.result
    }
  }

  // MARK: Events

  public mutating func handle(_ event: Event, _ context: inout FlowContext) -> [AppEffect<NoPage>] {
    if case .intent(.signIn(let intent, _)) = event { return begin(intent, event, &context) }
    return proceed(event, &context)
  }

  private mutating func begin(
    _ intent: SignInIntent, _ event: Event, _ context: inout FlowContext
  ) -> [AppEffect<NoPage>] {
    switch intent {
    case .enterPassword(let address, let password):
      let effects = leave(&context)
      return effects + signIn.signIn(with: .password(address, password), &context)
    case .sendCode(let phone):
      let effects = leave(&context)
      return effects + signIn.signIn(with: .phone(phone), &context)
    case .requestPasswordReset(let address):
      var reset = PasswordReset<CodeVerification>()
      let effects = leave(&context) + reset.ask(for: address, &context)
      otherTask = .reset(reset)
      follow(reset.outcome, &context)
      return effects
    case .register(let name, let phone):
      var registration = Registration<CodeVerification>()
      let effects = leave(&context) + registration.register(name, phone, &context)
      otherTask = .registration(registration)
      return effects
    // The reason why the last session ended remains.
    case .cancel: return isAtStart ? [] : leave(&context)
    case .openProvider, .findProvider: return leave(&context)
    case .submitCode, .resendCode, .setPassword: return proceed(event, &context)
    case .returnFromProvider: return []
    }
  }

  /// Leaves what is in progress, so that another sign-in can begin.
  private mutating func leave(_ context: inout FlowContext) -> [AppEffect<NoPage>] {
    notice = nil
    isPasswordNeeded = false
    otherTask = nil
    guard case .code = signIn.step else {
      signIn.cancel(&context)
      return []
    }
    let effects = signIn.handle(.intent(.signIn(.cancel, ticket: nil)), &context)
    _ = signIn.takeOutcome()
    return effects
  }

  private mutating func proceed(_ event: Event, _ context: inout FlowContext) -> [AppEffect<NoPage>]
  {
    switch otherTask {
    case .reset(var reset)?:
      // The outcome of the last intent is not that of this one.
      if case .intent = event { _ = reset.takeOutcome() }
      let effects = reset.handle(event, newPassword: Secret(""), &context)
      otherTask = .reset(reset)
      follow(reset.outcome, &context)
      return effects
    case .registration(var registration)?:
      if case .intent = event { _ = registration.takeOutcome() }
      let effects = registration.handle(event, &context)
      otherTask = .registration(registration)
      return effects
    case nil: break
    }
    if case .intent = event { _ = signIn.takeOutcome() }
    let effects = signIn.handle(event, &context)
    if case .failed(let reason)? = signIn.outcome { notice = reason }
    return effects
  }

  private mutating func follow(
    _ outcome: PasswordReset<CodeVerification>.Outcome?, _ context: inout FlowContext
  ) {
    guard case .locked(let until)? = outcome else { return }
    otherTask = nil
    signIn.lock(until, canReset: false, &context)
  }
}

// MARK: - Results

extension CodeVerification: CodeInput {
  public init(_ verification: CodeVerification) { self = verification }

  public var verification: CodeVerification { self }

  public var ending: Ending? {
    if case .ended(let ending)? = outcome { ending } else { nil }
  }

  public func resumed(saying notice: Notice?) -> CodeVerification { resumed() }

  public mutating func handle(
    _ event: AppEvent<NoPage>, newPassword: Secret, _ context: inout FlowContext
  ) -> [AppEffect<NoPage>] {
    switch event {
    case .intent(.signIn(let intent, _)):
      switch intent {
      case .submitCode(let code): return submit(code.revealed, &context).inApp()
      case .setPassword(let password, let code):
        return submit(code.revealed, newPassword: password, &context).inApp()
      case .resendCode: return resend(&context).inApp()
      case .cancel: return leave(&context).inApp()
      case .enterPassword, .sendCode, .openProvider, .findProvider, .returnFromProvider,
        .requestPasswordReset, .register:
        return []
      }
    case .answered(let id, let answer): return answered(id, answer, &context).inApp()
    case .ticked: return tick(&context).inApp()
    case .device(.hidden): return hide(&context).inApp()
    case .device(.shown): show()
    case .started, .page, .signIn, .storage, .session, .device, .home, .intent(.session): break
    }
    return []
  }

  /// The result of the last intent; `nil` while a request is in progress.
  var result: IntentResult? {
    guard activity == .entering else { return nil }
    switch outcome {
    case nil, .codeSent?: return .succeeded
    case .incomplete?: return .refused(.codeIncomplete(digits: prompt.digits))
    case .refused(let attemptsLeft)?: return .refused(.codeRefused(attemptsLeft: attemptsLeft))
    case .superseded?: return .refused(.codeSuperseded)
    case .expired?, .replaced?: return .refused(.codeExpired)
    case .failed(let reason)?: return .refused(.notice(reason))
    case .notNeeded?: return .refused(.notPossible)
    case .ended?: return nil
    }
  }
}

extension PasswordReset where Code == CodeVerification {
  fileprivate var result: IntentResult? {
    switch outcome {
    case .passwordRefused(let fault)?: return .refused(.passwordRefused(fault))
    case .locked(let until)?: return .refused(.locked(until: until))
    case .failed(let reason)?: return .refused(.notice(reason))
    case .finished(.passwordChanged)?: return .passwordSet(from: nil)
    case .finished(.passwordPending(let until))?: return .passwordSet(from: until)
    case .finished(let reason)?: return .refused(.notice(reason))
    case .codeSent?: return .succeeded
    case .left?: return .refused(.notPossible)
    case nil: break
    }
    switch step {
    case .idle: return .refused(.notPossible)
    case .asking: return nil
    case .code(let code): return code.result
    }
  }
}

extension Registration where Code == CodeVerification {
  fileprivate var result: IntentResult? {
    switch outcome {
    case .sent?: return .registered(.waitsForApproval)
    case .approved?: return .registered(.approved)
    case .codeSent?: return .registered(.codeSent)
    case .countryRefused?: return .refused(.countryRefused)
    case .failed(let reason)?: return .refused(.notice(reason))
    case .left?: return .refused(.notPossible)
    case nil: break
    }
    switch step {
    case .idle, .sent, .approved: return .refused(.notPossible)
    case .sending: return nil
    case .code(let code): return code.result
    }
  }
}

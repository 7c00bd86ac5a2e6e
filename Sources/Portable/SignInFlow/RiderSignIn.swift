public import SignInModel
public import SignInWire

/// A rider's sign-in: a mobile number, then the code sent to it.
///
///     number ──▶ sending ──▶ code ──▶ finished      number ⇄ signing up
///       ▲  ▲        │        │  │
///       │  │        ▼        │  ▼
///       │  └time─ locked     │ locked ──time──▶ number
///       └── change, last attempt, expired
public struct RiderSignIn: PhoneSignInForm {
  public indirect enum Step: Equatable, Sendable {
    case enteringNumber
    case sendingCode(Wait)
    case enteringCode(CodeStep)
    case locked(until: Instant)
    case signingUp(RiderRegistration)
    case finished(TokenAnswer)
  }

  public private(set) var step: Step = .enteringNumber
  public private(set) var number = MobileNumber()
  public private(set) var isNumberMalformed = false
  public internal(set) var notice: Notice?
  public private(set) var missing = MissingFields()

  private var verifier = Secret("")
  /// The code that was sent before the person pressed Change.
  ///
  /// It can still be entered.
  private var earlier: CodeStep?

  /// Creates the sign-in.
  ///
  /// `callingCode` is the one to fill in, if the server has already sent it.
  public init(notice: Notice? = nil, callingCode: String? = nil) {
    self.notice = notice
    if let callingCode { fillIn(callingCode) }
  }

  /// Continues a sign-in of an earlier run of the app.
  public init(resuming pending: PendingCodeSignIn, phone: PhoneNumber) {
    number.edit(phone.e164)
    step = .enteringCode(CodeStep(CodeVerification(resuming: pending)))
  }

  /// The sign-in to continue if the app is closed now; `nil` if it does not wait for a code.
  public var pendingCode: PendingCodeSignIn? {
    guard case .enteringCode(let code) = step else { return nil }
    return PendingCodeSignIn(code.verification)
  }

  public var isAtStart: Bool { step == .enteringNumber }

  public var tokens: TokenAnswer? {
    if case .finished(let tokens) = step { tokens } else { nil }
  }

  /// Whether the person can continue in another tab without losing anything here.
  public var isAtRest: Bool {
    if case .enteringCode(let code) = step { return code.verification.isUntouched }
    return step == .enteringNumber
  }

  /// Fills in the country, unless the person has already typed or chosen.
  public mutating func fillIn(_ callingCode: String) { number.fillIn(callingCode) }

  /// Whether the person has done nothing since the sign-out.
  public var isUntouched: Bool { step == .enteringNumber && notice == .signedOut && number.isEmpty }

  public var canSend: Bool { !number.isEmpty }

  public var needsTicks: Bool {
    switch step {
    case .enteringNumber: notice?.changesWithTime ?? false
    case .signingUp(let registration): registration.needsTicks
    case .finished: false
    case .sendingCode, .enteringCode, .locked: true
    }
  }

  public mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    switch (step, event) {
    case (.enteringNumber, .page(let event)): return enterNumber(event, &context)
    case (.sendingCode(let wait), .signIn(.verifierMade(let verifier, let challenge)))
    where wait.request == nil:
      return sendCode(verifier, challenge, since: wait.since, &context)
    case (.sendingCode(let wait), .answered(let id, let answer)) where wait.isFor(id):
      return numberAnswered(answer, &context)
    case (.sendingCode(let wait), .ticked): return wait.announcements(context)
    case (.sendingCode, .page(.buttonPressed(.cancel))): return changeNumber(&context)
    case (.enteringCode(let code), _): return enterCode(event, code, &context)
    case (.locked(let until), .ticked) where until <= context.now: return unlock(&context)
    case (.locked, .page(.buttonPressed(.changeNumber))):
      number.edit("")
      return changeNumber(&context)
    case (.signingUp(let registration), _): return signUp(event, registration, &context)
    case (.enteringNumber, _), (.sendingCode, _), (.locked, _), (.finished, _): return []
    }
  }

  // MARK: Number

  private mutating func enterNumber(_ event: PageEvent, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .fieldEdited(.country, let code):
      number.choose(code.revealed)
      isNumberMalformed = false
    case .fieldEdited(.phone, let text):
      number.edit(text.revealed)
      isNumberMalformed = false
      missing.typed(in: .phone)
    case .bannerDismissed: notice = nil
    case .buttonPressed(.sendCode): return askForCode(&context)
    case .buttonPressed(.signUp):
      notice = nil
      isNumberMalformed = false
      missing = MissingFields()
      step = .signingUp(RiderRegistration(number: number))
      context.moveFocus(to: .name)
    case .fieldEdited, .buttonPressed, .passwordRevealToggled: break
    }
    return []
  }

  private mutating func askForCode(_ context: inout FlowContext) -> [Effect] {
    missing.check([(.phone, number.isEmpty)])
    guard canSend else { return missing.explain(&context) }
    guard number.parsed != nil else {
      isNumberMalformed = true
      context.moveFocus(to: .phone)
      return [.announce(.numberMalformed(number.country))]
    }
    notice = nil
    step = .sendingCode(Wait(request: nil, since: context.now))
    return [.announce(.sendingCode), .makeVerifier]
  }

  private mutating func sendCode(
    _ verifier: Secret, _ challenge: String, since start: Instant, _ context: inout FlowContext
  ) -> [Effect] {
    self.verifier = verifier
    var form = context.signInForm(challenge: challenge)
    form.phoneNumber = number.parsed?.e164
    let (id, effect) = context.startSignIn(form)
    step = .sendingCode(Wait(request: id, since: start))
    return [effect]
  }

  private mutating func numberAnswered(
    _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect] {
    if let phone = number.parsed,
      let verification = CodeVerification(
        answer, for: .signIn(.phone(phone), verifier: verifier), at: context.now)
    {
      earlier = nil
      step = .enteringCode(CodeStep(verification))
      context.moveFocus(to: .code)
      return [.announce(.codeSent(destination: verification.prompt.destination))]
    }
    if let error = answer.error {
      if error.code == .accountLocked { return lock(error.lockEnd(at: context.now), &context) }
      if error.code == .resendTooSoon, let earlier, let phone = number.parsed,
        earlier.verification.isFor(phone), context.now < earlier.verification.prompt.expiresAt
      {
        return beginHandOver(earlier, answer.notice(at: context.now), &context)
      }
    }
    return returnToNumber(answer.notice(at: context.now), &context)
  }

  /// Shows the field of the earlier code again, with the notice.
  ///
  /// That code is still valid.
  private mutating func beginHandOver(
    _ earlier: CodeStep, _ reason: Notice, _ context: inout FlowContext
  ) -> [Effect] {
    step = .enteringCode(earlier.resumed(saying: reason))
    context.moveFocus(to: .code)
    return [.announce(.notice(reason))]
  }

  private mutating func returnToNumber(
    _ reason: Notice, _ context: inout FlowContext
  ) -> [Effect] {
    notice = reason
    step = .enteringNumber
    context.moveFocus(to: .phone)
    return [.announce(.notice(reason))]
  }

  private mutating func changeNumber(_ context: inout FlowContext) -> [Effect] {
    context.forgetCalls()
    notice = nil
    step = .enteringNumber
    context.moveFocus(to: .phone)
    return []
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
    case .ended(let notice): return returnToNumber(notice, &context)
    case .left:
      earlier = code
      return effects + changeNumber(&context)
    }
    return effects
  }

  // MARK: Registration

  private mutating func signUp(
    _ event: Event, _ registration: RiderRegistration, _ context: inout FlowContext
  ) -> [Effect] {
    var registration = registration
    let effects = registration.handle(event, &context)
    if registration.step == .left {
      number = registration.number
      step = .enteringNumber
      context.moveFocus(to: .phone)
    } else {
      step = .signingUp(registration)
    }
    return effects
  }

  // MARK: Lockout

  private mutating func lock(_ until: Instant, _ context: inout FlowContext) -> [Effect] {
    context.forgetCalls()
    earlier = nil
    notice = nil
    step = .locked(until: until)
    context.moveFocus(to: .heading)
    return [.announce(.locked(until: until))]
  }

  private mutating func unlock(_ context: inout FlowContext) -> [Effect] {
    step = .enteringNumber
    context.moveFocus(to: .phone)
    return [.announce(.lockEnded)]
  }
}

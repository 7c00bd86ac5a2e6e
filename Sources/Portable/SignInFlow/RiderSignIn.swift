public import SignInEngine
public import SignInModel
public import SignInWire

/// A rider's form: a mobile number, then the code sent to it.
///
/// `DirectSignIn` decides. The form has the typed number, its error and the banner. The form for a
/// registration can take its place.
public struct RiderSignIn: PhoneSignInForm {
  public indirect enum Step: Equatable, Sendable {
    case enteringNumber
    case sendingCode(Wait)
    case enteringCode(CodeStep)
    case locked(until: Instant)
    case signingUp(RiderRegistration)
    case finished(TokenAnswer)
  }

  public private(set) var number = MobileNumber()
  public private(set) var isNumberMalformed = false
  public private(set) var notice: Notice?
  public private(set) var missing = MissingFields()
  /// The number of the last sign-up on this device; `nil` after a sign-in.
  private var signedUpNumber: PhoneNumber?
  private var registration: RiderRegistration?
  private var signIn = DirectSignIn<CodeStep>()

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
    signIn = DirectSignIn(resuming: pending)
  }

  public var step: Step {
    if let registration { return .signingUp(registration) }
    switch signIn.step {
    case .idle: return .enteringNumber
    case .preparing(_, let since): return .sendingCode(Wait(request: nil, since: since))
    case .submitting(let wait, _, _): return .sendingCode(wait)
    case .code(let code): return .enteringCode(code)
    case .locked(let until, _): return .locked(until: until)
    case .finished(let tokens): return .finished(tokens)
    }
  }

  public var firstPart: PagePart { .phone }

  public var pendingCode: PendingCodeSignIn? { signIn.pendingCode }

  public var isAtStart: Bool { registration == nil && signIn.step == .idle }

  public var tokens: TokenAnswer? { signIn.tokens }

  public var isAtRest: Bool { registration == nil && signIn.isAtRest }

  /// Fills in the country, unless the person has already typed or chosen.
  public mutating func fillIn(_ callingCode: String) { number.fillIn(callingCode) }

  public mutating func fillIn(signedUp phone: PhoneNumber) {
    signedUpNumber = phone
    if number.isEmpty { number.edit(phone.e164) }
  }

  /// Whether the number is the one of the sign-up, which may still wait for approval.
  public var isSignedUp: Bool { signedUpNumber != nil && number.parsed == signedUpNumber }

  /// Whether the person has done nothing since the sign-out.
  public var isUntouched: Bool { isAtStart && notice == .signedOut && number.isEmpty }

  public var canSend: Bool { !number.isEmpty }

  public var needsTicks: Bool {
    if let registration { return registration.needsTicks }
    return isAtStart ? notice?.changesWithTime ?? false : signIn.needsTicks
  }

  public mutating func handle(_ event: Event, _ context: inout FlowContext) -> [PageEffect] {
    if let registration { return signUp(event, registration, &context) }
    switch (signIn.step, event) {
    case (.idle, .page(let event)): return enterNumber(event, &context)
    case (.preparing, .page(.buttonPressed(.cancel))),
      (.submitting, .page(.buttonPressed(.cancel))):
      return changeNumber(&context)
    case (.locked, .page(.buttonPressed(.changeNumber))):
      number.edit("")
      return changeNumber(&context)
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
      context.moveFocus(to: .code)
      return [.report(.codeSent(destination: destination))]
    case .codeShownAgain(let reason):
      context.moveFocus(to: .code)
      return [.report(.notice(reason))]
    case .locked(let until, _):
      notice = nil
      context.moveFocus(to: .heading)
      return [.announce(.locked(until: until))]
    case .lockEnded:
      context.moveFocus(to: .phone)
      return [.announce(.lockEnded)]
    case .failed(let reason):
      notice = reason
      context.moveFocus(to: .phone)
      return [.report(.notice(reason))]
    case .left:
      notice = nil
      context.moveFocus(to: .phone)
      return []
    }
  }

  // MARK: Number

  private mutating func enterNumber(_ event: PageEvent, _ context: inout FlowContext)
    -> [PageEffect]
  {
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
      registration = RiderRegistration(number: number)
      context.moveFocus(to: .name)
    case .fieldEdited, .buttonPressed, .passwordRevealToggled: break
    }
    return []
  }

  private mutating func askForCode(_ context: inout FlowContext) -> [PageEffect] {
    missing.check([(.phone, number.isEmpty)])
    guard canSend else { return missing.explain(&context) }
    guard let phone = number.parsed else {
      isNumberMalformed = true
      context.moveFocus(to: .phone)
      return [.announce(number.refusal)]
    }
    notice = nil
    return [.announce(.sendingCode)] + signIn.signIn(with: .phone(phone), &context)
  }

  private mutating func changeNumber(_ context: inout FlowContext) -> [PageEffect] {
    signIn.cancel(&context)
    notice = nil
    context.moveFocus(to: .phone)
    return []
  }

  // MARK: Registration

  private mutating func signUp(
    _ event: Event, _ registration: RiderRegistration, _ context: inout FlowContext
  ) -> [PageEffect] {
    var registration = registration
    let effects = registration.handle(event, &context)
    if registration.step == .sent { signedUpNumber = registration.number.parsed }
    if registration.step == .approved { signedUpNumber = nil }
    if registration.isLeft {
      number = registration.number
      self.registration = nil
      context.moveFocus(to: .phone)
    } else {
      self.registration = registration
    }
    return effects
  }
}

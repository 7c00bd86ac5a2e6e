public import SignInModel
public import SignInWire

/// A sign-in in the app itself: with a password (T-01) or a mobile number, then a code.
///
///     idle ──▶ preparing ──▶ submitting ──▶ code ──▶ finished
///      ▲ ▲         │          │     │       │  │
///      │ └─────────┴─refused──┘     ▼       │  ▼
///      │         cancelled       locked ◀───┘ left, last attempt, expired ──▶ idle
///      └───────────time────────────┘
///
/// It knows neither fields nor words. A form or the embedding app calls its functions, and takes
/// the outcome of each.
public struct DirectSignIn<Code: CodeInput>: Equatable, Sendable {
  public typealias Event = AppEvent<Code.Page>
  public typealias FlowEffect = AppEffect<Code.Page>

  public enum Credentials: Equatable, Sendable {
    case password(EmailAddress, Secret)
    case phone(PhoneNumber)

    var person: CodeVerification.Person {
      switch self {
      case .password(let address, _): .email(address.text)
      case .phone(let phone): .phone(phone)
      }
    }
  }

  public indirect enum Step: Equatable, Sendable {
    case idle
    /// The code verifier is being made.
    case preparing(Credentials, since: Instant)
    case submitting(Wait, Credentials, verifier: Secret)
    case code(Code)
    /// After a lockout for wrong codes of a reset, the server refuses resets too.
    case locked(until: Instant, canReset: Bool = true)
    case finished(TokenAnswer)
  }

  public enum Outcome: Equatable, Sendable {
    case codeSent(destination: String)
    /// No other code was sent, but the earlier one can still be entered.
    case codeShownAgain(Notice)
    case locked(until: Instant, canReset: Bool)
    case lockEnded
    case failed(Notice)
    case left
  }

  public private(set) var step = Step.idle
  /// The result of the last intent; `nil` while a request is in progress.
  private(set) var outcome: Outcome?
  /// Whose account is locked; `nil` if it is not known.
  private var lockedSubject: KnownLockouts.Subject?
  /// The code that was sent before the person changed the number.
  private var earlier: Code?

  package init() {}

  /// Continues a sign-in of an earlier run of the app.
  package init(resuming pending: PendingCodeSignIn) {
    step = .code(Code(CodeVerification(resuming: pending)))
  }

  /// The sign-in to continue if the app is closed now; `nil` if it does not wait for a code.
  package var pendingCode: PendingCodeSignIn? {
    guard case .code(let code) = step else { return nil }
    return PendingCodeSignIn(code.verification)
  }

  package var tokens: TokenAnswer? {
    if case .finished(let tokens) = step { tokens } else { nil }
  }

  /// Whether the person can continue in another tab without losing anything here.
  package var isAtRest: Bool {
    if case .code(let code) = step { return code.verification.isUntouched }
    return step == .idle
  }

  /// The running first request; `nil` in all other steps.
  package var wait: Wait? {
    switch step {
    case .preparing(_, let since): Wait(request: nil, since: since)
    case .submitting(let wait, _, _): wait
    case .idle, .code, .locked, .finished: nil
    }
  }

  package var needsTicks: Bool {
    switch step {
    case .idle, .finished: false
    case .preparing, .submitting, .code, .locked: true
    }
  }

  /// Returns each outcome once.
  package mutating func takeOutcome() -> Outcome? {
    defer { outcome = nil }
    return outcome
  }

  // MARK: Intents

  /// Begins the sign-in.
  ///
  /// While the verifier is being made, the shell reads the known lockouts.
  package mutating func signIn(
    with credentials: Credentials, _ context: inout FlowContext
  ) -> [FlowEffect] {
    outcome = nil
    step = .preparing(credentials, since: context.now)
    return [.engine(.makeVerifier)]
  }

  package mutating func cancel(_ context: inout FlowContext) {
    context.forgetCalls()
    returnToStart()
  }

  package mutating func returnToStart() {
    step = .idle
    outcome = nil
  }

  /// Shows the lockout of this account if one is known; returns whether there is one.
  package mutating func showLock(of address: EmailAddress, _ context: inout FlowContext) -> Bool {
    showLock(of: .email(address), &context)
  }

  private mutating func showLock(
    of subject: KnownLockouts.Subject?, _ context: inout FlowContext
  ) -> Bool {
    guard let subject, let lockout = context.lockout(of: subject) else { return false }
    lock(lockout.until, canReset: lockout.canReset, &context)
    lockedSubject = subject
    return true
  }

  package mutating func lock(
    _ until: Instant, canReset: Bool = true, _ context: inout FlowContext
  ) {
    context.forgetCalls()
    earlier = nil
    lockedSubject = nil
    step = .locked(until: until, canReset: canReset)
    outcome = .locked(until: until, canReset: canReset)
  }

  /// Shows a lockout that the server has just reported, and remembers it (T-05).
  private mutating func lock(
    _ until: Instant, of subject: KnownLockouts.Subject?, _ context: inout FlowContext
  ) {
    lock(until, &context)
    lockedSubject = subject
    if let subject { context.learnLockout(of: subject, until: until) }
  }

  private mutating func endLock() {
    step = .idle
    outcome = .lockEnded
  }

  // MARK: Events

  package mutating func handle(_ event: Event, _ context: inout FlowContext) -> [FlowEffect] {
    switch (step, event) {
    case (
      .preparing(let credentials, let since), .signIn(.verifierMade(let verifier, let challenge))
    ):
      if showLock(of: credentials.person.lockoutSubject, &context) { return [] }
      return submit(credentials, verifier, challenge, since: since, &context)
    case (.submitting(let wait, let credentials, let verifier), .answered(let id, let answer))
    where wait.isFor(id):
      answered(answer, credentials, verifier, &context)
    // Another tab has learned a lockout, or that there is none any more.
    case (.code(let code), .storage(.lockoutsRead)):
      if code.verification.activity == .entering {
        _ = showLock(of: code.verification.lockoutSubject, &context)
      }
    case (.locked, .storage(.lockoutsRead)):
      if let lockedSubject, context.lockout(of: lockedSubject) == nil { endLock() }
    case (.code(let code), _): return enterCode(event, code, &context)
    case (.locked(let until, _), .ticked) where until <= context.lockoutTime: endLock()
    case (.idle, _), (.preparing, _), (.submitting, _), (.locked, _), (.finished, _): break
    }
    return []
  }

  private mutating func submit(
    _ credentials: Credentials, _ verifier: Secret, _ challenge: String, since: Instant,
    _ context: inout FlowContext
  ) -> [FlowEffect] {
    var form = context.signInForm(challenge: challenge)
    switch credentials {
    case .password(let address, let password):
      form.username = address.text
      form.password = password
    case .phone(let phone): form.phoneNumber = phone.e164
    }
    let (id, effect) = context.startSignIn(form)
    step = .submitting(
      Wait(request: id, since: since), credentials.withoutPassword, verifier: verifier)
    return [.engine(effect)]
  }

  private mutating func answered(
    _ answer: Answer, _ credentials: Credentials, _ verifier: Secret,
    _ context: inout FlowContext
  ) {
    let purpose = CodeVerification.Purpose.signIn(credentials.person, verifier: verifier)
    if let verification = CodeVerification(answer, for: purpose, at: context.now) {
      earlier = nil
      step = .code(Code(verification))
      outcome = .codeSent(destination: verification.prompt.destination)
      return
    }
    let reason = answer.notice(at: context.now)
    if let error = answer.error {
      if error.code == .accountLocked {
        return lock(error.lockEnd(at: context.now), of: credentials.person.lockoutSubject, &context)
      }
      if error.code == .resendTooSoon, let earlier, case .phone(let phone) = credentials,
        earlier.verification.isFor(phone), context.now < earlier.verification.prompt.expiresAt
      {
        step = .code(earlier.resumed(saying: reason))
        outcome = .codeShownAgain(reason)
        return
      }
    }
    step = .idle
    outcome = .failed(reason)
  }

  private mutating func enterCode(
    _ event: Event, _ code: Code, _ context: inout FlowContext
  ) -> [FlowEffect] {
    var code = code
    let effects = code.handle(event, newPassword: Secret(""), &context)
    switch code.ending {
    case nil: step = .code(code)
    case .signedIn(let tokens):
      step = .finished(tokens)
      if let subject = code.verification.lockoutSubject { context.forgetLockout(of: subject) }
    case .locked(let until): lock(until, of: code.verification.lockoutSubject, &context)
    case .ended(let notice):
      step = .idle
      outcome = .failed(notice)
    case .left:
      if code.verification.isNumberTyped { earlier = code }
      cancel(&context)
      outcome = .left
    }
    return effects
  }
}

extension DirectSignIn.Credentials {
  /// Without the password, which is not needed after the first request.
  fileprivate var withoutPassword: Self {
    switch self {
    case .password(let address, _): .password(address, Secret(""))
    case .phone: self
    }
  }
}

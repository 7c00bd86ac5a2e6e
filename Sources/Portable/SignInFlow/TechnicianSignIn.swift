public import SignInModel
public import SignInWire

/// A technician's way in: e-mail and password, then a code by text message (US-075).
///
///     credentials ──▶ submitting ──▶ code ──▶ finished
///       ▲  ▲   │           │          │  │
///       │  │   ▼           ▼          │  ▼
///       │ advice         locked       │ locked ──time──▶ credentials
///       └── back, last try, took too long
public struct TechnicianSignIn: Equatable, Sendable {
  public enum Step: Equatable, Sendable {
    case enteringCredentials
    case submittingCredentials(Wait)
    case enteringCode(CodeStep)
    case locked(until: Instant)
    case readingResetAdvice
    case finished(TokenAnswer)
  }

  public internal(set) var step: Step = .enteringCredentials
  public internal(set) var email = ""
  public internal(set) var password = Secret("")
  public internal(set) var isPasswordRevealed = false
  public internal(set) var isEmailMalformed = false
  public internal(set) var notice: Notice?

  private var verifier = Secret("")
  private var locks = KnownLocks()

  init(notice: Notice? = nil) { self.notice = notice }

  public var canLogIn: Bool { !email.isEmpty && !password.isEmpty }

  var needsTicks: Bool {
    switch step {
    case .enteringCredentials: notice?.changesWithTime ?? false
    case .readingResetAdvice, .finished: false
    case .submittingCredentials, .enteringCode, .locked: true
    }
  }

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    switch step {
    case .enteringCredentials: return enterCredentials(event, &context)
    case .submittingCredentials(let wait): return submitCredentials(event, wait, &context)
    case .enteringCode(let code): return enterCode(event, code, &context)
    case .locked(let until): return stayLocked(event, until, &context)
    case .readingResetAdvice: return readResetAdvice(event, &context)
    case .finished: return []
    }
  }

  // MARK: E-mail and password

  private mutating func enterCredentials(
    _ event: Event, _ context: inout FlowContext
  ) -> [Effect] {
    switch event {
    case .fieldEdited(.email, let text):
      email = text
      isEmailMalformed = false
    case .fieldEdited(.password, let text): password = Secret(text)
    case .passwordRevealToggled: isPasswordRevealed.toggle()
    case .bannerDismissed: notice = nil
    case .buttonPressed(.forgotPassword):
      step = .readingResetAdvice
      context.moveFocus(to: .heading)
    case .buttonPressed(.login): return logIn(&context)
    case .started, .storageRead, .fieldEdited, .buttonPressed, .verifierMade, .answered, .ticked,
      .renewalClaimed, .sessionSaveRefused, .networkReturned, .device, .home:
      break
    }
    return []
  }

  private mutating func logIn(_ context: inout FlowContext) -> [Effect] {
    guard canLogIn else { return [] }
    guard let address = Self.canonical(email) else {
      isEmailMalformed = true
      context.moveFocus(to: .email)
      return [.announce(.emailMalformed)]
    }
    notice = nil
    isPasswordRevealed = false
    // No call while the lock is known (T-05).
    if let until = locks.end(of: address, at: context.now) { return lock(until, &context) }
    step = .submittingCredentials(Wait(request: nil, since: context.now))
    return [.announce(.signingIn), .makeVerifier]
  }

  private mutating func submitCredentials(
    _ event: Event, _ wait: Wait, _ context: inout FlowContext
  ) -> [Effect] {
    switch event {
    case .verifierMade(let verifier, let challenge) where wait.request == nil:
      self.verifier = verifier
      let (id, effect) = context.start(
        .post(
          Endpoint.challenge,
          Form([
            .init("response_type", "code"),
            .init("client_id", context.app.rawValue),
            .init("scope", context.app.scope),
            .init("code_challenge", challenge),
            .init("code_challenge_method", "S256"),
            .init("ui_locales", context.reader.uiLocales),
            .init("username", email),
            .init("password", password.revealed),
          ]),
          .proof
        ))
      step = .submittingCredentials(Wait(request: id, since: wait.since))
      return [effect]
    case .answered(let id, let answer) where wait.isFor(id):
      return credentialsAnswered(answer, &context)
    case .ticked: return wait.announcements(context)
    case .buttonPressed(.cancel):
      context.forgetCalls()
      step = .enteringCredentials
      context.moveFocus(to: .password)
      return []
    case .started, .storageRead, .fieldEdited, .buttonPressed, .passwordRevealToggled,
      .bannerDismissed, .verifierMade, .answered, .renewalClaimed, .sessionSaveRefused,
      .networkReturned, .device, .home:
      return []
    }
  }

  private mutating func credentialsAnswered(
    _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect] {
    if let error = answer.error {
      if let code = CodeStep(error, wayBack: .back) {
        password = Secret("")
        step = .enteringCode(code)
        context.moveFocus(to: .code)
        return [.announce(.codeSent(destination: code.entry.prompt.destination))]
      }
      if error.code == .accountLocked { return lock(error.lockEnd(at: context.now), &context) }
    }
    return returnToCredentials(answer.notice(at: context.now), &context)
  }

  /// Back to the form, which keeps whatever need not be typed again.
  private mutating func returnToCredentials(
    _ reason: Notice, _ context: inout FlowContext
  ) -> [Effect] {
    notice = reason
    if reason.spoilsPassword { password = Secret("") }
    step = .enteringCredentials
    context.moveFocus(to: reason == .accountDeactivated ? .email : .password)
    return [.announce(.notice(reason))]
  }

  // MARK: Code

  private mutating func enterCode(
    _ event: Event, _ code: CodeStep, _ context: inout FlowContext
  ) -> [Effect] {
    var code = code
    let effects = code.handle(event, verifier: verifier, &context)
    switch code.ending {
    case nil: step = .enteringCode(code)
    case .signedIn(let tokens): step = .finished(tokens)
    case .locked(let until): return lock(until, &context)
    case .over(let notice): return returnToCredentials(notice, &context)
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

  // MARK: Locked

  private mutating func lock(_ until: Instant, _ context: inout FlowContext) -> [Effect] {
    context.forgetCalls()
    if let address = Self.canonical(email) { locks.learn(address, until: until, at: context.now) }
    password = Secret("")
    notice = nil
    step = .locked(until: until)
    context.moveFocus(to: .heading)
    return [.announce(.locked(until: until))]
  }

  private mutating func stayLocked(
    _ event: Event, _ until: Instant, _ context: inout FlowContext
  ) -> [Effect] {
    switch event {
    case .ticked where until <= context.now:
      step = .enteringCredentials
      context.moveFocus(to: .password)
      return [.announce(.lockEnded)]
    case .buttonPressed(.forgotPassword):
      step = .readingResetAdvice
      context.moveFocus(to: .heading)
      return []
    case .buttonPressed(.useAnotherAccount):
      email = ""
      step = .enteringCredentials
      context.moveFocus(to: .email)
      return []
    case .started, .storageRead, .fieldEdited, .buttonPressed, .passwordRevealToggled,
      .bannerDismissed, .verifierMade, .answered, .ticked, .renewalClaimed, .sessionSaveRefused,
      .networkReturned, .device, .home:
      return []
    }
  }

  private mutating func readResetAdvice(
    _ event: Event, _ context: inout FlowContext
  ) -> [Effect] {
    guard case .buttonPressed(.back) = event else { return [] }
    if let address = Self.canonical(email), let until = locks.end(of: address, at: context.now) {
      step = .locked(until: until)
      context.moveFocus(to: .heading)
    } else {
      step = .enteringCredentials
      context.moveFocus(to: email.isEmpty ? .email : .password)
    }
    return []
  }

  private static func canonical(_ email: String) -> EmailAddress? {
    do throws(Malformed) { return try EmailAddress(parsing: email) } catch { return nil }
  }
}

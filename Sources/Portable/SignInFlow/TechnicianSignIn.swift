public import SignInModel
public import SignInWire

/// A technician's way in: e-mail and password, then a code by text message (US-075).
///
///     credentials ──▶ submitting ──▶ code ──▶ checking ──▶ redeeming ──▶ finished
///       ▲  ▲   │           │         ▲  │         │
///       │  │   ▼           ▼         │  ▼         ▼
///       │ advice         locked    resending    locked ──time──▶ credentials
///       └──────────── back, last try, took too long ◀────────────┘
public struct TechnicianSignIn: Equatable, Sendable {
  public static let clientID = "technician-app"
  public static let scope = "openid offline_access"

  public enum Step: Equatable, Sendable {
    case enteringCredentials
    case submittingCredentials(Wait)
    case enteringCode(CodeEntry)
    case checkingCode(CodeEntry, Wait)
    case resendingCode(CodeEntry, Wait)
    case redeeming(CodeEntry, Wait)
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
    case .submittingCredentials, .enteringCode, .checkingCode, .resendingCode, .redeeming, .locked:
      true
    }
  }

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    switch step {
    case .enteringCredentials: return enterCredentials(event, &context)
    case .submittingCredentials(let wait): return submitCredentials(event, wait, &context)
    case .enteringCode(let entry): return enterCode(event, entry, &context)
    case .checkingCode(let entry, let wait): return checkCode(event, entry, wait, &context)
    case .resendingCode(let entry, let wait): return resendCode(event, entry, wait, &context)
    case .redeeming(let entry, let wait): return redeem(event, entry, wait, &context)
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
      .renewalClaimed, .sessionSaveRefused, .networkReturned:
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
            .init("client_id", Self.clientID),
            .init("scope", Self.scope),
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
      .networkReturned:
      return []
    }
  }

  private mutating func credentialsAnswered(
    _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect] {
    if let error = answer.error {
      if error.code == .insufficientAuthorization, let prompt = error.challenge,
        let authSession = error.authSession
      {
        password = Secret("")
        step = .enteringCode(CodeEntry(authSession: Secret(authSession), prompt: prompt))
        context.moveFocus(to: .code)
        return [.announce(.codeSent(destination: prompt.destination))]
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
    _ event: Event, _ entry: CodeEntry, _ context: inout FlowContext
  ) -> [Effect] {
    var entry = entry
    switch event {
    case .fieldEdited(.code, let text):
      entry.edit(text)
      step = .enteringCode(entry)
    case .bannerDismissed:
      entry.notice = nil
      step = .enteringCode(entry)
    case .buttonPressed(.verify): return verify(entry, &context)
    case .buttonPressed(.resend): return askForNewCode(entry, &context)
    case .buttonPressed(.back): return goBack(&context)
    case .ticked: return entry.announcements(context)
    case .started, .storageRead, .fieldEdited, .buttonPressed, .passwordRevealToggled,
      .verifierMade, .answered, .renewalClaimed, .sessionSaveRefused, .networkReturned:
      break
    }
    return []
  }

  private mutating func goBack(_ context: inout FlowContext) -> [Effect] {
    context.forgetCalls()
    notice = nil
    step = .enteringCredentials
    context.moveFocus(to: .password)
    return []
  }

  private mutating func verify(_ entry: CodeEntry, _ context: inout FlowContext) -> [Effect] {
    var entry = entry
    entry.notice = nil
    if let code = entry.authorizationCode { return startRedeeming(code, entry, &context) }
    guard entry.isComplete else { return [] }
    let (id, effect) = context.start(
      .post(
        Endpoint.challenge,
        Form([
          .init("client_id", Self.clientID),
          .init("auth_session", entry.authSession.revealed),
          .init("otp", entry.text),
        ]),
        .proof
      ))
    step = .checkingCode(entry, Wait(request: id, since: context.now))
    return [.announce(.checkingCode), effect]
  }

  private mutating func checkCode(
    _ event: Event, _ entry: CodeEntry, _ wait: Wait, _ context: inout FlowContext
  ) -> [Effect] {
    switch event {
    case .answered(let id, let answer) where wait.isFor(id):
      if let code = answer.authorizationCode { return startRedeeming(code, entry, &context) }
      return codeAnswered(answer, entry, &context)
    case .ticked: return wait.announcements(context)
    case .buttonPressed(.back): return goBack(&context)
    case .started, .storageRead, .fieldEdited, .buttonPressed, .passwordRevealToggled,
      .bannerDismissed, .verifierMade, .answered, .renewalClaimed, .sessionSaveRefused,
      .networkReturned:
      return []
    }
  }

  /// An answer to a code or to a resend that is not a success.
  private mutating func codeAnswered(
    _ answer: Answer, _ entry: CodeEntry, _ context: inout FlowContext
  ) -> [Effect] {
    var entry = entry
    if let error = answer.error {
      entry.adopt(error)
      switch error.code {
      case .accountLocked: return lock(error.lockEnd(at: context.now), &context)
      case .invalidOTP where entry.prompt.attemptsLeft <= 0:
        return returnToCredentials(.codeRefused, &context)
      case .invalidOTP, .otpExpired:
        entry.refuse()
        step = .enteringCode(entry)
        context.moveFocus(to: .code)
        return [.announce(.codeRefused(attemptsLeft: entry.attemptsLeftWorthSaying))]
      case .resendTooSoon:
        step = .enteringCode(entry)
        return []
      case .invalidSession, .invalidGrant, .accountDeactivated, .redirectToWeb:
        return returnToCredentials(answer.notice(at: context.now), &context)
      case .insufficientAuthorization, .invalidCredentials, .accountNotRegistered, .rateLimited,
        .deliveryFailed, .temporarilyUnavailable, .invalidRequest, .invalidClient,
        .unauthorizedClient, .unsupportedGrantType, .unsupportedResponseType,
        .unsupportedTokenType, .invalidScope, .invalidToken, .insufficientScope, .invalidProof,
        .passwordTooShort, .passwordTooLong, .passwordTooCommon, .serverError, .accountNotFound,
        .sessionNotFound, .accountExists, .illegalTransition, .ownAccount, .idempotencyKeyReused:
        break
      }
    }
    let reason = answer.notice(at: context.now)
    entry.notice = reason
    step = .enteringCode(entry)
    return [.announce(.notice(reason))]
  }

  // MARK: New code

  private mutating func askForNewCode(
    _ entry: CodeEntry, _ context: inout FlowContext
  ) -> [Effect] {
    guard entry.canResend(at: context.now) else { return [] }
    var entry = entry
    entry.notice = nil
    let (id, effect) = context.start(
      .post(
        Endpoint.challenge,
        Form([
          .init("client_id", Self.clientID),
          .init("auth_session", entry.authSession.revealed),
          .init("resend", "true"),
        ]),
        .proof
      ))
    step = .resendingCode(entry, Wait(request: id, since: context.now))
    return [.announce(.sendingNewCode), effect]
  }

  private mutating func resendCode(
    _ event: Event, _ entry: CodeEntry, _ wait: Wait, _ context: inout FlowContext
  ) -> [Effect] {
    switch event {
    case .answered(let id, let answer) where wait.isFor(id):
      guard let error = answer.error, error.code == .insufficientAuthorization,
        error.challenge != nil
      else { return codeAnswered(answer, entry, &context) }
      var entry = entry
      entry.adopt(error)
      entry.startOver()
      step = .enteringCode(entry)
      context.moveFocus(to: .code)
      return [.announce(.newCodeSent(destination: entry.prompt.destination))]
    case .ticked: return wait.announcements(context)
    case .buttonPressed(.back): return goBack(&context)
    case .started, .storageRead, .fieldEdited, .buttonPressed, .passwordRevealToggled,
      .bannerDismissed, .verifierMade, .answered, .renewalClaimed, .sessionSaveRefused,
      .networkReturned:
      return []
    }
  }

  // MARK: Tokens

  /// The code stays in the entry, so that a lost answer can be asked for again by Verify.
  private mutating func startRedeeming(
    _ code: Secret, _ entry: CodeEntry, _ context: inout FlowContext
  ) -> [Effect] {
    var entry = entry
    entry.authorizationCode = code
    let (id, effect) = context.start(
      .post(
        Endpoint.token,
        Form([
          .init("grant_type", "authorization_code"),
          .init("code", code.revealed),
          .init("code_verifier", verifier.revealed),
          .init("client_id", Self.clientID),
        ]),
        .proof
      ))
    step = .redeeming(entry, Wait(request: id, since: context.now))
    return [effect]
  }

  private mutating func redeem(
    _ event: Event, _ entry: CodeEntry, _ wait: Wait, _ context: inout FlowContext
  ) -> [Effect] {
    switch event {
    case .answered(let id, let answer) where wait.isFor(id):
      if let body = answer.success, let tokens = TokenAnswer(json: body) {
        step = .finished(tokens)
        return []
      }
      return codeAnswered(answer, entry, &context)
    case .ticked: return wait.announcements(context)
    case .buttonPressed(.back): return goBack(&context)
    case .started, .storageRead, .fieldEdited, .buttonPressed, .passwordRevealToggled,
      .bannerDismissed, .verifierMade, .answered, .renewalClaimed, .sessionSaveRefused,
      .networkReturned:
      return []
    }
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
      .networkReturned:
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

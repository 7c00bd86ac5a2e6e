public import SignInModel
import SignInWire

/// A sign-in at an identity provider, in a browser (P-02, P-10).
///
///     preparing ──▶ requesting ──▶ saving ──▶ in browser ──▶ redeeming ──▶ finished
///         │             │             │            │          │  ▲   │
///         ▼             ▼             ▼            ▼          ▼  │   ▼
///         └──────── the form, with a notice ───────┘        waiting  code ──▶ finished
///
/// The web app is closed while the browser is at the provider, so that its next run begins with
/// redeeming.
public struct ProviderSignIn<Code: CodeInput>: Equatable, Sendable {
  public typealias Event = AppEvent<Code.Page>
  public typealias FlowEffect = AppEffect<Code.Page>

  public enum Step: Equatable, Sendable {
    /// The code verifier is being made.
    case preparing(since: Instant)
    case requesting(Wait)
    /// The sign-in is being stored, before the browser opens this address.
    case saving(address: String)
    case inBrowser(address: String)
    case redeeming(Wait)
    /// There was no answer for a reason that passes, and the code is still valid.
    case waiting(Notice)
    /// The organization requires a code of this server too.
    indirect case enteringCode(Code)
  }

  enum Outcome: Equatable, Sendable {
    case codeSent(destination: String)
    /// The result of the browser must be sent again.
    case waiting(Notice)
  }

  enum Ending: Equatable, Sendable {
    case finished(TokenAnswer)
    /// Back to the form.
    case left(Notice?)
    /// No provider belongs to the domain, so the person needs a password.
    case needsPassword
  }

  public private(set) var step: Step
  /// What the person had typed in the form, and must not type again.
  let email: String
  private(set) var ending: Ending?
  private(set) var outcome: Outcome?
  private(set) var pending: PendingProviderSignIn
  private var code = Secret("")

  /// Starts a sign-in; without a provider, the domain of the address decides which one it is.
  init(at provider: AppEntry.Provider?, email: String, at now: Instant) {
    self.email = email
    step = .preparing(since: now)
    pending = PendingProviderSignIn(
      provider: provider?.name, label: provider?.label,
      expiresAt: now.adding(seconds: PendingProviderSignIn.seconds))
  }

  /// Continues a sign-in with the result of the browser.
  init(
    completing pending: PendingProviderSignIn, with code: Secret, at now: Instant
  ) {
    email = ""
    step = .preparing(since: now)
    self.pending = pending
    self.code = code
  }

  /// Continues a sign-in of an earlier run of the app that waits for a code.
  init(resuming stored: PendingCodeSignIn, of pending: PendingProviderSignIn) {
    email = ""
    self.pending = pending
    step = .enteringCode(Code(CodeVerification(resuming: stored)))
  }

  /// The sign-in to continue if the app is closed now; `nil` if it does not wait for a code.
  var pendingCode: PendingCodeSignIn? {
    guard case .enteringCode(let code) = step else { return nil }
    return PendingCodeSignIn(code.verification)
  }

  /// The provider's name for people; `nil` if the e-mail address decided.
  public var label: String? { pending.label }

  var needsTicks: Bool {
    switch step {
    case .preparing, .saving, .inBrowser, .waiting: false
    case .requesting, .redeeming, .enteringCode: true
    }
  }

  /// Whether the browser is open, or its result must be sent again.
  var isAway: Bool {
    switch step {
    case .inBrowser, .waiting: true
    case .preparing, .requesting, .saving, .redeeming, .enteringCode: false
    }
  }

  /// The request that the person waits for, without those about a code.
  var wait: Wait? {
    switch step {
    case .requesting(let wait), .redeeming(let wait): wait
    case .preparing, .saving, .inBrowser, .waiting, .enteringCode: nil
    }
  }

  /// The result of the last intent; `nil` while a request is in progress.
  var result: IntentResult? {
    switch step {
    case .preparing, .requesting, .saving, .redeeming: nil
    case .inBrowser: .succeeded
    case .waiting(let notice): .refused(.notice(notice))
    case .enteringCode(let code): code.verification.result
    }
  }

  /// Returns each outcome once.
  mutating func takeOutcome() -> Outcome? {
    defer { outcome = nil }
    return outcome
  }

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [FlowEffect] {
    switch step {
    case .preparing(let since):
      guard case .signIn(.verifierMade(let verifier, let challenge)) = event else { return [] }
      return request(verifier, challenge, since: since, &context)
    case .requesting(let wait):
      if case .answered(let id, let answer) = event, wait.isFor(id) {
        return requestAnswered(answer, context)
      }
    case .saving(let address):
      guard case .storage(.pendingSignInSaved(let isSaved)) = event else { return [] }
      guard isSaved else {
        ending = .left(.atProvider(.notStored))
        return []
      }
      step = .inBrowser(address: address)
      return [.engine(.openBrowser(address))]
    case .inBrowser:
      // The person came back without a result. It can still arrive.
      if event.isDevice(.shown) { ending = .left(.atProvider(.interrupted)) }
    case .redeeming(let wait):
      if case .answered(let id, let answer) = event, wait.isFor(id) {
        return redemptionAnswered(answer, context)
      }
    case .waiting: break
    case .enteringCode(let code): return enterCode(event, code, &context)
    }
    return []
  }

  mutating func cancel(_ context: inout FlowContext) -> [FlowEffect] {
    context.forgetCalls()
    return end(nil)
  }

  /// Leaves the sign-in, which cannot be continued any more.
  private mutating func end(_ notice: Notice?) -> [FlowEffect] {
    ending = .left(notice)
    guard pending.isStored else { return [] }
    pending.isStored = false
    return [.engine(.erasePendingSignIn)]
  }

  // MARK: Before the browser

  private mutating func request(
    _ verifier: Secret, _ challenge: String, since: Instant, _ context: inout FlowContext
  ) -> [FlowEffect] {
    pending.verifier = verifier
    // Only this device and the server know the challenge, and each sign-in has another one.
    pending.state = challenge
    var form = context.signInForm(challenge: challenge)
    form.state = challenge
    form.provider = pending.provider
    if pending.provider == nil { form.username = email }
    form.redirectURI = context.app.redirectURI
    let (id, effect) = context.startSignIn(form)
    step = .requesting(Wait(request: id, since: since))
    return [.engine(effect)]
  }

  private mutating func requestAnswered(_ answer: Answer, _ context: FlowContext) -> [FlowEffect] {
    if let error = answer.error, error.code == .redirectToWeb, let requestURI = error.requestURI {
      let query = AuthorizationQuery {
        $0.clientID = context.app.clientID
        $0.requestURI = requestURI
      }.form
      pending.isStored = true
      step = .saving(address: Endpoint.authorize.path + "?" + query.encoded)
      return [.engine(.savePendingSignIn(pending.text))]
    }
    guard answer.error?.code == .invalidRequest else {
      ending = .left(answer.notice(at: context.now))
      return []
    }
    ending = pending.provider == nil ? .needsPassword : .left(.atProvider(.misconfigured))
    return []
  }

  // MARK: After the browser

  /// Exchanges the authorization code, with which the browser came back, for tokens.
  mutating func redeem(_ context: inout FlowContext) -> [FlowEffect] {
    let (id, effect) = context.start(.redeem(code, pending.verifier, context))
    step = .redeeming(Wait(request: id, since: context.now))
    return [.engine(effect)]
  }

  private mutating func redemptionAnswered(
    _ answer: Answer, _ context: FlowContext
  ) -> [FlowEffect] {
    if let body = answer.success, let tokens = TokenAnswer(json: body) {
      ending = .finished(tokens)
      return []
    }
    let purpose = CodeVerification.Purpose.signIn(.provider(pending), verifier: pending.verifier)
    if let verification = CodeVerification(answer, for: purpose, at: context.now) {
      step = .enteringCode(Code(verification))
      outcome = .codeSent(destination: verification.prompt.destination)
      return []
    }
    let reason = answer.notice(at: context.now)
    switch reason {
    case .noConnection, .serviceUnreachable, .noAnswerInTime, .serviceBusy, .serverFault,
      .rateLimited:
      step = .waiting(reason)
      outcome = .waiting(reason)
      return []
    default: return end(reason)
    }
  }

  private mutating func enterCode(
    _ event: Event, _ code: Code, _ context: inout FlowContext
  ) -> [FlowEffect] {
    var code = code
    let effects = code.handle(event, newPassword: Secret(""), &context)
    switch code.ending {
    case nil: step = .enteringCode(code)
    case .signedIn(let tokens): ending = .finished(tokens)
    case .locked(let until): return effects + end(.session(.lockedOut(until: until)))
    case .ended(let notice): return effects + end(notice)
    case .left: return effects + cancel(&context)
    }
    return effects
  }
}

import JSONText
public import SignInModel
public import SignInWire

/// A code that the server has sent, until it is exchanged.
///
/// All sign-ins, the reset of a password and the registration use it.
///
///     entering ──▶ checking ──▶ redeeming ──▶ signed in
///      ▲ ▲  │          │            │
///      │ │  ▼          ▼            ▼
///      │ resending    wrong, expired, no network
///      └───────────────┘
///
/// It also ends with a lockout, with an error after which the person must start again, and when the
/// person leaves.
public struct CodeVerification: Equatable, Sendable {
  /// Whose sign-in it is.
  enum Person: Equatable, Sendable {
    case email(String)
    case phone(PhoneNumber)
    /// A sign-in at a provider that needs a code too.
    case provider(PendingProviderSignIn)

    /// Whose lockout concerns the sign-in; `nil` if the provider has not said who it is.
    var lockoutSubject: KnownLockouts.Subject? {
      switch self {
      case .email(let email): EmailAddress(typed: email).map { .email($0) }
      case .phone(let phone): .phone(phone)
      case .provider: nil
      }
    }
  }

  /// What a right code is exchanged for.
  enum Purpose: Equatable, Sendable {
    /// Tokens, with the verifier of the code challenge that the sign-in began with (RFC 7636).
    case signIn(Person, verifier: Secret)
    /// The right to set a password; the owner handles the answer (T-11).
    case newPassword(username: String)
    /// The status of a new account; the owner handles the answer.
    case registration(PersonName, PhoneNumber)
  }

  public enum Activity: Equatable, Sendable {
    case entering
    case checking(Wait)
    case resending(Wait, byCall: Bool = false)
    case redeeming(Wait)

    /// The running request; `nil` while the person can enter a code.
    package var wait: Wait? {
      switch self {
      case .entering: nil
      case .checking(let wait), .resending(let wait, _), .redeeming(let wait): wait
      }
    }
  }

  /// How the verification ends.
  public enum Ending: Equatable, Sendable {
    case signedIn(TokenAnswer)
    case locked(until: Instant)
    /// The person must start again, and the notice says why.
    case ended(Notice)
    case left
  }

  /// What an intent or an answer led to.
  public enum Outcome: Equatable, Sendable {
    /// Another code was sent, or the server reads it out in a call.
    case codeSent
    /// The text has not as many digits as the code, so it was not sent.
    case incomplete
    case refused(attemptsLeft: Int64)
    case expired
    /// It is an earlier code, and a newer one is on its way.
    case superseded
    /// A code for another device replaced this one.
    case replaced
    /// The same code can be entered again.
    case failed(Notice)
    /// The code was right and only the tokens are missing, so no other code is needed.
    case notNeeded
    case ended(Ending)
  }

  let purpose: Purpose
  private(set) var code: OpenCode
  public private(set) var activity = Activity.entering
  private(set) var watch: DeliveryWatch
  /// Whether an earlier run of the app began this step, and the person has done nothing since.
  package var isUntouched = false
  /// The result of the last intent; `nil` while a request is in progress.
  private(set) var outcome: Outcome?

  /// `nil` if the answer contains no code.
  init?(_ answer: Answer, for purpose: Purpose, at now: Instant) {
    guard let sent = answer.sentCode() else { return nil }
    self.purpose = purpose
    code = OpenCode(sent, at: now)
    watch =
      answer.success == nil
      ? DeliveryWatch(of: sent.prompt, at: now) : .concealed(of: sent.prompt, at: now)
  }

  /// The verification of an earlier run of the app.
  init(resuming pending: PendingCodeSignIn) {
    let stored = pending.stored
    purpose = .signIn(pending.person, verifier: pending.verifier)
    code = stored.code
    watch =
      stored.isConcealed
      ? DeliveryWatch.concealed(of: code.prompt, at: stored.sentAt)
      : DeliveryWatch(of: code.prompt, at: stored.sentAt)
    isUntouched = true
  }

  public var prompt: CodePrompt { code.prompt }

  /// Whether the person typed the number that the code was sent to.
  public var isNumberTyped: Bool {
    if case .signIn(.phone, _) = purpose { true } else { false }
  }

  /// Whether the code is for a new password.
  package var isForNewPassword: Bool {
    if case .newPassword = purpose { true } else { false }
  }

  /// The delivery status that the server sent last; `nil` until then.
  package var toldDelivery: CodePrompt.Delivery? { watch.told }

  /// When the message is late if there is no update.
  package var overdueAt: Instant { watch.overdueAt }

  /// Whose lockout concerns this code; `nil` if it is not known.
  var lockoutSubject: KnownLockouts.Subject? {
    switch purpose {
    case .signIn(let person, _): person.lockoutSubject
    case .newPassword(let username): EmailAddress(typed: username).map { .email($0) }
    // Wrong codes of a registration lock no sign-in.
    case .registration: nil
    }
  }

  func isFor(_ phone: PhoneNumber) -> Bool {
    if case .signIn(.phone(phone), _) = purpose { true } else { false }
  }

  /// The delivery status of the message, if it is known and the code is still needed.
  public func delivery(at now: Instant) -> DeliveryUpdate? {
    guard code.isNeeded, now < prompt.expiresAt else { return nil }
    return update(at: now)
  }

  /// The delivery status of the message, also if the code is not needed any more.
  package func update(at now: Instant) -> DeliveryUpdate? {
    var update = watch.update(at: now)
    update?.canChangeNumber = isNumberTyped
    return update
  }

  /// Whether the code has expired and is still needed.
  package func hasExpired(at now: Instant) -> Bool { code.hasExpired(at: now) }

  public func canResend(at now: Instant) -> Bool { code.canResend(at: now) }

  /// Whether the server can call the phone now and read a code out.
  public func canCall(at now: Instant) -> Bool { watch.canCall && canResend(at: now) }

  /// Whether the digits can be submitted.
  public func accepts(_ digits: String) -> Bool { code.accepts(digits) }

  /// The digits of a typed or pasted text in ASCII, up to the length of the code.
  package func digits(of text: String) -> String { code.digits(of: text) }

  package func isAsking(_ id: RequestID) -> Bool { watch.isFor(id) }

  func isChecking(_ id: RequestID) -> Bool {
    if case .checking(let wait) = activity { wait.isFor(id) } else { false }
  }

  /// The same verification, ready for the same code again.
  package func resumed() -> CodeVerification {
    var verification = self
    verification.activity = .entering
    verification.outcome = nil
    return verification
  }

  /// Returns each outcome once.
  package mutating func takeOutcome() -> Outcome? {
    defer { outcome = nil }
    return outcome
  }

  // MARK: Intents

  /// Sends the code, and for a reset the new password.
  ///
  /// If the code was right before and the answer to the next request was lost, only that request is
  /// sent again.
  package mutating func submit(
    _ typed: String, newPassword: Secret = Secret(""), _ context: inout FlowContext
  ) -> [Effect] {
    guard activity == .entering else { return [] }
    begin()
    let digits = code.digits(of: typed)
    guard code.accepts(digits) else {
      outcome = .incomplete
      return []
    }
    let pause = watch.pause(&context)
    let call: Call
    switch purpose {
    case .signIn(_, let verifier):
      if let right = code.authorizationCode { return pause + redeem(right, verifier, &context) }
      var form = stepForm(context)
      form.otp = Secret(digits)
      call = .post(.challenge, form.form, .proof)
    case .newPassword:
      let form = ResetPasswordForm {
        $0.resetSession = code.session
        $0.otp = Secret(digits)
        $0.password = newPassword
      }
      call = .post(.resetPassword, form.form, .proof)
    case .registration:
      let form = RegistrationCodeForm {
        $0.registrationSession = code.session
        $0.otp = Secret(digits)
      }
      call = .post(.verifyRegistration, form.form, .proof)
    }
    let (id, effect) = context.start(call)
    activity = .checking(Wait(request: id, since: context.now))
    return pause + [effect]
  }

  /// Requests another code, or a call in which the server reads it out.
  package mutating func resend(byCall: Bool = false, _ context: inout FlowContext) -> [Effect] {
    guard activity == .entering, !byCall || watch.canCall else { return [] }
    begin()
    guard canResend(at: context.now) else {
      let tooSoon = Outcome.failed(.codeTooSoon(until: prompt.resendAt))
      outcome = code.isNeeded ? tooSoon : .notNeeded
      return []
    }
    let pause = watch.pause(&context)
    let call: Call
    switch purpose {
    case .signIn:
      var form = stepForm(context)
      form.resend = true
      form.channel = byCall ? CodePrompt.voice : nil
      call = .post(.challenge, form.form, .proof)
    case .newPassword(let username): call = .forgotPassword(of: username, context)
    case .registration(let name, let phone): call = .register(name, phone, context)
    }
    let (id, effect) = context.start(call)
    activity = .resending(Wait(request: id, since: context.now), byCall: byCall)
    return pause + [effect]
  }

  package mutating func leave(_ context: inout FlowContext) -> [Effect] {
    outcome = .ended(.left)
    return watch.pause(&context)
  }

  private mutating func begin() {
    isUntouched = false
    outcome = nil
  }

  /// The fields that every further request of this sign-in has.
  private func stepForm(_ context: FlowContext) -> ChallengeForm {
    var form = ChallengeForm()
    form.clientID = context.app.clientID
    form.authSession = code.session
    form.uiLocales = context.locale.uiLocales
    return form
  }

  /// Exchanges the authorization code for tokens.
  ///
  /// The code is kept. If the answer is lost, the next submission sends the request again.
  private mutating func redeem(
    _ right: Secret, _ verifier: Secret, _ context: inout FlowContext
  ) -> [Effect] {
    code.authorizationCode = right
    let (id, effect) = context.start(.redeem(right, verifier, context))
    activity = .redeeming(Wait(request: id, since: context.now))
    return [effect]
  }

  // MARK: Delivery status

  package mutating func hide(_ context: inout FlowContext) -> [Effect] { watch.hide(&context) }

  package mutating func show() { watch.show() }

  /// Requests the delivery status when it is due, unless another request is in progress.
  package mutating func tick(_ context: inout FlowContext) -> [Effect] {
    guard activity == .entering else { return [] }
    var form = stepForm(context)
    form.status = true
    var call = Call.post(.challenge, form.form, .proof)
    call.timeoutSeconds = DeliveryWatch.timeoutSeconds
    return watch.tick(call, until: prompt.expiresAt, &context)
  }

  private mutating func statusAnswered(_ answer: Answer, _ context: FlowContext) {
    if let known = watch.answered(answer, at: context.now) {
      code.prompt.resendAt = known.resendAt
      code.prompt.channel = known.channel
    }
    guard let error = answer.error, error.code == .otpExpired else { return }
    code.adopt(error)
    outcome = error.superseded == nil ? .expired : .replaced
  }

  // MARK: Answers

  package mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect] {
    if watch.isFor(id) {
      statusAnswered(answer, context)
      return []
    }
    guard let wait = activity.wait, wait.isFor(id) else { return [] }
    switch activity {
    case .entering: return []
    case .checking:
      if let right = answer.authorizationCode, case .signIn(_, let verifier) = purpose {
        return redeem(right, verifier, &context)
      }
    case .resending:
      if let sent = answer.sentCode(in: code.session) {
        startOver(sent, at: context.now)
        return []
      }
    case .redeeming:
      if let body = answer.success, let tokens = TokenAnswer(json: body) {
        outcome = .ended(.signedIn(tokens))
        return []
      }
    }
    activity = .entering
    outcome = fail(answer, context)
    return []
  }

  private mutating func startOver(_ sent: SentCode, at now: Instant) {
    activity = .entering
    code.replace(with: sent)
    watch = watch.next(prompt, at: now)
    outcome = .codeSent
  }

  private mutating func fail(_ answer: Answer, _ context: FlowContext) -> Outcome {
    let reason = answer.notice(at: context.now)
    guard let error = answer.error else { return .failed(reason) }
    code.adopt(error)
    switch SignInRefusal(error.code) {
    case .accountLocked: return .ended(.locked(until: error.lockEnd(at: context.now)))
    case .invalidOTP where prompt.attemptsLeft <= 0: return .ended(.ended(.codeRefused))
    case .otpExpired where error.superseded == .byNewerCode: return .superseded
    case .otpExpired where error.superseded == .byAnotherDevice: return .replaced
    case .otpExpired where context.app.distinguishesExpiry: return .expired
    case .invalidOTP, .otpExpired: return .refused(attemptsLeft: prompt.attemptsLeft)
    case .invalidSession, .invalidGrant, .accountDeactivated, .accountPending,
      .accountNotRegistered, .redirectToWeb:
      return .ended(.ended(reason))
    case .invalidCredentials, .resendTooSoon, .rateLimited, .deliveryFailed,
      .temporarilyUnavailable, nil:
      return .failed(reason)
    }
  }
}

extension Call {
  /// Exchanges an authorization code for tokens.
  static func redeem(_ code: Secret, _ verifier: Secret, _ context: FlowContext) -> Call {
    let form = TokenForm(clientID: context.app.clientID, code: code, verifier: verifier)
    return .post(.token, form.form, .proof)
  }

  static func register(
    _ name: PersonName, _ phone: PhoneNumber, _ context: FlowContext
  ) -> Call {
    let form = RegistrationForm {
      $0.clientID = context.app.clientID
      $0.phoneNumber = phone.e164
      $0.name = name.text
      $0.uiLocales = context.locale.uiLocales
    }
    return .post(.accounts, form.form, .proof)
  }

  static func forgotPassword(of username: String, _ context: FlowContext) -> Call {
    let form = ForgotPasswordForm {
      $0.clientID = context.app.clientID
      $0.username = username
      $0.uiLocales = context.locale.uiLocales
    }
    return .post(.forgotPassword, form.form, .proof)
  }
}

import JSONText
public import SignInModel
import SignInWire

/// The step in which the person enters a code that was sent; all sign-ins and the reset use it.
///
///     entering ──▶ checking ──▶ redeeming ──▶ signed in
///      ▲ ▲  │          │            │
///      │ │  ▼          ▼            ▼
///      │ resending    wrong, expired, no network
///      └───────────────┘
///
/// It also ends with a lockout, with an error after which the person must start again, and with
/// Back.
public struct CodeStep: Equatable, Sendable {
  /// What a right code is exchanged for.
  enum Purpose {
    /// The verifier of the code challenge that the sign-in began with (RFC 7636).
    case tokens(verifier: Secret)
    /// The caller handles the answer to this request (T-11).
    case newPassword(Secret, username: String)
  }

  public enum Activity: Equatable, Sendable {
    case entering
    case checking(Wait)
    case resending(Wait, byCall: Bool = false)
    case redeeming(Wait)

    /// The running request; `nil` while the person can type.
    var wait: Wait? {
      switch self {
      case .entering: nil
      case .checking(let wait), .resending(let wait, _), .redeeming(let wait): wait
      }
    }
  }

  enum Ending: Equatable, Sendable {
    case signedIn(TokenAnswer)
    case locked(until: Instant)
    /// The person must start again, and the notice says why.
    case ended(Notice)
    case left
  }

  public private(set) var entry: CodeEntry
  public private(set) var activity = Activity.entering
  /// The button that leaves this step.
  public let wayBack: ButtonName
  private(set) var ending: Ending?
  private(set) var watch: DeliveryWatch
  /// The server has forgotten the sign-in at this moment.
  let openUntil: Instant
  /// Whether an earlier run of the app began this step, and the person has done nothing since.
  var isUntouched = false

  /// `nil` if the answer contains no challenge.
  init?(_ answer: Answer, wayBack: ButtonName, at now: Instant) {
    guard let entry = answer.sentCode() else { return nil }
    let watch =
      answer.success == nil
      ? DeliveryWatch(of: entry.prompt, at: now) : .concealed(of: entry.prompt, at: now)
    let end = now.adding(seconds: Self.openSeconds)
    self.init(entry, watch, wayBack: wayBack, openUntil: end)
  }

  init(_ entry: CodeEntry, _ watch: DeliveryWatch, wayBack: ButtonName, openUntil: Instant) {
    self.entry = entry
    self.watch = watch
    self.wayBack = wayBack
    self.openUntil = openUntil
  }

  /// The delivery status of the message, if it is known and the code is still needed.
  public func delivery(at now: Instant) -> DeliveryUpdate? {
    guard entry.authorizationCode == nil, now < entry.prompt.expiresAt else { return nil }
    var update = watch.update(at: now)
    update?.canChangeNumber = wayBack == .changeNumber
    return update
  }

  /// Whether the server can call the phone now and read a code out.
  public func canCall(at now: Instant) -> Bool { watch.canCall && entry.canResend(at: now) }

  /// The same step, ready to enter the same code again.
  func resumed(saying notice: Notice?) -> CodeStep {
    var step = self
    step.activity = .entering
    step.ending = nil
    step.entry.notice = notice
    return step
  }

  func isAsking(_ id: RequestID) -> Bool { watch.isFor(id) }

  func isChecking(_ id: RequestID) -> Bool {
    if case .checking(let wait) = activity { wait.isFor(id) } else { false }
  }

  mutating func handle(
    _ event: Event, for purpose: Purpose, _ context: inout FlowContext
  ) -> [Effect] {
    if case .page = event { isUntouched = false }
    switch (activity.wait, event) {
    case (_, .page(.buttonPressed(wayBack))):
      ending = .left
      return watch.pause(&context)
    case (_, .device(.hidden)): return watch.hide(&context)
    case (_, .device(.shown)): watch.show()
    case (nil, .page(let event)): return enter(event, purpose, &context)
    case (nil, .ticked): return entry.announcements(context) + watchDelivery(&context)
    case (nil, .answered(let id, let answer)) where watch.isFor(id):
      return deliveryAnswered(answer, &context)
    case (let wait?, .answered(let id, let answer)) where wait.isFor(id):
      return answered(answer, purpose, &context)
    case (let wait?, .ticked): return wait.announcements(context)
    case (nil, _), (_?, _): break
    }
    return []
  }

  private mutating func enter(
    _ event: PageEvent, _ purpose: Purpose, _ context: inout FlowContext
  ) -> [Effect] {
    switch event {
    case .fieldEdited(.code, let text): entry.edit(text.revealed)
    case .bannerDismissed: entry.notice = nil
    case .buttonPressed(.verify): return verify(purpose, &context)
    case .buttonPressed(.resend): return resend(purpose, byCall: false, &context)
    case .buttonPressed(.callInstead) where watch.canCall:
      return resend(purpose, byCall: true, &context)
    case .fieldEdited, .buttonPressed, .passwordRevealToggled: break
    }
    return []
  }

  // MARK: Delivery status

  private mutating func watchDelivery(_ context: inout FlowContext) -> [Effect] {
    var form = stepForm(context)
    form.status = true
    var call = Call.post(.challenge, form.form, .proof)
    call.timeoutSeconds = DeliveryWatch.timeoutSeconds
    return watch.tick(call, until: entry.prompt.expiresAt, &context).map(withWay)
  }

  private mutating func deliveryAnswered(
    _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect] {
    let (prompt, effects) = watch.answered(answer, &context)
    if let prompt { entry.adopt(prompt) }
    if let error = answer.error, error.code == .otpExpired { return replaced(error, &context) }
    return effects.map(withWay)
  }

  /// A code for another device replaced the code of this screen.
  private mutating func replaced(
    _ error: Refusal, _ context: inout FlowContext
  ) -> [Effect] {
    entry.adopt(error)
    entry.expire()
    return [.announce(.codeExpired)]
  }

  /// A screen reader must say the same as the screen shows.
  private func withWay(_ effect: Effect) -> Effect {
    guard case .announce(.delivery(var update)) = effect else { return effect }
    update.canChangeNumber = wayBack == .changeNumber
    return .announce(.delivery(update))
  }

  // MARK: Requests

  private mutating func verify(
    _ purpose: Purpose, _ context: inout FlowContext
  ) -> [Effect] {
    guard entry.isComplete else {
      entry.markIncomplete()
      context.moveFocus(to: .code)
      let digits = entry.prompt.digits
      let isEmpty = entry.text.isEmpty
      return [.announce(isEmpty ? .fieldsMissing([.code]) : .codeIncomplete(digits: digits))]
    }
    entry.notice = nil
    let pause = watch.pause(&context)
    let (call, announcement): (Call, Announcement)
    switch purpose {
    case .tokens(let verifier):
      if let code = entry.authorizationCode { return pause + redeem(code, verifier, &context) }
      var form = stepForm(context)
      form.otp = Secret(entry.text)
      (call, announcement) = (.post(.challenge, form.form, .proof), .checkingCode)
    case .newPassword(let password, _):
      (call, announcement) = (reset(to: password), .changingPassword)
    }
    let (id, effect) = context.start(call)
    activity = .checking(Wait(request: id, since: context.now))
    return pause + [.announce(announcement), effect]
  }

  private mutating func resend(
    _ purpose: Purpose, byCall: Bool, _ context: inout FlowContext
  ) -> [Effect] {
    guard entry.canResend(at: context.now) else { return [] }
    entry.notice = nil
    let pause = watch.pause(&context)
    let call: Call
    switch purpose {
    case .tokens:
      var form = stepForm(context)
      form.resend = true
      form.channel = byCall ? CodePrompt.voice : nil
      call = .post(.challenge, form.form, .proof)
    case .newPassword(_, let username): call = .forgotPassword(of: username, context)
    }
    let (id, effect) = context.start(call)
    activity = .resending(Wait(request: id, since: context.now), byCall: byCall)
    return pause + [.announce(byCall ? .calling : .sendingNewCode), effect]
  }

  /// The fields that every further request of this sign-in has.
  private func stepForm(_ context: FlowContext) -> ChallengeForm {
    var form = ChallengeForm()
    form.clientID = context.app.clientID
    form.authSession = entry.session
    form.uiLocales = context.locale.uiLocales
    return form
  }

  private func reset(to password: Secret) -> Call {
    let form = ResetPasswordForm {
      $0.resetSession = entry.session
      $0.otp = Secret(entry.text)
      $0.password = password
    }
    return .post(.resetPassword, form.form, .proof)
  }

  /// Exchanges the authorization code for tokens.
  ///
  /// The code stays in the entry. If the answer is lost, Verify sends the request again.
  private mutating func redeem(
    _ code: Secret, _ verifier: Secret, _ context: inout FlowContext
  ) -> [Effect] {
    entry.authorizationCode = code
    let (id, effect) = context.start(.redeem(code, verifier, context))
    activity = .redeeming(Wait(request: id, since: context.now))
    return [effect]
  }

  // MARK: Answers

  private mutating func answered(
    _ answer: Answer, _ purpose: Purpose, _ context: inout FlowContext
  ) -> [Effect] {
    switch activity {
    case .entering: return []
    case .checking:
      if let code = answer.authorizationCode, case .tokens(let verifier) = purpose {
        return redeem(code, verifier, &context)
      }
    case .resending:
      if let sent = answer.sentCode(in: entry.session) { return startOver(sent, &context) }
    case .redeeming:
      if let body = answer.success, let tokens = TokenAnswer(json: body) {
        ending = .signedIn(tokens)
        return []
      }
    }
    activity = .entering
    return failed(answer, &context)
  }

  private mutating func startOver(
    _ sent: CodeEntry, _ context: inout FlowContext
  ) -> [Effect] {
    activity = .entering
    entry = sent
    watch = watch.next(sent.prompt, at: context.now)
    context.moveFocus(to: .code)
    // The screen shows above the field that the server calls.
    guard sent.prompt.channel != CodePrompt.voice else { return [.announce(.called)] }
    entry.notice = .newCodeSent
    return [.announce(.newCodeSent(destination: entry.prompt.destination))]
  }

  private mutating func failed(_ answer: Answer, _ context: inout FlowContext) -> [Effect] {
    let reason = answer.notice(at: context.now)
    if let error = answer.error {
      entry.adopt(error)
      switch SignInRefusal(error.code) {
      case .accountLocked:
        ending = .locked(until: error.lockEnd(at: context.now))
        return []
      case .invalidOTP where entry.prompt.attemptsLeft <= 0:
        ending = .ended(.codeRefused)
        return []
      case .otpExpired where context.app.distinguishesExpiry:
        entry.expire()
        context.moveFocus(to: .code)
        return [.announce(.codeExpired)]
      case .invalidOTP, .otpExpired:
        entry.refuse()
        context.moveFocus(to: .code)
        return [.announce(.codeRefused(attemptsLeft: entry.attemptsLeftToShow))]
      case .invalidSession, .invalidGrant, .accountDeactivated, .accountNotRegistered,
        .redirectToWeb:
        ending = .ended(reason)
        return []
      case .invalidCredentials, .resendTooSoon, .rateLimited, .deliveryFailed,
        .temporarilyUnavailable, nil:
        break
      }
    }
    entry.notice = reason
    return [.announce(.notice(reason))]
  }
}

extension Call {
  /// Exchanges an authorization code for tokens.
  static func redeem(_ code: Secret, _ verifier: Secret, _ context: FlowContext) -> Call {
    let form = TokenForm(clientID: context.app.clientID, code: code, verifier: verifier)
    return .post(.token, form.form, .proof)
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

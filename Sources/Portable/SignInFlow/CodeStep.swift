public import SignInEngine
public import SignInModel
import SignInWire

/// The screen on which the person enters a code that was sent.
///
/// `CodeVerification` decides. The screen has the typed text, its error and the banner.
public struct CodeStep: CodeInput {
  /// Why the typed code was not accepted.
  public enum Fault: Equatable, Sendable {
    /// The person pressed Verify with fewer digits than the code has.
    case incomplete
    /// The code was wrong, or it had expired and the app does not distinguish this from wrong.
    ///
    /// The number is `nil` if many attempts are left.
    case refused(attemptsLeft: Int64?)
    /// The code had expired, in an app that distinguishes this from a wrong code.
    case expired
    /// It is an earlier code, and a newer one is on its way.
    case superseded
    /// A code for another device replaced this one.
    case replaced
  }

  /// Remaining attempts are shown if there are this few or fewer.
  static let shownAttemptsLimit: Int64 = 2
  /// How long before the end the expiry of a code is announced.
  public static let expiryWarningSeconds: Int64 = 60

  public private(set) var verification: CodeVerification
  public private(set) var text = ""
  public private(set) var fault: Fault?
  public private(set) var notice: Notice?
  /// The last outcome of the verification; `nil` until there is one.
  private var lastOutcome: CodeVerification.Outcome?

  public init(_ verification: CodeVerification) { self.verification = verification }

  public var ending: CodeVerification.Ending? {
    if case .ended(let ending)? = lastOutcome { ending } else { nil }
  }

  /// The button that leaves this step.
  public var wayBack: ButtonName { verification.isNumberTyped ? .changeNumber : .back }

  public var isComplete: Bool { verification.accepts(text) }

  /// Whether only another code can help, because this one has expired or was replaced.
  public func needsNewCode(at now: Instant) -> Bool {
    switch verification.activity {
    case .checking, .redeeming: false
    case .entering, .resending: isCodeUnusable || verification.hasExpired(at: now)
    }
  }

  /// Whether the server has said that no code of this device can be entered any more.
  public var isCodeUnusable: Bool { fault == .expired || fault == .replaced }

  /// The same step, ready to enter the same code again.
  public func resumed(saying notice: Notice?) -> CodeStep {
    var step = self
    step.verification = verification.resumed()
    step.notice = notice
    step.lastOutcome = notice.map { .failed($0) }
    return step
  }

  public mutating func handle(
    _ event: Event, newPassword: Secret, _ context: inout FlowContext
  ) -> [PageEffect] {
    if case .page = event { verification.isUntouched = false }
    switch event {
    case .page(.buttonPressed(wayBack)):
      return verification.leave(&context).inApp() + follow(&context)
    case .page(let event) where verification.activity == .entering:
      return enter(event, newPassword, &context)
    case .device(.hidden): return verification.hide(&context).inApp()
    case .device(.shown): verification.show()
    case .answered(let id, let answer) where verification.isAsking(id):
      return statusAnswered(id, answer, &context)
    case .answered(let id, let answer):
      return verification.answered(id, answer, &context).inApp() + follow(&context)
    case .ticked:
      if let wait = verification.activity.wait { return wait.reports(context).inApp() }
      return announcements(context) + verification.tick(&context).inApp()
    default: break
    }
    return []
  }

  private mutating func enter(
    _ event: PageEvent, _ newPassword: Secret, _ context: inout FlowContext
  ) -> [PageEffect] {
    switch event {
    case .fieldEdited(.code, let text):
      edit(text.revealed)
      if canSubmitLastDigit(at: context.now) { return verify(newPassword, &context) }
    case .bannerDismissed: notice = nil
    case .buttonPressed(.verify): return verify(newPassword, &context)
    case .buttonPressed(.resend) where verification.canResend(at: context.now):
      return resend(byCall: false, &context)
    case .buttonPressed(.callInstead) where verification.canCall(at: context.now):
      return resend(byCall: true, &context)
    case .fieldEdited, .buttonPressed, .passwordRevealToggled: break
    }
    return []
  }

  private mutating func edit(_ typed: String) {
    text = verification.digits(of: typed)
    // An error of an earlier code remains until the person types the next one.
    if !text.isEmpty || fault == .incomplete { fault = nil }
  }

  /// Whether the last digit submits the code of a sign-in.
  ///
  /// After an error only the button does, so that a correction costs no attempt by mistake.
  private var submitsLastDigit: Bool {
    switch lastOutcome {
    case nil, .codeSent, .superseded: true
    case .incomplete, .refused, .expired, .replaced, .failed, .notNeeded, .ended: false
    }
  }

  /// A code of a reset is sent with the password below it, and the server refuses an expired
  /// code.
  private func canSubmitLastDigit(at now: Instant) -> Bool {
    guard !verification.isForNewPassword else { return false }
    let isFull = Int64(text.utf8.count) == verification.prompt.digits
    return submitsLastDigit && isFull && !verification.hasExpired(at: now)
  }

  private mutating func verify(
    _ newPassword: Secret, _ context: inout FlowContext
  ) -> [PageEffect] {
    let effects: [PageEffect] =
      verification.submit(text, newPassword: newPassword, &context).inApp()
    switch verification.activity {
    case .entering: return effects + follow(&context)
    case .checking: break
    case .resending, .redeeming:
      notice = nil
      return effects
    }
    notice = nil
    return [.announce(verification.isForNewPassword ? .changingPassword : .checkingCode)] + effects
  }

  private mutating func resend(byCall: Bool, _ context: inout FlowContext) -> [PageEffect] {
    notice = nil
    let effects: [PageEffect] = verification.resend(byCall: byCall, &context).inApp()
    return [.announce(byCall ? .calling : .sendingNewCode)] + effects
  }

  // MARK: Outcomes

  private mutating func follow(_ context: inout FlowContext) -> [PageEffect] {
    guard let outcome = verification.takeOutcome() else { return [] }
    lastOutcome = outcome
    switch outcome {
    case .notNeeded, .ended: return []
    case .codeSent: return startOver(&context)
    case .incomplete:
      fault = .incomplete
      context.moveFocus(to: .code)
      if text.isEmpty { return [.announce(.fieldsMissing([.code]))] }
      return [.announce(.codeIncomplete(digits: verification.prompt.digits))]
    case .refused(let attemptsLeft):
      let shown = attemptsLeft <= Self.shownAttemptsLimit ? attemptsLeft : nil
      clear(.refused(attemptsLeft: shown))
      context.moveFocus(to: .code)
      return [.announce(.codeRefused(attemptsLeft: shown))]
    case .expired:
      clear(.expired)
      context.moveFocus(to: .code)
      return [.announce(.codeExpired)]
    case .superseded:
      clear(.superseded)
      context.moveFocus(to: .code)
      return [.announce(.codeSuperseded)]
    case .replaced:
      clear(.replaced)
      return [.announce(.codeReplaced)]
    case .failed(let reason):
      notice = reason
      return [.report(.notice(reason))]
    }
  }

  private mutating func startOver(_ context: inout FlowContext) -> [PageEffect] {
    clear(nil)
    notice = nil
    context.moveFocus(to: .code)
    // The screen shows above the field that the server calls.
    guard verification.prompt.channel != CodePrompt.voice else { return [.announce(.called)] }
    notice = .newCodeSent
    return [.announce(.newCodeSent(destination: verification.prompt.destination))]
  }

  private mutating func clear(_ fault: Fault?) {
    text = ""
    self.fault = fault
  }

  private mutating func statusAnswered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
    let before = verification.toldDelivery
    let effects = verification.answered(id, answer, &context).inApp() + follow(&context)
    guard verification.toldDelivery != before, let update = verification.update(at: context.now),
      update.status.isReported
    else { return effects }
    return effects + [.announce(.delivery(update))]
  }

  private func announcements(_ context: FlowContext) -> [PageEffect] {
    let prompt = verification.prompt
    var effects: [PageEffect] = []
    if context.hasJustPassed(prompt.resendAt) { effects.append(.announce(.resendPossible)) }
    if context.hasJustPassed(prompt.expiresAt.adding(seconds: -Self.expiryWarningSeconds)) {
      effects.append(.announce(.codeExpiresSoon))
    }
    if context.hasJustPassed(prompt.expiresAt) { effects.append(.announce(.codeExpired)) }
    if context.hasJustPassed(verification.overdueAt),
      let update = verification.update(at: context.now), update.status == .overdue
    {
      effects.append(.announce(.delivery(update)))
    }
    return effects
  }
}

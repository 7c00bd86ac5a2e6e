public import SignInModel
package import SignInWire

/// A password reset (T-11): a code sent for an e-mail address, then the code and the new password.
///
///     idle ──▶ asking ──▶ code ──┐
///      ▲         │         │  ▲  │
///      │         ▼         │  └──┘ password refused, wrong code, no network
///      └─ refused, locked ◀┘ left, expired, locked, finished
///
/// It knows neither fields nor words.
public struct PasswordReset<Code: CodeInput>: Equatable, Sendable {
  public typealias Event = AppEvent<Code.Page>
  public typealias FlowEffect = AppEffect<Code.Page>

  public indirect enum Step: Equatable, Sendable {
    case idle
    case asking(Wait, EmailAddress)
    case code(Code)
  }

  public enum Outcome: Equatable, Sendable {
    case codeSent(destination: String)
    /// The password can be replaced by another one, and the code is still valid.
    case passwordRefused(PasswordFault)
    case locked(until: Instant)
    /// The person must ask for another code.
    case failed(Notice)
    /// The notice says what happened to the password.
    case finished(Notice)
    case left
  }

  public private(set) var step = Step.idle
  /// The result of the last intent; `nil` while a request is in progress.
  private(set) var outcome: Outcome?
  /// The new password was sent and there was no answer, so it may be set already.
  private var isAnswerLost = false

  package init() {}

  package var isAsking: Bool { if case .asking = step { true } else { false } }

  /// Returns each outcome once.
  package mutating func takeOutcome() -> Outcome? {
    defer { outcome = nil }
    return outcome
  }

  /// Asks for a code, unless a lockout of resets is known (T-05).
  package mutating func ask(for address: EmailAddress, _ context: inout FlowContext) -> [FlowEffect]
  {
    outcome = nil
    if let lockout = context.lockout(of: .email(address)), !lockout.canReset {
      outcome = .locked(until: lockout.until)
      return []
    }
    let (id, effect) = context.start(.forgotPassword(of: address.text, context))
    step = .asking(Wait(request: id, since: context.now), address)
    return [.engine(effect)]
  }

  package mutating func handle(
    _ event: Event, newPassword: Secret, _ context: inout FlowContext
  ) -> [FlowEffect] {
    switch (step, event) {
    case (.asking(let wait, let address), .answered(let id, let answer)) where wait.isFor(id):
      outcome = asked(answer, address, &context)
    case (.code(let code), .answered(let id, let answer))
    where code.verification.isChecking(id):
      outcome = passwordAnswered(answer, code, &context)
      if outcome == nil { return enterCode(event, code, newPassword, &context) }
    case (.code(let code), _): return enterCode(event, code, newPassword, &context)
    case (.idle, _), (.asking, _): break
    }
    return []
  }

  private mutating func asked(
    _ answer: Answer, _ address: EmailAddress, _ context: inout FlowContext
  ) -> Outcome {
    let purpose = CodeVerification.Purpose.newPassword(username: address.text)
    if let verification = CodeVerification(answer, for: purpose, at: context.now) {
      step = .code(Code(verification))
      return .codeSent(destination: verification.prompt.destination)
    }
    step = .idle
    if let error = answer.error, error.code == .accountLocked {
      return locked(until: error.lockEnd(at: context.now), .email(address), &context)
    }
    let isByAdministrator = answer.refusal == .resetByAdministrator
    return .failed(isByAdministrator ? .resetByAdministrator : answer.notice(at: context.now))
  }

  /// Remembers a lockout of resets, which also stops sign-ins.
  private func locked(
    until: Instant, _ subject: KnownLockouts.Subject?, _ context: inout FlowContext
  ) -> Outcome {
    if let subject { context.learnLockout(of: subject, until: until, canReset: false) }
    return .locked(until: until)
  }

  /// The outcome of an answer that concerns the password; `nil` if it concerns the code.
  private mutating func passwordAnswered(
    _ answer: Answer, _ code: Code, _ context: inout FlowContext
  ) -> Outcome? {
    if let body = answer.success {
      // On an unknown device the new password may take effect later.
      let waiting = WaitingPasswordAnswer(json: body)
      step = .idle
      if let waiting { return .finished(.passwordPending(until: waiting.availableAt)) }
      // The new password has ended the lockout too.
      if let subject = code.verification.lockoutSubject { context.forgetLockout(of: subject) }
      return .finished(.passwordChanged)
    }
    if answer.refusal == .resetByAdministrator {
      step = .idle
      return .failed(.resetByAdministrator)
    }
    if answer.status == nil { isAnswerLost = true }
    // A refused password uses up neither the code nor an attempt.
    guard let fault = PasswordFault(answer.refusal) else { return nil }
    step = .code(code.resumed(saying: nil))
    return .passwordRefused(fault)
  }

  private mutating func enterCode(
    _ event: Event, _ code: Code, _ newPassword: Secret, _ context: inout FlowContext
  ) -> [FlowEffect] {
    var code = code
    let effects = code.handle(event, newPassword: newPassword, &context)
    switch code.ending {
    case nil: step = .code(code)
    case .signedIn: preconditionFailure("a reset gives no tokens")
    case .locked(let until):
      step = .idle
      outcome = locked(until: until, code.verification.lockoutSubject, &context)
    case .ended(.signInExpired) where isAnswerLost:
      step = .idle
      // Only the server knows whether the password was set.
      if let subject = code.verification.lockoutSubject { context.forgetLockout(of: subject) }
      outcome = .finished(.passwordMaybeChanged)
    case .ended(let reason):
      step = .idle
      outcome = .failed(reason == .signInExpired ? .resetExpired : reason)
    case .left:
      context.forgetCalls()
      step = .idle
      outcome = .left
    }
    return effects
  }
}

/// Why the server refuses a new password.
public enum PasswordFault: Equatable, Sendable {
  case tooShort, tooLong, tooCommon

  package init?(_ code: ErrorCode?) {
    switch code {
    case .passwordTooShort: self = .tooShort
    case .passwordTooLong: self = .tooLong
    case .passwordTooCommon: self = .tooCommon
    default: return nil
    }
  }
}

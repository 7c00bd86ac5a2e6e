import JSONText
public import SignInModel
import SignInWire

/// The registration of a person: a name and a number, and a code if the server asks for a
/// proof.
///
///     idle ──▶ sending ──▶ sent, or approved
///      ▲ ▲        │              ▲
///      │ │        ▼              │
///      │ └─left, code ───────────┘
///      └─refused, locked, expired
///
/// It knows neither fields nor words.
public struct Registration<Code: CodeInput>: Equatable, Sendable {
  public typealias Event = AppEvent<Code.Page>
  public typealias FlowEffect = AppEffect<Code.Page>

  public indirect enum Step: Equatable, Sendable {
    case idle
    case sending(Wait, PersonName, PhoneNumber)
    case code(Code)
    /// The account waits for the approval of an administrator.
    case sent
    /// The account is active, so the person can sign in.
    case approved
  }

  public enum Outcome: Equatable, Sendable {
    case sent
    case approved
    case codeSent(destination: String)
    /// The server accepts no numbers of this country.
    case countryRefused
    case failed(Notice)
    case left
  }

  public private(set) var step = Step.idle
  /// The result of the last intent; `nil` while a request is in progress.
  private(set) var outcome: Outcome?

  package init() {}

  /// Returns each outcome once.
  package mutating func takeOutcome() -> Outcome? {
    defer { outcome = nil }
    return outcome
  }

  package mutating func register(
    _ name: PersonName, _ phone: PhoneNumber, _ context: inout FlowContext
  ) -> [FlowEffect] {
    outcome = nil
    let (id, effect) = context.start(.register(name, phone, context))
    step = .sending(Wait(request: id, since: context.now), name, phone)
    return [.engine(effect)]
  }

  package mutating func handle(_ event: Event, _ context: inout FlowContext) -> [FlowEffect] {
    switch (step, event) {
    case (.sending(let wait, let name, let phone), .answered(let id, let answer))
    where wait.isFor(id):
      registered(answer, name, phone, context)
    case (.code(let code), .answered(let id, let answer))
    where code.verification.isChecking(id) && answer.success != nil:
      settle(answer)
    case (.code(let code), _): return enterCode(event, code, &context)
    case (.idle, _), (.sending, _), (.sent, _), (.approved, _): break
    }
    return []
  }

  private mutating func registered(
    _ answer: Answer, _ name: PersonName, _ phone: PhoneNumber, _ context: FlowContext
  ) {
    let purpose = CodeVerification.Purpose.registration(name, phone)
    if let verification = CodeVerification(answer, for: purpose, at: context.now) {
      step = .code(Code(verification))
      outcome = .codeSent(destination: verification.prompt.destination)
    } else if answer.success != nil {
      settle(answer)
    } else {
      step = .idle
      outcome = refusal(in: answer, context)
    }
  }

  private mutating func settle(_ answer: Answer) {
    let status = answer.success.flatMap { RegistrationAnswer(json: $0) }
    let isActive = status == .settled(.active)
    step = isActive ? .approved : .sent
    outcome = isActive ? .approved : .sent
  }

  private func refusal(in answer: Answer, _ context: FlowContext) -> Outcome {
    // The app has checked the form of name and number, so the server can only refuse the country.
    if answer.refusal == .invalidRequest { return .countryRefused }
    let isClosed = answer.refusal == .unauthorizedClient
    return .failed(isClosed ? .registrationClosed : answer.notice(at: context.now))
  }

  private mutating func enterCode(
    _ event: Event, _ code: Code, _ context: inout FlowContext
  ) -> [FlowEffect] {
    var code = code
    let effects = code.handle(event, newPassword: Secret(""), &context)
    guard let ending = code.ending else {
      step = .code(code)
      return effects
    }
    step = .idle
    switch ending {
    case .signedIn: preconditionFailure("a registration gives no tokens")
    case .locked(let until): outcome = .failed(.session(.lockedOut(until: until)))
    // The person has not signed in, so only the code has expired.
    case .ended(.signInExpired): outcome = .failed(.resetExpired)
    case .ended(let reason): outcome = .failed(reason)
    case .left:
      context.forgetCalls()
      outcome = .left
    }
    return effects
  }
}

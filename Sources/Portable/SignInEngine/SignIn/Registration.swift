import JSONText
package import SignInModel
import SignInWire

/// The registration of a rider: a name and a number, which an administrator approves.
///
///     idle ──▶ sending ──▶ sent
///      ▲          │
///      └──refused─┘
///
/// It knows neither fields nor words.
public struct Registration: Equatable, Sendable {
  public enum Step: Equatable, Sendable {
    case idle
    case sending(Wait)
    case sent
  }

  public enum Outcome: Equatable, Sendable {
    case sent
    /// The server accepts no numbers of this country.
    case countryRefused
    case failed(Notice)
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
  ) -> [Effect] {
    outcome = nil
    let form = RegistrationForm {
      $0.clientID = context.app.clientID
      $0.phoneNumber = phone.e164
      $0.name = name.text
    }
    let (id, effect) = context.start(.post(.accounts, form.form, .proof))
    step = .sending(Wait(request: id, since: context.now))
    return [effect]
  }

  package mutating func answered(_ id: RequestID, _ answer: Answer, _ context: inout FlowContext) {
    guard case .sending(let wait) = step, wait.isFor(id) else { return }
    step = answer.success == nil ? .idle : .sent
    outcome = result(of: answer, context)
  }

  private func result(of answer: Answer, _ context: FlowContext) -> Outcome {
    if answer.success != nil { return .sent }
    // The app has checked the form of name and number, so the server can only refuse the country.
    if answer.refusal == .invalidRequest { return .countryRefused }
    let isClosed = answer.refusal == .unauthorizedClient
    return .failed(isClosed ? .registrationClosed : answer.notice(at: context.now))
  }
}

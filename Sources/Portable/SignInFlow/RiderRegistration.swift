public import SignInEngine
import SignInModel

/// The form of a registration: a name and a number, and a code if the server asks for one.
///
/// `Registration` decides. The form has the typed text, the errors of the fields and the banner.
public struct RiderRegistration: EventHandler, Equatable, Sendable {
  public indirect enum Step: Equatable, Sendable {
    case enteringDetails
    case sending(Wait)
    case enteringCode(CodeStep)
    case sent
    case approved
  }

  public enum NumberFault: Equatable, Sendable {
    case malformed
    /// The server accepts no numbers of this country.
    case country
  }

  public private(set) var name = ""
  public private(set) var number: MobileNumber
  public private(set) var isNameMalformed = false
  public private(set) var numberFault: NumberFault?
  public private(set) var notice: Notice?
  public private(set) var missing = MissingFields()
  private(set) var isLeft = false
  private var registration = Registration<CodeStep>()

  init(number: MobileNumber) { self.number = number }

  public var step: Step {
    switch registration.step {
    case .idle: .enteringDetails
    case .sending(let wait, _, _): .sending(wait)
    case .code(let code): .enteringCode(code)
    case .sent: .sent
    case .approved: .approved
    }
  }

  public var canSend: Bool { !isNameBlank && !number.isEmpty }

  private var isNameBlank: Bool { TypedText.isBlank(name) }

  var needsTicks: Bool {
    switch step {
    case .enteringDetails: notice?.changesWithTime ?? false
    case .sending, .enteringCode: true
    case .sent, .approved: false
    }
  }

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [PageEffect] {
    switch (step, event) {
    case (.enteringDetails, .page(let event)): return handle(event, &context)
    case (.sending(let wait), .ticked): return wait.reports(context).inApp()
    case (.sending, .page(.buttonPressed(.back))):
      context.forgetCalls()
      isLeft = true
    case (.sent, .page(.buttonPressed(.back))), (.approved, .page(.buttonPressed(.back))):
      isLeft = true
    case (.enteringDetails, _), (.sending, _), (.enteringCode, _), (.sent, _), (.approved, _):
      return registration.handle(event, &context) + follow(&context)
    }
    return []
  }

  private mutating func follow(_ context: inout FlowContext) -> [PageEffect] {
    switch registration.takeOutcome() {
    case nil: return []
    case .sent:
      context.moveFocus(to: .heading)
      let remembering = number.parsed.map { context.remember(username: $0.e164) } ?? []
      return remembering.inApp() + [.announce(.registered(number: number.written))]
    case .approved:
      context.moveFocus(to: .heading)
      return context.forgetUsername().inApp()
        + [.announce(.registrationApproved(number: number.written))]
    case .codeSent(let destination):
      context.moveFocus(to: .code)
      return [.report(.codeSent(destination: destination))]
    case .left:
      notice = nil
      context.moveFocus(to: .name)
      return []
    case .countryRefused:
      numberFault = .country
      context.moveFocus(to: .phone)
      return [.announce(.countryRefused)]
    case .failed(let reason):
      notice = reason
      context.moveFocus(to: .heading)
      return [.report(.notice(reason))]
    }
  }

  mutating func edited(
    _ field: FieldName, _ text: Secret, _ context: inout FlowContext
  ) -> [PageEffect] {
    switch field {
    case .name:
      name = text.revealed
      isNameMalformed = false
    case .country:
      number.choose(text.revealed)
      numberFault = nil
    case .phone:
      number.edit(text.revealed)
      numberFault = nil
    default: return []
    }
    missing.typed(in: field)
    return []
  }

  mutating func pressed(_ button: ButtonName, _ context: inout FlowContext) -> [PageEffect] {
    if button == .back { isLeft = true }
    return button == .register ? register(&context) : []
  }

  mutating func bannerDismissed() { notice = nil }

  private mutating func register(_ context: inout FlowContext) -> [PageEffect] {
    missing.check([(.name, isNameBlank), (.phone, number.isEmpty)])
    guard canSend else { return missing.explain(&context) }
    let name = PersonName(typed: name)
    isNameMalformed = name == nil
    if number.parsed == nil { numberFault = .malformed }
    guard let name, let phone = number.parsed else {
      context.moveFocus(to: isNameMalformed ? .name : .phone)
      return [.announce(isNameMalformed ? .nameMalformed : number.refusal)]
    }
    notice = nil
    return [.announce(.registering)] + registration.register(name, phone, &context)
  }
}

import JSONText
import SignInModel
import SignInWire

/// A rider's registration: a name and a number, which an administrator approves.
///
///     details ──▶ sending ──▶ sent ──▶ left
///      ▲  │          │
///      │  ▼          ▼
///      │ left     refused, no network, cancelled
///      └─────────────┘
public struct RiderRegistration: Equatable, Sendable {
  public enum Step: Equatable, Sendable {
    case enteringDetails
    case sending(Wait)
    case sent
    case left
  }

  public enum NumberFault: Equatable, Sendable {
    case malformed
    /// The server accepts no numbers of this country.
    case country
  }

  public private(set) var step = Step.enteringDetails
  public private(set) var name = ""
  public private(set) var number: MobileNumber
  public private(set) var isNameMalformed = false
  public private(set) var numberFault: NumberFault?
  public private(set) var notice: Notice?
  public private(set) var missing = MissingFields()

  init(number: MobileNumber) { self.number = number }

  public var canSend: Bool { !isNameBlank && !number.isEmpty }

  private var isNameBlank: Bool { TypedText.isBlank(name) }

  var needsTicks: Bool {
    switch step {
    case .enteringDetails: notice?.changesWithTime ?? false
    case .sending: true
    case .sent, .left: false
    }
  }

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    switch step {
    case .enteringDetails: return enterDetails(event, &context)
    case .sending(let wait): return send(event, wait, &context)
    case .sent:
      if event == .page(.buttonPressed(.back)) { step = .left }
      return []
    case .left: return []
    }
  }

  private mutating func enterDetails(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .page(.fieldEdited(.name, let text)):
      name = text.revealed
      isNameMalformed = false
      missing.typed(in: .name)
    case .page(.fieldEdited(.country, let code)):
      number.choose(code.revealed)
      numberFault = nil
    case .page(.fieldEdited(.phone, let text)):
      number.edit(text.revealed)
      numberFault = nil
      missing.typed(in: .phone)
    case .page(.bannerDismissed): notice = nil
    case .page(.buttonPressed(.register)): return register(&context)
    case .page(.buttonPressed(.back)): step = .left
    case .started, .page, .signIn, .storage, .session, .answered, .ticked, .device, .home:
      break
    }
    return []
  }

  private mutating func register(_ context: inout FlowContext) -> [Effect] {
    missing.check([(.name, isNameBlank), (.phone, number.isEmpty)])
    guard canSend else { return missing.explain(&context) }
    let name = parsedName
    isNameMalformed = name == nil
    if number.parsed == nil { numberFault = .malformed }
    guard let name, let phone = number.parsed else {
      context.moveFocus(to: isNameMalformed ? .name : .phone)
      return [.announce(isNameMalformed ? .nameMalformed : .numberMalformed(number.country))]
    }
    notice = nil
    let form = RegistrationForm {
      $0.clientID = context.app.clientID
      $0.phoneNumber = phone.e164
      $0.name = name.text
    }
    let (id, effect) = context.start(.post(.accounts, form.form, .proof))
    step = .sending(Wait(request: id, since: context.now))
    return [.announce(.registering), effect]
  }

  private var parsedName: PersonName? {
    do throws(Malformed) { return try PersonName(parsing: name) } catch { return nil }
  }

  private mutating func send(
    _ event: Event, _ wait: Wait, _ context: inout FlowContext
  ) -> [Effect] {
    switch event {
    case .answered(let id, let answer) where wait.isFor(id): return answered(answer, &context)
    case .ticked: return wait.announcements(context)
    case .page(.buttonPressed(.back)):
      context.forgetCalls()
      step = .left
      return []
    case .started, .page, .signIn, .storage, .session, .answered, .device, .home:
      return []
    }
  }

  private mutating func answered(_ answer: Answer, _ context: inout FlowContext) -> [Effect] {
    if answer.success != nil {
      step = .sent
      context.moveFocus(to: .heading)
      return [.announce(.registered(number: number.written))]
    }
    step = .enteringDetails
    // The app has checked the form of name and number, so the server can only refuse the country.
    if answer.refusal == .invalidRequest {
      numberFault = .country
      context.moveFocus(to: .phone)
      return [.announce(.countryRefused)]
    }
    let reason =
      answer.refusal == .unauthorizedClient
      ? Notice.registrationClosed : answer.notice(at: context.now)
    notice = reason
    context.moveFocus(to: .heading)
    return [.announce(.notice(reason))]
  }
}

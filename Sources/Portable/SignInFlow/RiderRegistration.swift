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
    switch (step, event) {
    case (.enteringDetails, .page(let event)): return enterDetails(event, &context)
    case (.sending(let wait), .answered(let id, let answer)) where wait.isFor(id):
      return answered(answer, &context)
    case (.sending(let wait), .ticked): return wait.announcements(context)
    case (.sending, .page(.buttonPressed(.back))):
      context.forgetCalls()
      step = .left
    case (.sent, .page(.buttonPressed(.back))): step = .left
    case (.enteringDetails, _), (.sending, _), (.sent, _), (.left, _): break
    }
    return []
  }

  private mutating func enterDetails(
    _ event: PageEvent, _ context: inout FlowContext
  ) -> [Effect] {
    switch event {
    case .fieldEdited(.name, let text):
      name = text.revealed
      isNameMalformed = false
      missing.typed(in: .name)
    case .fieldEdited(.country, let code):
      number.choose(code.revealed)
      numberFault = nil
    case .fieldEdited(.phone, let text):
      number.edit(text.revealed)
      numberFault = nil
      missing.typed(in: .phone)
    case .bannerDismissed: notice = nil
    case .buttonPressed(.register): return register(&context)
    case .buttonPressed(.back): step = .left
    case .fieldEdited, .buttonPressed, .passwordRevealToggled: break
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

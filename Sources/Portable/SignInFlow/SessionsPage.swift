public import SignInEngine
public import SignInModel
public import SignInWire

/// The page that lists where a person is signed in, and ends sessions on other devices.
public struct SessionsPage: AccountPage, EventHandler {
  private struct Ending: Equatable, Sendable {
    let request: RequestID
    let session: SessionID
  }

  /// What the forms know about the person when they open.
  private struct Person: Equatable, Sendable {
    var name = ""
    /// Whether people sign in to the app with a password.
    var hasPassword = false
  }

  /// What is signed out after the person has confirmed it.
  public enum Confirmation: Equatable, Sendable {
    case session(SessionID)
    case allOthers
  }

  public private(set) var sessions = FetchedValue<[SessionEntry]>(.sessions)
  public private(set) var notice: Notice?
  /// The form that replaces the list while it is open.
  public private(set) var passwordChange: PasswordChange?
  /// The same for the name, the address, the number and the erasure.
  public private(set) var ownAccount: OwnAccountForm?
  private var person = Person()
  public private(set) var asking: Confirmation?
  private var endings: [Ending] = []

  public var hasPassword: Bool { person.hasPassword }

  public var others: [SessionEntry] { sessions.value?.filter { !$0.isCurrent } ?? [] }

  public func isEnding(_ session: SessionID) -> Bool { endings.contains { $0.session == session } }

  public init() {}

  public mutating func open(_ name: String, _ context: inout FlowContext) {
    person = Person(name: name, hasPassword: context.app.signInKind == .passwordAndCode)
    sessions.load(&context)
  }

  public mutating func setName(_ name: String) {
    person.name = name
    ownAccount?.setName(name)
  }

  public mutating func takeAccountChange() -> Bool { ownAccount?.takeAccountChange() ?? false }

  public mutating func handle(_ event: Event, _ context: inout FlowContext) -> [PageEffect] {
    openForm == nil ? dispatch(event, &context) : passToForm(event, &context)
  }

  mutating func pressed(_ button: ButtonName, _ context: inout FlowContext) -> [PageEffect] {
    switch button {
    case .endOtherSessions: ask(.allOthers, &context)
    case .confirm: confirm(&context)
    case .cancel: cancel(&context)
    case .openPasswordChange where hasPassword:
      notice = nil
      passwordChange = PasswordChange()
      context.moveFocus(to: .heading)
    case .openOwnAccount:
      notice = nil
      ownAccount = OwnAccountForm(person.name, hasPassword: hasPassword, &context)
      context.moveFocus(to: .heading)
    case .refresh where sessions.loading == nil: sessions.load(&context)
    default: break
    }
    return []
  }

  public var openForm: AccountForm? {
    if passwordChange.isPresent { return .password }
    return ownAccount.isPresent ? .ownAccount : nil
  }

  public mutating func show(_ form: AccountForm?, _ context: inout FlowContext) {
    if openForm != nil { _ = handle(.page(.buttonPressed(.back)), &context) }
    switch form {
    case .password?: _ = pressed(.openPasswordChange, &context)
    case .ownAccount?: _ = pressed(.openOwnAccount, &context)
    case nil: break
    }
  }

  mutating func bannerDismissed() { notice = nil }

  mutating func handle(_ event: HomeEvent, _ context: inout FlowContext) -> [PageEffect] {
    if case .itemPressed(.endSession, let item) = event {
      ask(.session(SessionID(item)), &context)
    }
    return []
  }

  mutating func handle(_ event: DeviceEvent, _ context: inout FlowContext) -> [PageEffect] {
    switch event {
    case .networkReturned, .shown: sessions.networkReturned(&context)
    case .hidden, .used, .userActiveInOtherTab: break
    }
    return []
  }

  mutating func tick(_ context: inout FlowContext) -> [PageEffect] {
    sessions.tick(&context).inApp()
  }

  private mutating func passToForm(
    _ event: Event, _ context: inout FlowContext
  ) -> [PageEffect] {
    var effects = passwordChange?.dispatch(event, &context) ?? []
    effects += ownAccount?.dispatch(event, &context) ?? []
    // The hidden list continues to load.
    if case .answered(let id, let answer) = event { effects += answered(id, answer, &context) }
    let ending = passwordChange?.ending
    guard ending != nil || ownAccount?.isLeft == true else { return effects }
    if ending == .changed {
      notice = .session(.passwordSet)
      effects.append(.report(.notice(.session(.passwordSet))))
    }
    // The changes can have ended other sessions.
    if ending != .left { sessions.load(&context) }
    (passwordChange, ownAccount) = (nil, nil)
    context.moveFocus(to: .heading)
    return effects
  }

  private mutating func ask(_ question: Confirmation, _ context: inout FlowContext) {
    let asked = others.filter { question == .allOthers || question == .session($0.id) }
    guard !asking.isPresent, asked.contains(where: { !isEnding($0.id) }) else { return }
    asking = question
    notice = nil
    context.moveFocus(to: .question)
  }

  private mutating func cancel(_ context: inout FlowContext) {
    switch asking {
    case nil: return
    case .session(let id)?: context.returnFocus(to: .endSession, of: id.text)
    case .allOthers?: context.moveFocus(to: .endOtherSessions)
    }
    asking = nil
  }

  private mutating func confirm(_ context: inout FlowContext) {
    switch asking {
    case nil: return
    case .session(let id)?: end(id, &context)
    case .allOthers?: for other in others { end(other.id, &context) }
    }
    asking = nil
    context.moveFocus(to: .heading)
  }

  private mutating func end(_ session: SessionID, _ context: inout FlowContext) {
    guard !isEnding(session), others.contains(where: { $0.id == session }) else { return }
    notice = nil
    let request = context.ask(.delete(.session(Endpoint.Segment(session.text))))
    endings.append(Ending(request: request, session: session))
  }

  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
    if sessions.isFor(id) {
      guard
        let known = WireField.sessions.entries(in: answer.success, { SessionEntry(json: $0) })
      else { return sessions.fail(answer, context).inApp() }
      // This device comes first, then the newest session.
      sessions.adopt(known.filter { $0.isCurrent } + known.filter { !$0.isCurrent }, context)
      return []
    }
    guard let index = endings.firstIndex(where: { $0.request == id }) else { return [] }
    endings.remove(at: index)
    // A session that has already ended (404) is what the person wanted.
    guard let status = answer.status, status < 300 || status == 404 else {
      let reason = answer.notice(at: context.now)
      notice = reason
      return [.report(.notice(reason))]
    }
    guard endings.isEmpty else { return [] }
    notice = .session(.ended)
    sessions.load(&context)
    return [.report(.notice(.session(.ended)))]
  }
}

import JSONText
import SignInModel
public import SignInWire

/// One account opened in the console: its facts, where it is signed in, and what is done with it.
///
///     shown ──action──▶ asking ──confirmed──▶ working ──answer──▶ shown, with what came of it
///                         └────cancelled────▶ shown
public struct AccountCard: Equatable, Sendable {
  public private(set) var entry: AccountEntry
  public private(set) var sessions: Fetched<[SessionEntry]>
  /// What the person is asked whether they mean it.
  public private(set) var asking: AccountAction?
  public private(set) var working: Wait?
  public private(set) var notice: ConsoleNotice?
  /// Shown only once: the server keeps only its digest.
  public private(set) var invitation: InvitationAnswer?

  private var reading: RequestID?

  init(_ entry: AccountEntry, notice: ConsoleNotice? = nil) {
    self.entry = entry
    self.notice = notice
    sessions = Fetched(Endpoint.adminAccounts + "/" + entry.id.text + "/sessions")
  }

  public var actions: [AccountAction] {
    AccountAction.offered(for: entry, hasSessions: sessions.value?.isEmpty == false)
  }

  /// Reads the account anew: others may have changed it since it was listed.
  mutating func open(_ context: inout FlowContext) {
    reading = context.ask(.get(Endpoint.adminAccounts + "/" + entry.id.text))
    sessions.load(&context)
  }

  mutating func ask(_ action: AccountAction, _ context: inout FlowContext) {
    guard working == nil, actions.contains(action) else { return }
    asking = action
    notice = nil
    context.moveFocus(to: .question)
  }

  mutating func cancel(_ context: inout FlowContext) {
    guard working == nil, asking != nil else { return }
    asking = nil
    context.moveFocus(to: .account)
  }

  mutating func confirm(_ context: inout FlowContext) -> [Effect] {
    guard working == nil, let action = asking else { return [] }
    let errand = action.errand(for: entry, key: context.makeIdempotencyKey())
    working = Wait(request: context.ask(errand), since: context.now)
    return []
  }

  mutating func dismiss() { notice = nil }

  mutating func networkReturned(_ context: inout FlowContext) {
    sessions.networkReturned(&context)
  }

  mutating func tick(_ context: inout FlowContext) -> [Effect] {
    _ = sessions.tick(&context)
    return working?.announcements(context) ?? []
  }

  // MARK: Answers

  func isFor(_ id: RequestID) -> Bool {
    reading == id || sessions.isFor(id) || (working?.isFor(id) ?? false)
  }

  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect] {
    if working?.isFor(id) ?? false { return done(answer, &context) }
    if sessions.isFor(id) { return listed(answer, context) }
    reading = nil
    if let body = answer.success, let read = AccountEntry(json: body) { entry = read }
    return []
  }

  private mutating func done(_ answer: Answer, _ context: inout FlowContext) -> [Effect] {
    guard let action = asking else { return [] }
    asking = nil
    working = nil
    invitation = action == .invite ? answer.success.flatMap { InvitationAnswer(json: $0) } : nil
    let said: ConsoleNotice
    if let body = answer.success, let changed = AccountEntry(json: body) {
      entry = changed
      said = .done(action)
    } else if answer.status == 204 || invitation != nil {
      said = .done(action)
    } else {
      said = ConsoleNotice(answer, at: context.now)
    }
    notice = said
    context.moveFocus(to: .account)
    open(&context)
    return [.announce(.console(said))]
  }

  private mutating func listed(_ answer: Answer, _ context: FlowContext) -> [Effect] {
    guard let elements = answer.success?["sessions"]?.elements else {
      return sessions.fail(answer, context)
    }
    var known: [SessionEntry] = []
    for element in elements { if let entry = SessionEntry(json: element) { known.append(entry) } }
    sessions.adopt(known, context)
    return []
  }
}

import JSONText
public import SignInEngine
import SignInModel
public import SignInWire

/// One account, opened in the console: its data, its sessions, and the actions on it.
///
///     shown ──action──▶ asking ──confirmed──▶ working ──answer──▶ shown, with the result
///                         └────cancelled────▶ shown
public struct AccountCard: Equatable, Sendable {
  public private(set) var entry: AccountEntry
  public private(set) var sessions: FetchedValue<[SessionEntry]>
  /// The events of the account and the messages to the person.
  public internal(set) var history: AccountHistory
  /// Why the person cannot sign in; `nil` if nothing prevents it.
  public private(set) var blockReason: BlockReason?
  /// What the person must confirm.
  private var question: Question?
  public private(set) var working: Wait?
  /// The text that the person typed to confirm an erasure.
  public private(set) var confirmation = ""
  /// The text that the person typed as the reason of a deactivation.
  public private(set) var reason = ""
  /// The form that changes the account, in place of its data.
  public private(set) var editor: AccountEditor?
  /// Whether the account was erased.
  private(set) var isErased = false
  public private(set) var notice: ConsoleNotice?
  /// The newest invitation.
  ///
  /// Its secret is shown only once, because the server stores only the digest. It has no secret if
  /// the server sent it to the person.
  public private(set) var invitation: InvitationAnswer?

  private var reading: RequestID?
  /// The last request that has no successful answer.
  ///
  /// The same request gets its key again, because the answer may have been lost.
  private var unanswered: APIRequest?
  /// The signed-in administrator; `nil` until the server has sent the account.
  private var own: ConsoleAdministrator?

  /// An action, and the session that it ends if it is about one.
  private struct Question: Equatable, Sendable {
    let action: AccountAction
    var session: SessionID?
  }

  /// The action that the person must confirm.
  public var asking: AccountAction? { question?.action }

  /// The session that the person must confirm to end.
  public var sessionInQuestion: SessionEntry? {
    question?.session.flatMap { id in sessions.value?.first { $0.id == id } }
  }

  init(_ entry: AccountEntry, for own: ConsoleAdministrator?, notice: ConsoleNotice? = nil) {
    self.entry = entry
    self.own = own
    self.notice = notice
    history = AccountHistory(of: entry.id)
    sessions = FetchedValue(.adminSessions(Endpoint.Segment(entry.id.text)))
  }

  public var actions: [AccountAction] {
    var offered = AccountAction.offered(
      for: entry, hasSessions: sessions.value?.isEmpty == false)
    // The action that helps comes first.
    if let remedy = blockReason?.remedy {
      offered.removeAll { $0 == remedy }
      offered.insert(remedy, at: 0)
    }
    return offered.filter { may($0) && !(isOwn && ($0 == .deactivate || $0 == .resetPassword)) }
  }

  /// The allowed actions on all data that is stored about the person.
  public var dataActions: [AccountAction] {
    AccountAction.ofData.filter { may($0) && !($0 == .erase && isOwn) }
  }

  /// Whether this is the account of the signed-in administrator.
  ///
  /// The server refuses to deactivate, reset or erase it.
  private var isOwn: Bool { own?.id == entry.id }

  private func may(_ action: AccountAction) -> Bool {
    own?.mayChange(entry, needing: action.level) ?? false
  }

  public var isEditable: Bool { own.flatMap { AccountEditor(entry, by: $0) }.isPresent }

  /// Whether the card must stay open until a request is answered.
  var isBusy: Bool { working != nil || editor?.waiting != nil }

  /// Whether the person typed the name, the e-mail address or the phone number of the account.
  public var isConfirmed: Bool {
    let typed = Self.folded(confirmation)
    guard !typed.isEmpty else { return false }
    return typed == Self.folded(entry.name) || typed == entry.email.map { Self.folded($0) }
      || typed == entry.phone.map { Self.folded($0) }
  }

  /// The text without spaces at its ends, and with ASCII letters in lower case.
  private static func folded(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 { bytes.append((0x41...0x5A).contains(byte) ? byte + 0x20 : byte) }
    while bytes.first == 0x20 { bytes.removeFirst() }
    while bytes.last == 0x20 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  mutating func setAdministrator(_ own: ConsoleAdministrator) { self.own = own }

  /// Reads the account again, because others may have changed it since it was listed.
  mutating func open(_ context: inout FlowContext) {
    history.load(&context)
    reading = context.ask(.get(.adminAccount(Endpoint.Segment(entry.id.text))))
    sessions.load(&context)
    findBlockReason(context)
  }

  private mutating func findBlockReason(_ context: FlowContext) {
    blockReason = BlockReason(of: entry, history, at: context.now)
  }

  mutating func ask(_ action: AccountAction, _ context: inout FlowContext) {
    let isOffered = actions.contains(action) || dataActions.contains(action)
    guard working == nil, !editor.isPresent, isOffered else { return }
    ask(Question(action: action), &context)
  }

  /// Whether the person may end single sessions.
  public var canEndSession: Bool { may(.endSession) }

  /// Asks whether one session must end.
  ///
  /// Administrators end the session that they use by signing out.
  mutating func askToEnd(_ session: String, _ context: inout FlowContext) {
    guard working == nil, !editor.isPresent, canEndSession,
      let listed = sessions.value?.first(where: { $0.id.text.hasSameBytes(as: session) }),
      !listed.isCurrent
    else { return }
    ask(Question(action: .endSession, session: listed.id), &context)
  }

  private mutating func ask(_ question: Question, _ context: inout FlowContext) {
    self.question = question
    (confirmation, reason) = ("", "")
    notice = nil
    context.moveFocus(to: .question)
  }

  mutating func cancel(_ context: inout FlowContext) {
    guard working == nil, asking != nil else { return }
    question = nil
    confirmation = ""
    context.moveFocus(to: .account)
  }

  // MARK: Changing

  mutating func edit(_ context: inout FlowContext) {
    guard working == nil, asking == nil, !editor.isPresent, let own else { return }
    editor = AccountEditor(entry, by: own)
    guard editor.isPresent else { return }
    notice = nil
    invitation = nil
    context.moveFocus(to: .account)
  }

  mutating func closeEditor(_ context: inout FlowContext) {
    guard editor?.waiting == nil else { return }
    editor = nil
    context.moveFocus(to: .account)
  }

  mutating func save(_ context: inout FlowContext) -> [PageEffect] { editor?.save(&context) ?? [] }

  mutating func toggle(_ organization: OrganizationID) { editor?.toggle(organization) }

  mutating func type(_ field: FieldName, _ text: String) {
    if field == .confirmation {
      if asking == .erase, working == nil { confirmation = text }
    } else if field == .reason {
      if asking == .deactivate, working == nil { reason = text }
    } else {
      editor?.edit(field, text)
    }
  }

  mutating func confirm(_ context: inout FlowContext) -> [PageEffect] {
    guard working == nil, let action = asking, mayConfirm else { return [] }
    func request(_ key: String) -> APIRequest {
      action.apiRequest(for: entry, question?.session, reason: reason, key: key)
    }
    var apiRequest = unanswered?.idempotencyKey.map(request)
    if apiRequest == nil || apiRequest != unanswered {
      apiRequest = request(context.makeIdempotencyKey())
    }
    unanswered = apiRequest
    guard let apiRequest else { return [] }
    working = Wait(request: context.ask(apiRequest), since: context.now)
    return []
  }

  /// Whether the typed text allows the action in question.
  ///
  /// A deactivation needs a reason.
  public var mayConfirm: Bool {
    if asking == .erase { return isConfirmed }
    return asking != .deactivate || isReasonValid
  }

  private var isReasonValid: Bool {
    do throws(Malformed) {
      _ = try TextLine(parsing: reason)
      return true
    } catch {
      return false
    }
  }

  /// Whether the reason is longer than the server accepts, or has a control character.
  public var isReasonRefused: Bool { !TypedText.isBlank(reason) && !isReasonValid }

  mutating func dismiss() {
    notice = nil
    editor?.dismiss()
  }

  mutating func networkReturned(_ context: inout FlowContext) {
    sessions.networkReturned(&context)
  }

  mutating func tick(_ context: inout FlowContext) -> [PageEffect] {
    _ = sessions.tick(&context)
    history.tick(&context)
    findBlockReason(context)
    return (working ?? editor?.waiting)?.reports(context).inApp() ?? []
  }

  // MARK: Answers

  func isFor(_ id: RequestID) -> Bool {
    reading == id || sessions.isFor(id) || history.isFor(id) || (working?.isFor(id) ?? false)
      || (editor?.isFor(id) ?? false)
  }

  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
    let effects = read(id, answer, &context)
    findBlockReason(context)
    return effects
  }

  private mutating func read(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
    if working?.isFor(id) ?? false { return done(answer, &context) }
    if editor?.isFor(id) ?? false { return changed(answer, &context) }
    if sessions.isFor(id) { return listed(answer, context) }
    if history.isFor(id) { return history.answered(id, answer, context) }
    reading = nil
    if let body = answer.success, let read = AccountEntry(json: body) { entry = read }
    return []
  }

  private mutating func changed(
    _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
    guard var form = editor else { return [] }
    let (made, effects) = form.answered(answer, &context)
    editor = form
    guard let made else { return effects }
    editor = nil
    entry = made
    notice = form.notice(of: made)
    context.moveFocus(to: .account)
    open(&context)
    return effects
  }

  private mutating func done(_ answer: Answer, _ context: inout FlowContext) -> [PageEffect] {
    guard let action = asking else { return [] }
    question = nil
    working = nil
    confirmation = ""
    if answer.success != nil { unanswered = nil }
    if action == .erase, answer.success != nil {
      isErased = true
      return [.announce(.console(.notice(.done(.erase))))]
    }
    let invites = action == .invite || action == .sendInvitation
    invitation = invites ? answer.success.flatMap { InvitationAnswer(json: $0) } : nil
    let said: ConsoleNotice
    if let body = answer.success, let changed = AccountEntry(json: body) {
      entry = changed
      said = .done(action)
    } else if answer.success != nil {
      said = .done(action)
    } else {
      said = ConsoleNotice(answer, at: context.now)
    }
    notice = said
    context.moveFocus(to: .account)
    open(&context)
    return [.announce(.console(.notice(said)))]
  }

  private mutating func listed(_ answer: Answer, _ context: FlowContext) -> [PageEffect] {
    guard
      let known = WireField.sessions.entries(in: answer.success, { SessionEntry(json: $0) })
    else { return sessions.fail(answer, context).inApp() }
    sessions.adopt(known, context)
    return []
  }
}

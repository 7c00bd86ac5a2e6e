import JSONText
public import SignInEngine
import SignInModel
import SignInWire

extension ListHome {
  private var list: PlaceList { PlaceList(Value.place) }

  public var place: String {
    (opened.map { list.place(of: $0) } ?? "")
      + ListOption.query(ListOption.finished, isOn: showsFinished)
  }

  public mutating func open(place: String, _ context: inout FlowContext) -> [PageEffect]? {
    let parts = place.cut(at: "?") ?? (place, "")
    let item = list.item(at: parts.before)
    guard parts.before.isEmpty || item != nil else { return nil }
    // The list may have changed beside the open item.
    if opened == nil { showsFinished = ListOption.isOn(ListOption.finished, in: parts.after) }
    show(item, &context)
    return []
  }

  private mutating func show(_ item: String?, _ context: inout FlowContext) {
    (opened, asking, outcome) = (item, nil, nil)
    context.moveFocus(to: item == nil ? .heading : .record)
  }

  /// The changes that the server has not confirmed, in the order in which they are sent.
  public var changes: [StatusChange] { queue.changes }

  /// The change of the item that the server has not confirmed.
  public func change(of item: String) -> StatusChange? { queue.change(of: item) }

  /// Whether the list says that the change of the item is not sent yet.
  ///
  /// It does not while the changes are sent for the first time, because that takes only a moment.
  /// After a failure it does until another change is made.
  public func isUnsent(_ item: String) -> Bool {
    guard let change = change(of: item) else { return false }
    return change.request == nil || queue.hasFailed
  }

  /// The answer with the changes that the server has not confirmed.
  public func shown(_ value: Value) -> Value {
    var value = value
    for change in changes {
      value = value.with(status: change.status, note: change.note, of: change.item)
    }
    return value
  }

  /// The statuses that the person can choose for the open item.
  private var choices: [String] {
    guard let opened, change(of: opened)?.request == nil, let value = answer.value,
      let status = shown(value).status(of: opened)
    else { return [] }
    return Value.next(after: status)
  }

  // MARK: Pressing

  mutating func handle(_ event: HomeEvent, _ context: inout FlowContext) -> [PageEffect] {
    switch event {
    case .itemPressed(.openItem, let item) where answer.value?.status(of: item) != nil:
      show(item, &context)
    case .itemPressed(.setStatus, let status) where choices.contains(status):
      let question = StatusQuestion(status: status)
      guard Value.needsNote(status) || Value.next(after: status).isEmpty else {
        return choose(question, &context)
      }
      asking = question
      context.moveFocus(to: .question)
    case .screenStateRead(let text):
      let isTextOld = queue.read(text)
      return (isTextOld ? save(context) : []) + send(&context)
    case .itemPressed, .rowsShown, .networkChanged, .placeOpened, .offlineCopy, .requestMade,
      .tokenAsked:
      break
    }
    return []
  }

  mutating func pressed(_ button: ButtonName, _ context: inout FlowContext) -> [PageEffect] {
    switch button {
    case .confirm: return confirm(&context)
    case .cancel:
      guard let question = asking else { return [] }
      asking = nil
      context.returnFocus(to: .setStatus, of: question.status)
    case .back where opened != nil && asking == nil: show(nil, &context)
    case .toggleFold where answer.value != nil: showsFinished.toggle()
    default: break
    }
    return []
  }

  mutating func edited(
    _ field: FieldName, _ text: Secret, _ context: inout FlowContext
  ) -> [PageEffect] {
    if field == .description {
      asking?.note = text.revealed
      asking?.mistake = nil
    }
    return []
  }

  private mutating func confirm(_ context: inout FlowContext) -> [PageEffect] {
    guard let question = asking else { return [] }
    if Value.needsNote(question.status), let mistake = question.noteMistake {
      asking?.mistake = mistake
      context.moveFocus(to: .description)
      return [.announce(.statusNoteRefused(mistake))]
    }
    asking = nil
    context.moveFocus(to: .record)
    return choose(question, &context)
  }

  private mutating func choose(
    _ question: StatusQuestion, _ context: inout FlowContext
  ) -> [PageEffect] {
    guard let opened else { return [] }
    outcome = nil
    let note = Value.needsNote(question.status) ? question.note : nil
    queue.add(
      StatusChange(
        item: opened, status: question.status, note: note, key: context.makeIdempotencyKey()))
    return [.announce(.savingNotes)] + save(context) + send(&context)
  }

  // MARK: Sending

  private mutating func send(_ context: inout FlowContext) -> [PageEffect] {
    guard let change = queue.next else { return [] }
    let body = WorkStatusBody {
      $0.status = change.status
      $0.note = change.note
    }.json
    queue.begin(
      context.ask(
        .patch(Value.endpoint(of: change.item), body, idempotencyKey: change.key)))
    return []
  }

  mutating func handle(_ event: DeviceEvent, _ context: inout FlowContext) -> [PageEffect] {
    switch event {
    case .shown, .networkReturned: send(&context)
    case .hidden, .used, .userActiveInOtherTab: []
    }
  }

  mutating func tick(_ context: inout FlowContext) -> [PageEffect] {
    queue.isRetryDue(at: context.now) ? send(&context) : []
  }

  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
    guard let change = queue.change(sentBy: id) else { return [] }
    let isLost = answer.status.map { $0 >= 500 || $0 == 429 } ?? true
    guard !isLost else {
      let isNew = !queue.hasFailed
      queue.sendLater(from: context.now)
      return isNew ? [.report(.notice(.session(.statusUnsent)))] : []
    }
    queue.removeSent()
    let isOpen = opened == change.item
    guard answer.success != nil else {
      let reason = answer.notice(at: context.now)
      if isOpen { outcome = .refused(reason) }
      return [.report(.notice(reason))] + save(context) + send(&context)
    }
    if isOpen { outcome = .saved(context.now) }
    var effects = [.report(.notice(.session(.statusSaved)))] + save(context)
    if let value = self.answer.value {
      effects += self.answer.amend(
        value.with(status: change.status, note: change.note, of: change.item), &context)
    }
    return effects + send(&context)
  }

  private func save(_ context: FlowContext) -> [PageEffect] {
    queue.text.map { [.engine(.saveScreenState(context.sessionName, $0))] } ?? []
  }
}

extension StatusQuestion {
  fileprivate var noteMistake: Mistake? {
    // Only spaces and line breaks.
    guard note.utf8.contains(where: { $0 > 0x20 }) else { return .noNote }
    return note.utf8.count > WorkStatusBody.noteByteLimit ? .noteTooLong : nil
  }
}

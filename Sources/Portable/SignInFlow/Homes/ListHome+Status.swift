import JSONText
import SignInModel
import SignInWire

extension ListHome {
  private var list: PlaceList { PlaceList(Value.place) }

  public var place: String {
    opened.map { list.place(of: $0) } ?? (showsFinished ? ListPlace.finished : "")
  }

  public mutating func open(place: String, _ context: inout FlowContext) -> [Effect]? {
    let item = list.item(at: place)
    guard place.isEmpty || place == ListPlace.finished || item != nil else { return nil }
    if item == nil { showsFinished = place == ListPlace.finished }
    show(item, &context)
    return []
  }

  private mutating func show(_ item: String?, _ context: inout FlowContext) {
    (opened, asking, outcome) = (item, nil, nil)
    context.moveFocus(to: .heading)
  }

  /// The changes that the server has not confirmed, in the order in which they are sent.
  public var changes: [StatusChange] { queue.changes }

  /// The change of the item that the server has not confirmed.
  public func change(of item: String) -> StatusChange? { queue.change(of: item) }

  /// The answer with the changes that the server has not confirmed.
  public func shown(_ value: Value) -> Value {
    var value = value
    for change in changes { value = value.with(status: change.status, of: change.item) }
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

  mutating func handle(_ event: HomeEvent, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .itemPressed(.openItem, let item) where answer.value?.status(of: item) != nil:
      show(item, &context)
    case .itemPressed(.setStatus, let status) where choices.contains(status):
      guard Value.next(after: status).isEmpty else { return choose(status, &context) }
      asking = status
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

  mutating func pressed(_ button: ButtonName, _ context: inout FlowContext) -> [Effect] {
    switch button {
    case .confirm:
      guard let status = asking else { return [] }
      asking = nil
      context.moveFocus(to: .heading)
      return choose(status, &context)
    case .cancel where asking != nil:
      asking = nil
      context.moveFocus(to: .heading)
    case .back where opened != nil && asking == nil: show(nil, &context)
    case .toggleFold where opened == nil && answer.value != nil: showsFinished.toggle()
    default: break
    }
    return []
  }

  private mutating func choose(_ status: String, _ context: inout FlowContext) -> [Effect] {
    guard let opened else { return [] }
    outcome = nil
    queue.add(
      StatusChange(item: opened, status: status, key: context.makeIdempotencyKey()))
    return [.announce(.savingNotes)] + save(context) + send(&context)
  }

  // MARK: Sending

  private mutating func send(_ context: inout FlowContext) -> [Effect] {
    guard let change = queue.next else { return [] }
    let body = StatusBody { $0.status = change.status }.json
    queue.begin(
      context.ask(
        .patch(Value.endpoint(of: change.item), body, idempotencyKey: change.key)))
    return []
  }

  mutating func handle(_ event: DeviceEvent, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .shown, .networkReturned: send(&context)
    case .hidden, .used, .userActiveInOtherTab: []
    }
  }

  mutating func tick(_ context: inout FlowContext) -> [Effect] {
    queue.isRetryDue(at: context.now) ? send(&context) : []
  }

  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect] {
    guard let change = queue.change(sentBy: id) else { return [] }
    let isLost = answer.status.map { $0 >= 500 || $0 == 429 } ?? true
    guard !isLost else {
      queue.sendLater(from: context.now)
      return [.announce(.notice(.session(.statusUnsent)))]
    }
    queue.removeSent()
    let isOpen = opened == change.item
    guard answer.success != nil else {
      let reason = answer.notice(at: context.now)
      if isOpen { outcome = .refused(reason) }
      return [.announce(.notice(reason))] + save(context) + send(&context)
    }
    if isOpen { outcome = .saved(context.now) }
    var effects = [.announce(.notice(.session(.statusSaved)))] + save(context)
    if let value = self.answer.value {
      effects += self.answer.amend(value.with(status: change.status, of: change.item), &context)
    }
    return effects + send(&context)
  }

  private func save(_ context: FlowContext) -> [Effect] {
    queue.text.map { [.saveScreenState(context.sessionName, $0)] } ?? []
  }
}

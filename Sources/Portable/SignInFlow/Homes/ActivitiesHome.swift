import JSONText
public import SignInEngine
public import SignInModel
public import SignInWire

/// A mentor's activities, opened where the person left them (S-09).
///
/// Notes are saved by the app soon after the person has stopped typing. The open activity and the
/// unsent notes are stored, sealed with the session. They survive a restart and a lock, and are
/// erased when the session ends.
public struct ActivitiesHome: FormHome, EventHandler {
  /// Notes that were typed and that the server has not confirmed.
  public struct Draft: Equatable, Sendable {
    public let activity: String
    public var text: String
    /// The idempotency key of this text, so that it can be sent again after a lost answer.
    var key: String?
    /// Why the server did not accept this text; `nil` if it did not refuse it.
    var refusal: Notice?

    fileprivate var isTooLong: Bool { text.utf8.count > ActivityEntry.notesByteLimit }
  }

  /// Where the notes of an activity are.
  public enum NotesState: Equatable, Sendable {
    case unchanged
    case saving
    /// On the device only, until the network returns.
    case unsent
    case saved(Instant)
    case tooLong
    case refused(Notice)
  }

  private struct Saving: Equatable, Sendable {
    let request: RequestID
    let activity: String
    let text: String
  }

  /// The reading of the stored place and drafts.
  ///
  /// Nothing is stored before it, because the stored drafts would be lost.
  private enum Reading: Equatable, Sendable {
    case awaited
    /// The person has opened a place in the meantime, which counts more than the stored one.
    case awaitedAfterChoice
    /// A later reading must not overwrite what the person typed.
    case done
  }

  /// What the server confirmed last.
  private struct Saved: Equatable, Sendable {
    let activity: String
    let at: Instant
  }

  static let version: Int64 = 1

  /// Notes are sent when the person has not typed for this long.
  static let typingPauseMilliseconds: Int64 = 1000

  public private(set) var activities = OfflineAnswer<ActivitiesAnswer>()
  /// The identifier of the open activity.
  public private(set) var opened: String?
  /// Whether the activities of earlier days are shown in the list.
  public private(set) var showsEarlier = false
  private var drafts: [Draft] = []
  private var saving: Saving?
  private var reading = Reading.awaited
  private var saved: Saved?
  /// When the typed text is sent; `nil` if the person does not type.
  private var sendAt: Instant?
  private var retry = Retry()

  public init() {}

  public var entry: ActivityEntry? {
    activities.value?.activities.first { $0.id == opened }
  }

  public var unsentCount: Int64 { Int64(drafts.count) }

  public func notes(of entry: ActivityEntry) -> String {
    draft(of: entry.id)?.text ?? entry.notes
  }

  /// Whether there are notes that the server has not confirmed.
  public func isChanged(_ entry: ActivityEntry) -> Bool { draft(of: entry.id).isPresent }

  public func state(of entry: ActivityEntry) -> NotesState {
    guard let draft = draft(of: entry.id) else {
      guard let saved, saved.activity == entry.id else { return .unchanged }
      return .saved(saved.at)
    }
    if draft.isTooLong { return .tooLong }
    if let refusal = draft.refusal { return .refused(refusal) }
    return retry.hasFailed ? .unsent : .saving
  }

  private func draft(of activity: String) -> Draft? { drafts.first { $0.activity == activity } }

  public mutating func storeAgain() -> [PageEffect] { activities.storeAgain() }

  public mutating func open(_ context: inout FlowContext) -> [PageEffect] {
    activities.open(&context) + [.engine(.readScreenState(context.sessionName))]
  }

  public mutating func handle(_ event: Event, _ context: inout FlowContext) -> [PageEffect] {
    activities.dispatch(event, &context) + dispatch(event, &context)
  }

  mutating func edited(
    _ field: FieldName, _ text: Secret, _ context: inout FlowContext
  ) -> [PageEffect] {
    field == .notes ? edit(text.revealed, context) : []
  }

  mutating func pressed(_ button: ButtonName, _ context: inout FlowContext) -> [PageEffect] {
    switch button {
    case .back where opened != nil: return show(nil, &context)
    case .saveNotes: return tryAgain(&context)
    case .toggleFold where activities.value != nil: showsEarlier.toggle()
    default: break
    }
    return []
  }

  mutating func handle(_ event: HomeEvent, _ context: inout FlowContext) -> [PageEffect] {
    switch event {
    case .screenStateRead(let text) where reading != .done: return restore(text, &context)
    case .itemPressed(.openActivity, let item): return show(item, &context)
    case .itemPressed, .rowsShown, .networkChanged, .offlineCopy, .screenStateRead, .requestMade,
      .tokenAsked, .placeOpened:
      break
    }
    return []
  }

  mutating func handle(_ event: DeviceEvent, _ context: inout FlowContext) -> [PageEffect] {
    switch event {
    case .shown, .networkReturned: send(&context)
    case .hidden, .used, .userActiveInOtherTab: []
    }
  }

  mutating func tick(_ context: inout FlowContext) -> [PageEffect] {
    let isDue = retry.isWaiting ? retry.isDue(at: context.now) : sendAt.isPresent
    return isDue ? send(&context) : []
  }

  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
    guard let saving, saving.request == id else { return [] }
    return saved(saving, answer, &context)
  }

  // MARK: Open activity and drafts

  private static let list = PlaceList("activities")

  public var place: String {
    (opened.map { Self.list.place(of: $0) } ?? "")
      + ListOption.query(ListOption.earlier, isOn: showsEarlier)
  }

  public mutating func open(place: String, _ context: inout FlowContext) -> [PageEffect]? {
    let parts = place.cut(at: "?") ?? (place, "")
    let item = Self.list.item(at: parts.before)
    guard parts.before.isEmpty || item != nil else { return nil }
    // The list may have changed beside the open activity.
    if opened == nil { showsEarlier = ListOption.isOn(ListOption.earlier, in: parts.after) }
    return show(item, &context)
  }

  /// Notes that were typed are sent at once.
  private mutating func show(_ activity: String?, _ context: inout FlowContext) -> [PageEffect] {
    (opened, saved, sendAt) = (activity, nil, nil)
    if reading == .awaited { reading = .awaitedAfterChoice }
    context.moveFocus(to: activity == nil ? .heading : .record)
    let effects = send(&context)
    return effects.isEmpty ? saveScreenState(context) : effects
  }

  /// The text of an activity that has a draft stays a draft, also if it equals the known notes: the
  /// server may have an earlier text whose answer was lost.
  private mutating func edit(_ text: String, _ context: FlowContext) -> [PageEffect] {
    guard let entry, text != notes(of: entry) else { return [] }
    drafts.removeAll { $0.activity == entry.id }
    drafts.append(Draft(activity: entry.id, text: text))
    sendAt = context.now.adding(milliseconds: Self.typingPauseMilliseconds)
    return saveScreenState(context)
  }

  private func saveScreenState(_ context: FlowContext) -> [PageEffect] {
    guard reading == .done else { return [] }
    let json = JSON.members([
      JSONMember("version", Self.version),
      JSONMember("open", ifPresent: opened),
      JSONMember(
        "drafts",
        .array(
          drafts.map {
            .members([
              JSONMember("activity", $0.activity), JSONMember("text", $0.text),
              JSONMember("key", ifPresent: $0.key),
            ])
          })),
    ])
    return [.engine(.saveScreenState(context.sessionName, Secret(json)))]
  }

  private mutating func restore(_ text: Secret?, _ context: inout FlowContext) -> [PageEffect] {
    let hasChosen = reading == .awaitedAfterChoice
    reading = .done
    if let text, let json = JSON(storedText: text), json.count("version") == Self.version {
      if !hasChosen { opened = json.text("open") }
      for element in json.elements("drafts") ?? [] {
        if let activity = element.text("activity"), let text = element.text("text"),
          draft(of: activity) == nil
        {
          drafts.append(Draft(activity: activity, text: text, key: element.text("key")))
        }
      }
    }
    let effects = send(&context)
    return effects.isEmpty && hasChosen ? saveScreenState(context) : effects
  }

  // MARK: Saving

  private mutating func tryAgain(_ context: inout FlowContext) -> [PageEffect] {
    for index in drafts.indices where drafts[index].activity == opened {
      drafts[index].refusal = nil
    }
    sendAt = nil
    retry = Retry()
    return send(&context)
  }

  /// Sends one draft at a time, the oldest first, and not while the person types.
  private mutating func send(_ context: inout FlowContext) -> [PageEffect] {
    guard reading == .done, saving == nil, sendAt.map({ $0 <= context.now }) ?? true,
      let index = drafts.firstIndex(where: { $0.refusal == nil && !$0.isTooLong })
    else { return [] }
    sendAt = nil
    retry.stop()
    let key = drafts[index].key ?? context.makeIdempotencyKey()
    drafts[index].key = key
    let draft = drafts[index]
    let body = NotesBody { $0.notes = draft.text }.json
    let request = context.ask(
      .patch(.activity(Endpoint.Segment(draft.activity)), body, idempotencyKey: key))
    saving = Saving(request: request, activity: draft.activity, text: draft.text)
    return saveScreenState(context)
  }

  /// Text that was typed during the request is still a draft.
  private mutating func saved(
    _ saved: Saving, _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
    saving = nil
    let index = drafts.firstIndex { $0.activity == saved.activity && $0.text == saved.text }
    if answer.status.map({ $0 >= 500 || $0 == 429 }) ?? true {
      let isNew = !retry.hasFailed
      retry.wait(from: context.now)
      return isNew ? [.report(.notice(.session(.statusUnsent)))] : []
    }
    retry = Retry()
    guard let body = answer.success, let entry = ActivityEntry(json: body) else {
      let reason = answer.notice(at: context.now)
      if let index { drafts[index].refusal = reason }
      return [.report(.notice(reason))] + send(&context)
    }
    var effects: [PageEffect] = []
    if var known = activities.value?.activities,
      let place = known.firstIndex(where: { $0.id == entry.id })
    {
      known[place] = entry
      effects = activities.amend(ActivitiesAnswer(known), &context)
    }
    if let index {
      drafts.remove(at: index)
      self.saved = Saved(activity: entry.id, at: context.now)
      effects.append(.report(.notice(.session(.notesSaved))))
    }
    return effects + saveScreenState(context) + send(&context)
  }
}

import JSONText
import SignInModel
public import SignInWire

/// A mentor's activities, opened where the person left them (S-09).
///
/// The open activity and the unsent notes are stored, sealed with the session. They survive a
/// restart and a lock, and are erased when the session ends.
public struct ActivitiesHome: AppHome, EventHandler {
  /// Notes that were typed and not sent to the server yet.
  public struct Draft: Equatable, Sendable {
    public let activity: String
    public var text: String
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

  static let version: Int64 = 1

  public private(set) var activities = OfflineAnswer<ActivitiesAnswer>()
  /// The identifier of the open activity.
  public private(set) var opened: String?
  public private(set) var notice: Notice?
  /// Whether the activities of earlier days are shown in the list.
  public private(set) var showsEarlier = false
  private var drafts: [Draft] = []
  private var saving: Saving?
  private var reading = Reading.awaited

  public init() {}

  public var entry: ActivityEntry? {
    activities.value?.activities.first { $0.id == opened }
  }

  public var isSaving: Bool { saving != nil }

  public func notes(of entry: ActivityEntry) -> String {
    draft(of: entry.id)?.text ?? entry.notes
  }

  /// Whether there are notes to send.
  public func isChanged(_ entry: ActivityEntry) -> Bool { notes(of: entry) != entry.notes }

  private func draft(of activity: String) -> Draft? { drafts.first { $0.activity == activity } }

  public mutating func storeAgain() -> [Effect] { activities.storeAgain() }

  public mutating func open(_ context: inout FlowContext) -> [Effect] {
    activities.open(&context) + [.readScreenState(context.sessionName)]
  }

  public mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    activities.dispatch(event, &context) + dispatch(event, &context)
  }

  mutating func edited(
    _ field: FieldName, _ text: Secret, _ context: inout FlowContext
  ) -> [Effect] {
    field == .notes ? edit(text.revealed, context) : []
  }

  mutating func pressed(_ button: ButtonName, _ context: inout FlowContext) -> [Effect] {
    switch button {
    case .back where opened != nil: show(nil, &context)
    case .saveNotes: save(&context)
    case .toggleFold where opened == nil && activities.value != nil: toggleEarlier()
    default: []
    }
  }

  private mutating func toggleEarlier() -> [Effect] {
    showsEarlier.toggle()
    return []
  }

  mutating func bannerDismissed() { notice = nil }

  mutating func handle(_ event: HomeEvent, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .screenStateRead(let text) where reading != .done: return restore(text, context)
    case .itemPressed(.openActivity, let item): return show(item, &context)
    case .itemPressed, .rowsShown, .networkChanged, .offlineCopy, .screenStateRead, .requestMade,
      .tokenAsked, .placeOpened:
      break
    }
    return []
  }

  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect] {
    guard let saving, saving.request == id else { return [] }
    return saved(saving, answer, &context)
  }

  // MARK: Open activity and drafts

  private static let list = PlaceList("activities")

  public var place: String {
    opened.map { Self.list.place(of: $0) } ?? (showsEarlier ? ListPlace.earlier : "")
  }

  public mutating func open(place: String, _ context: inout FlowContext) -> [Effect]? {
    let item = Self.list.item(at: place)
    guard place.isEmpty || place == ListPlace.earlier || item != nil else { return nil }
    if item == nil { showsEarlier = place == ListPlace.earlier }
    return show(item, &context)
  }

  private mutating func show(_ activity: String?, _ context: inout FlowContext) -> [Effect] {
    opened = activity
    notice = nil
    if reading == .awaited { reading = .awaitedAfterChoice }
    context.moveFocus(to: .heading)
    return saveScreenState(context)
  }

  private mutating func edit(_ text: String, _ context: FlowContext) -> [Effect] {
    guard let entry, text.utf8.count <= ActivityEntry.notesByteLimit else { return [] }
    drafts.removeAll { $0.activity == entry.id }
    if text != entry.notes { drafts.append(Draft(activity: entry.id, text: text)) }
    notice = nil
    return saveScreenState(context)
  }

  private func saveScreenState(_ context: FlowContext) -> [Effect] {
    guard reading == .done else { return [] }
    let json = JSON.members([
      JSONMember("version", Self.version),
      JSONMember("open", ifPresent: opened),
      JSONMember(
        "drafts",
        .array(
          drafts.map {
            .members([JSONMember("activity", $0.activity), JSONMember("text", $0.text)])
          })),
    ])
    return [.saveScreenState(context.sessionName, Secret(json))]
  }

  private mutating func restore(_ text: Secret?, _ context: FlowContext) -> [Effect] {
    let hasChosen = reading == .awaitedAfterChoice
    reading = .done
    if let text, let json = JSON(storedText: text), json["version"]?.count == Self.version {
      if !hasChosen { opened = json["open"]?.text }
      for element in json["drafts"]?.elements ?? [] {
        if let activity = element["activity"]?.text, let text = element["text"]?.text,
          draft(of: activity) == nil
        {
          drafts.append(Draft(activity: activity, text: text))
        }
      }
    }
    return hasChosen ? saveScreenState(context) : []
  }

  // MARK: Saving

  private mutating func save(_ context: inout FlowContext) -> [Effect] {
    guard let entry, saving == nil, isChanged(entry) else { return [] }
    let text = notes(of: entry)
    notice = nil
    let body = NotesBody { $0.notes = text }.json
    let request = context.ask(
      .patch(
        .activity(Endpoint.Segment(entry.id)), body,
        idempotencyKey: context.makeIdempotencyKey()))
    saving = Saving(request: request, activity: entry.id, text: text)
    return [.announce(.savingNotes)]
  }

  /// Text that was typed during the request is still a draft.
  private mutating func saved(
    _ saved: Saving, _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect] {
    saving = nil
    guard let body = answer.success, let entry = ActivityEntry(json: body),
      var known = activities.value?.activities,
      let index = known.firstIndex(where: { $0.id == entry.id })
    else {
      let reason = answer.notice(at: context.now)
      notice = reason
      return [.announce(.notice(reason))]
    }
    known[index] = entry
    let kept = activities.amend(ActivitiesAnswer(known), &context)
    drafts.removeAll { $0.activity == saved.activity && $0.text == saved.text }
    notice = .session(.notesSaved)
    return kept + saveScreenState(context) + [.announce(.notice(.session(.notesSaved)))]
  }
}

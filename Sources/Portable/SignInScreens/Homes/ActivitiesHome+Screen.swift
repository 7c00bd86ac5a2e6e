public import SignInEngine
public import SignInFlow
import SignInModel
import SignInWire

extension ActivitiesHome: HomeScreen {
  public static var app: AppName { .mentor }

  private static let words = FetchedTexts(
    loading: .loadingActivities, unknown: .activitiesUnknownTitle,
    offline: .offlineActivitiesAsOf
  )

  public func view(_ localizer: Localizer) -> HomeView {
    let list = HomeView(
      id: "activities",
      place: .activities,
      statusBar: activities.statusBar(localizer, Self.words),
      parts: activities.parts(localizer, Self.words) { self.list($0.activities, localizer) }
    )
    guard activities.value != nil, !activities.isSealed(at: localizer.now) else { return list }
    guard let opened else { return list.choosing(.chooseActivity, localizer) }
    guard let entry else { return localizer.unknownPlace(.activities) }
    return HomeView(
      id: "activity", place: .activities, subject: entry.title, statusBar: list.statusBar,
      back: .back,
      parts: [.beside(list.parts, detail(entry, localizer), chosen: opened)])
  }

  // MARK: One activity

  private func detail(_ entry: ActivityEntry, _ localizer: Localizer) -> [Part] {
    let day = localizer.moment(entry.startsAt, .day)
    let time: [Phrase.Piece] = [
      .moment(localizer.moment(entry.startsAt, .clock)), .words(" – "),
      .moment(localizer.moment(entry.endsAt, .clock)),
    ]
    let state = state(of: entry)
    var parts: [Part] = [
      .button(localizer.pageBack),
      .subject(
        id: PagePart.record.rawValue, text: entry.title, badge: localizer.badge(entry.status)),
      .fact(id: "day", symbol: .calendar, text: Phrase(day)),
      .fact(id: "time", symbol: .clock, text: Phrase(time)),
      .fact(id: "place", symbol: .place, text: Phrase(entry.place)),
      .fact(id: "with", symbol: .person, text: Phrase(entry.companion)),
      .field(
        Field(
          id: FieldName.notes.rawValue, kind: .lines, label: localizer.say(.notes),
          value: notes(of: entry),
          error: state == .tooLong ? localizer.say(.notesTooLong) : nil, autofill: "off")),
      localizer.note(state),
    ]
    if state.canTryAgain {
      parts.append(.button(localizer.button(.saveNotes, .tryAgain, .secondary)))
    }
    return parts
  }

  // MARK: The list

  private func list(_ entries: [ActivityEntry], _ localizer: Localizer) -> [Part] {
    guard !entries.isEmpty else {
      return [
        .empty(
          id: "none", symbol: .calendar, title: localizer.say(.noActivitiesTitle),
          text: localizer.say(.noActivitiesAdvice)
        )
      ]
    }
    // Unsent notes of an earlier day stay in sight.
    var days = DaySections<ActivityEntry>(
      localizer, startsAt: { $0.startsAt }, row: { row($0, localizer) })
    let earlier = entries.filter { days.isBeforeToday($0) && !isChanged($0) }
    let current = entries.filter { !days.isBeforeToday($0) || isChanged($0) }
    days.addDays(current, emptyToday: localizer.say(.noActivityToday))
    days.addFold(earlier, .earlierListed, isOpen: showsEarlier)
    return [.sections(id: "activities", days.sections)]
  }

  private func row(_ entry: ActivityEntry, _ localizer: Localizer) -> Row {
    var lines = [
      Row.Line(symbol: .person, text: entry.companion),
      Row.Line(symbol: .place, text: entry.place),
    ]
    if isChanged(entry) {
      lines.append(localizer.unsentLine)
    }
    var row = Row(
      id: entry.id,
      from: localizer.moment(entry.startsAt, .clock),
      to: localizer.moment(entry.endsAt, .clock),
      title: entry.title, lines: lines, badge: localizer.badge(entry.status)
    )
    row.action = RowAction(button: ButtonName.openActivity.rawValue, item: entry.id)
    return row
  }
}

extension ActivitiesHome.NotesState {
  fileprivate var canTryAgain: Bool {
    switch self {
    case .unsent, .refused: true
    case .unchanged, .saving, .saved, .tooLong: false
    }
  }
}

extension Localizer {
  /// What happened to the notes, beside the field.
  fileprivate func note(_ state: ActivitiesHome.NotesState) -> Part {
    let id = "outcome"
    switch state {
    case .unchanged, .tooLong: return .note(id: id, text: "")
    case .saving: return .note(id: id, text: say(.savingNotes))
    case .unsent: return .note(id: id, text: say(.statusUnsent), severity: .info)
    case .saved(let at):
      let time = moment(at, .clock).text
      return .note(id: id, text: say(.statusSavedAt, "time", time), severity: .success)
    case .refused(let reason): return .note(id: id, text: notice(reason), severity: .error)
    }
  }

  fileprivate func badge(_ status: String) -> Badge {
    switch status {
    case "planned": Badge(text: say(.planned), severity: .neutral)
    case "held": Badge(text: say(.held), severity: .success)
    case "cancelled": Badge(text: say(.cancelled), severity: .error)
    default: Badge(text: status, severity: .neutral)
    }
  }

  /// The button that goes back to the home screen.
  var pageBack: Button {
    var button = button(.back, .back, .quiet)
    button.symbol = .back
    return button
  }

  func activitiesListed(_ count: Int64) -> String {
    count == 1 ? say(.activityListed) : say(.activitiesListed, "count", "\(count)")
  }
}

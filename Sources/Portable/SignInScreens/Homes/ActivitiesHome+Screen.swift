import SignInFlow
import SignInModel
import SignInWire

extension ActivitiesHome {
  private static let words = FetchedWords(
    loading: .loadingActivities, unknown: .activitiesUnknownTitle,
    offline: .offlineActivitiesAsOf
  )

  func view(_ speaker: Speaker) -> HomeView {
    if let entry { return detail(entry, speaker) }
    return HomeView(
      id: "activities",
      place: .activities,
      statusBar: activities.statusBar(speaker, Self.words),
      parts: activities.parts(speaker, Self.words) { list($0.activities, speaker) }
    )
  }

  // MARK: One activity

  private func detail(_ entry: ActivityEntry, _ speaker: Speaker) -> HomeView {
    let day = speaker.moment(entry.startsAt, .day)
    let time = speaker.moment(entry.startsAt, .clock)
    var save = speaker.button(.saveNotes, isSaving ? .savingNotes : .saveNotes, .primary)
    save.isBusy = isSaving
    save.isEnabled = isChanged(entry)
    var parts: [Part] = [.button(speaker.pageBack)]
    if let notice { parts.append(.banner(speaker.banner(notice))) }
    parts += [
      .subject(id: "subject", text: entry.title, badge: speaker.badge(entry.status)),
      .fact(id: "day", symbol: .calendar, text: Phrase(day)),
      .fact(id: "time", symbol: .clock, text: Phrase(time)),
      .fact(id: "place", symbol: .place, text: Phrase(entry.place)),
      .fact(id: "with", symbol: .person, text: Phrase(entry.companion)),
      .field(
        Field(
          id: FieldName.notes.rawValue, kind: .lines, label: speaker.say(.notes),
          value: notes(of: entry), help: isChanged(entry) ? speaker.say(.notesKept) : nil,
          autofill: "off")),
      .button(save),
    ]
    return HomeView(
      id: "activity", place: .activities, statusBar: activities.statusBar(speaker, Self.words),
      back: .back, parts: parts
    )
  }

  // MARK: The list

  private func list(_ entries: [ActivityEntry], _ speaker: Speaker) -> [Part] {
    guard !entries.isEmpty else {
      return [
        .empty(
          id: "none", symbol: .calendar, title: speaker.say(.noActivitiesTitle),
          text: speaker.say(.noActivitiesAdvice)
        )
      ]
    }
    let clock = speaker.format.wallClock
    let today = clock.day(of: speaker.now)
    var sections: [Section] = []
    var rows: [Row] = []
    for (index, entry) in entries.enumerated() {
      rows.append(row(entry, speaker))
      let here = clock.day(of: entry.startsAt)
      if index + 1 < entries.count, clock.day(of: entries[index + 1].startsAt) == here { continue }
      let title = Phrase(speaker.moment(entry.startsAt, .day))
      sections.append(
        Section(
          id: "day-\(here)", title: here == today ? Phrase(speaker.say(.today)) : title,
          rows: rows, emptyText: ""))
      rows = []
    }
    return [.sections(id: "activities", sections)]
  }

  private func row(_ entry: ActivityEntry, _ speaker: Speaker) -> Row {
    var lines = [
      Row.Line(symbol: .person, text: entry.companion),
      Row.Line(symbol: .place, text: entry.place),
    ]
    if isChanged(entry) {
      lines.append(Row.Line(symbol: .clock, text: speaker.say(.notesKept)))
    }
    var row = Row(
      id: entry.id,
      from: speaker.moment(entry.startsAt, .clock),
      to: speaker.moment(entry.endsAt, .clock),
      title: entry.title, lines: lines, badge: speaker.badge(entry.status)
    )
    row.action = RowAction(button: ButtonName.openActivity.rawValue, item: entry.id)
    return row
  }
}

extension Speaker {
  fileprivate func badge(_ status: String) -> Badge {
    switch status {
    case "planned": Badge(text: say(.planned), severity: .neutral)
    case "held": Badge(text: say(.held), severity: .success)
    case "cancelled": Badge(text: say(.cancelled), severity: .error)
    default: Badge(text: status, severity: .neutral)
    }
  }

  /// The way back to the home screen.
  var pageBack: Button {
    var button = button(.back, .back, .quiet)
    button.symbol = .back
    return button
  }

  func activitiesListed(_ count: Int64) -> String {
    count == 1 ? say(.activityListed) : say(.activitiesListed, "count", "\(count)")
  }
}

import SignInFlow
import SignInModel
import SignInWire

extension SessionKeeping {
  func screen(_ speaker: Speaker) -> Screen {
    var parts: [Part] = []
    if let notice { parts.append(.banner(speaker.banner(notice))) }
    switch jobs {
    case .unknown: parts += unknownJobs(speaker)
    case .dashboard(let dashboard, let asOf):
      parts.append(toolbar(speaker, asOf))
      parts += speaker.dashboard(dashboard)
    case .listed(let entries, let asOf):
      parts.append(toolbar(speaker, asOf))
      parts += list(entries, speaker)
    }
    return Screen(
      id: speaker.app == .rider ? "dashboard" : "jobs",
      title: speaker.windowTitle(speaker.home),
      layout: .page,
      header: header(speaker),
      statusBar: statusBar(speaker),
      parts: parts
    )
  }

  private func toolbar(_ speaker: Speaker, _ asOf: Instant) -> Part {
    .toolbar(
      id: "toolbar",
      text: Phrase(speaker.say(.jobsAsOf), filling: .moment(speaker.moment(asOf, .clock))),
      button: refreshButton(speaker, .secondary)
    )
  }

  private func refreshButton(_ speaker: Speaker, _ kind: Button.Kind) -> Button {
    let isBusy = loading != nil
    var button = speaker.button(.refresh, isBusy ? .updatingJobs : .refresh, kind)
    button.isBusy = isBusy
    button.symbol = .refresh
    return button
  }

  private func unknownJobs(_ speaker: Speaker) -> [Part] {
    if let loading {
      return [
        .progress(id: "loading", label: speaker.say(speaker.loadingHome)),
        .note(id: "note", text: speaker.patience(loading, veryLong: .takingLong)),
      ]
    }
    guard let problem else { return [] }
    return [
      .empty(
        id: "unknown", symbol: .cloud, title: speaker.say(speaker.homeUnknown),
        text: speaker.notice(problem)
      ),
      .button(refreshButton(speaker, .primary)),
    ]
  }

  private func header(_ speaker: Speaker) -> Header {
    let name = account?.name ?? ""
    var lines: [String] = []
    if let email = account?.email {
      lines.append(email)
    } else if let phone = account?.phone {
      lines.append(phone)
    }
    let organization = record.terms.organization?.text ?? ""
    if !organization.isEmpty { lines.append(organization) }
    return Header(
      place: speaker.say(speaker.home),
      organization: organization,
      menu: Menu(
        id: ButtonName.accountMenu.rawValue,
        label: speaker.say(.accountMenu),
        fullLabel: name.isEmpty
          ? speaker.say(.accountMenu) : speaker.say(.accountMenuNamed, "name", name),
        initials: Self.initials(of: name),
        isOpen: isMenuOpen,
        name: name,
        lines: lines,
        items: [speaker.button(.signOut, .signOut, .secondary)]
      )
    )
  }

  private func statusBar(_ speaker: Speaker) -> StatusBar? {
    guard problem != nil else { return nil }
    let moment: Moment
    switch jobs {
    case .unknown:
      return isOffline ? StatusBar(id: "status", text: Phrase(speaker.say(.offline))) : nil
    case .listed(_, let asOf), .dashboard(_, let asOf):
      moment = speaker.moment(asOf, .clock)
    }
    let sentence = speaker.say(isOffline ? speaker.offlineHome : speaker.staleHome)
    return StatusBar(id: "status", text: Phrase(sentence, filling: .moment(moment)))
  }

  /// The first letters of the first and the last name.
  private static func initials(of name: String) -> String {
    let words = name.split(separator: " ")
    guard let first = words.first else { return "" }
    guard words.count > 1, let last = words.last else { return String(first.prefix(1)) }
    return String(first.prefix(1)) + String(last.prefix(1))
  }

  // MARK: The list

  private func list(_ entries: [JobEntry], _ speaker: Speaker) -> [Part] {
    guard !entries.isEmpty else {
      return [
        .empty(
          id: "none", symbol: .calendar, title: speaker.say(.noJobsTitle),
          text: speaker.say(.noJobsAdvice)
        )
      ]
    }
    let clock = speaker.format.wallClock
    let today = clock.day(of: speaker.now)
    var days: [Int64] = [today]
    for entry in entries {
      let day = clock.day(of: entry.startsAt)
      if !days.contains(day) { days.append(day) }
    }
    // Today, then what is to come, then what is past, the nearest first.
    days.sort { left, right in
      if (left < today) != (right < today) { return right < today }
      return left < today ? left > right : left < right
    }
    var sections: [Section] = []
    for day in days {
      let planned = entries.filter { clock.day(of: $0.startsAt) == day }
      sections.append(
        Section(
          id: "day-\(day)",
          title: title(of: day - today, planned.first, speaker),
          rows: planned.map(speaker.row),
          emptyText: planned.isEmpty ? speaker.say(.noJobToday) : ""
        ))
    }
    return [.sections(id: "jobs", sections)]
  }

  private func title(of daysAhead: Int64, _ first: JobEntry?, _ speaker: Speaker) -> Phrase {
    if daysAhead == 1 { return Phrase(speaker.say(.tomorrow)) }
    guard daysAhead != 0, let first else { return Phrase(speaker.say(.today)) }
    return Phrase(speaker.moment(first.startsAt, .day))
  }
}

extension Speaker {
  fileprivate func row(_ entry: JobEntry) -> Row {
    Row(
      id: entry.id,
      from: moment(entry.startsAt, .clock),
      to: moment(entry.endsAt, .clock),
      title: entry.title,
      lines: [
        Row.Line(symbol: .person, text: entry.customer),
        Row.Line(symbol: .place, text: entry.place),
      ],
      badge: badge(entry.status)
    )
  }

  private func badge(_ status: String) -> Badge {
    switch status {
    case "scheduled": Badge(text: say(.scheduled), severity: .neutral)
    case "on_the_way": Badge(text: say(.onTheWay), severity: .info)
    case "in_progress": Badge(text: say(.inProgress), severity: .warning)
    case "done": Badge(text: say(.done), severity: .success)
    default: Badge(text: status, severity: .neutral)
    }
  }
}

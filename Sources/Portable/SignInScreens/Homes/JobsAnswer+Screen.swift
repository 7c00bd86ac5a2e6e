public import SignInFlow
import SignInModel
public import SignInWire

extension JobsAnswer: HomeAnswerScreen {
  public static var app: AppName { .technician }

  private static var words: FetchedTexts {
    FetchedTexts(
      loading: .loadingJobs, unknown: .jobsUnknownTitle, offline: .offlineAsOf
    )
  }

  public static func view(
    _ home: ListHome<JobsAnswer>, _ localizer: Localizer
  ) -> HomeView {
    let answer = home.answer
    return home.view(
      HomeView(
        id: "jobs",
        place: .assignedJobs,
        statusBar: answer.statusBar(localizer, words),
        parts: answer.parts(localizer, words) { list(home.shown($0).jobs, localizer) }
      ), localizer, words
    ) { item in
      answer.value.flatMap { home.shown($0).jobs.first { $0.id == item } }
        .map { localizer.details($0) }
    }
  }

  private static func list(_ entries: [JobEntry], _ localizer: Localizer) -> [Part] {
    guard !entries.isEmpty else {
      return [
        .empty(
          id: "none", symbol: .calendar, title: localizer.say(.noJobsTitle),
          text: localizer.say(.noJobsAdvice)
        )
      ]
    }
    let clock = localizer.format.wallClock
    let today = clock.day(of: localizer.now)
    var days: [Int64] = [today]
    for entry in entries {
      let day = clock.day(of: entry.startsAt)
      if !days.contains(day) { days.append(day) }
    }
    // The order is: today, then future days, then past days. The nearest days come first.
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
          title: title(of: day - today, planned.first, localizer),
          rows: planned.map(localizer.row),
          emptyText: planned.isEmpty ? localizer.say(.noJobToday) : ""
        ))
    }
    return [.sections(id: "jobs", sections)]
  }

  private static func title(of daysAhead: Int64, _ first: JobEntry?, _ localizer: Localizer)
    -> Phrase
  {
    if daysAhead == 1 { return Phrase(localizer.say(.tomorrow)) }
    guard daysAhead != 0, let first else { return Phrase(localizer.say(.today)) }
    return Phrase(localizer.moment(first.startsAt, .day))
  }
}

extension Localizer {
  fileprivate func row(_ entry: JobEntry) -> Row {
    var row = Row(
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
    row.action = RowAction(button: ButtonName.openItem.rawValue, item: entry.id)
    return row
  }

  fileprivate func details(_ entry: JobEntry) -> WorkDetails {
    WorkDetails(
      title: entry.title, badge: badge(entry.status), startsAt: entry.startsAt,
      endsAt: entry.endsAt, person: entry.customer, place: entry.place, phone: entry.phone,
      instructions: entry.instructions, status: entry.status)
  }

  private func badge(_ status: String) -> Badge {
    switch status {
    case "scheduled": Badge(text: say(.scheduled), severity: .neutral)
    case "on_the_way": Badge(text: say(.onTheWay), severity: .info)
    case "in_progress": Badge(text: say(.inProgress), severity: .warning)
    case "problem": Badge(text: say(.problem), severity: .error)
    case "done": Badge(text: say(.done), severity: .success)
    default: Badge(text: status, severity: .neutral)
    }
  }
}

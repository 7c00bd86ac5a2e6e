import SignInFlow
import SignInModel
import SignInWire

extension ReadingHome<JobsAnswer> {
  private static var words: FetchedWords {
    FetchedWords(
      loading: .loadingJobs, unknown: .jobsUnknownTitle, offline: .offlineAsOf
    )
  }

  func view(_ speaker: Speaker) -> HomeView {
    HomeView(
      id: "jobs",
      place: .assignedJobs,
      statusBar: answer.statusBar(speaker, Self.words),
      parts: answer.parts(speaker, Self.words) { list($0.jobs, speaker) }
    )
  }

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

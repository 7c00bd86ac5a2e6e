import SignInFlow
import SignInModel
import SignInWire

extension JobsHome {
  private static let words = FetchedWords(
    loading: .loadingJobs, unknown: .jobsUnknownTitle, offline: .offlineAsOf, stale: .staleAsOf
  )

  func view(_ speaker: Speaker, utcOffsetSeconds: Int64) -> HomeView {
    HomeView(
      id: "jobs",
      place: .assignedJobs,
      statusBar: jobs.statusBar(speaker, Self.words),
      parts: jobs.parts(speaker, Self.words) { entries in
        list(entries, speaker, Calendar(utcOffsetSeconds: utcOffsetSeconds))
      }
    )
  }

  private func list(_ entries: [JobEntry], _ speaker: Speaker, _ calendar: Calendar) -> [Part] {
    guard !entries.isEmpty else {
      return [
        .empty(
          id: "none", symbol: .calendar, title: speaker.say(.noJobsTitle),
          text: speaker.say(.noJobsAdvice)
        )
      ]
    }
    let today = calendar.day(of: speaker.now)
    var days: [Int64] = [today]
    for entry in entries {
      let day = calendar.day(of: entry.startsAt)
      if !days.contains(day) { days.append(day) }
    }
    // Today, then what is to come, then what is past, the nearest first.
    days.sort { left, right in
      if (left < today) != (right < today) { return right < today }
      return left < today ? left > right : left < right
    }
    var sections: [Section] = []
    for day in days {
      var rows: [Row] = []
      for entry in entries where calendar.day(of: entry.startsAt) == day {
        rows.append(speaker.row(entry))
      }
      sections.append(
        Section(
          id: "day-\(day)",
          title: title(of: day, today, speaker, calendar),
          rows: rows,
          emptyText: rows.isEmpty ? speaker.say(.noJobToday) : ""
        ))
    }
    return [.sections(id: "jobs", sections)]
  }

  private func title(
    of day: Int64, _ today: Int64, _ speaker: Speaker, _ calendar: Calendar
  ) -> Phrase {
    if day == today { return Phrase(speaker.say(.today)) }
    if day == today + 1 { return Phrase(speaker.say(.tomorrow)) }
    return Phrase(Moment(seconds: calendar.noon(of: day), style: .day))
  }
}

extension Speaker {
  fileprivate func row(_ entry: JobEntry) -> Row {
    Row(
      id: entry.id,
      from: Moment(seconds: entry.startsAt.seconds, style: .clock),
      to: Moment(seconds: entry.endsAt.seconds, style: .clock),
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

/// Days as the person's own clock counts them.
private struct Calendar {
  static let daySeconds: Int64 = 24 * 60 * 60

  let utcOffsetSeconds: Int64

  /// Days since 1 January 1970, where the person is.
  func day(of moment: Instant) -> Int64 {
    let seconds = moment.seconds + utcOffsetSeconds
    return seconds >= 0
      ? seconds / Self.daySeconds : (seconds - Self.daySeconds + 1) / Self.daySeconds
  }

  /// A moment that falls on the day wherever the clock is read.
  func noon(of day: Int64) -> Int64 {
    day * Self.daySeconds + Self.daySeconds / 2 - utcOffsetSeconds
  }
}

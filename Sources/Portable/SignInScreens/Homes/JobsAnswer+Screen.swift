public import SignInEngine
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
        parts: answer.parts(localizer, words) { list(home, home.shown($0).jobs, localizer) }
      ), localizer, .chooseJob
    ) { item in
      answer.value.flatMap { home.shown($0).jobs.first { $0.id == item } }
        .map { localizer.details($0) }
    }
  }

  /// The jobs in progress come first, then today's open ones, and the finished ones of all days
  /// last.
  private static func list(
    _ home: ListHome<JobsAnswer>, _ entries: [JobEntry], _ localizer: Localizer
  ) -> [Part] {
    guard !entries.isEmpty else {
      return [
        .empty(
          id: "none", symbol: .calendar, title: localizer.say(.noJobsTitle),
          text: localizer.say(.noJobsAdvice)
        )
      ]
    }
    let finished = entries.filter { isFinished($0.status) }
    var days = DaySections<JobEntry>(
      localizer, startsAt: { $0.startsAt },
      row: { localizer.row($0, isUnsent: home.isUnsent($0.id)) })
    let begun = entries.filter { isBegun($0.status) }
    var waiting = entries.filter { !isFinished($0.status) && !isBegun($0.status) }
    let next = waiting.first { $0.status == "scheduled" && days.isToday($0) }
    waiting.removeAll { $0.id == next?.id }
    days.addCurrent(begun, .inProgress, id: "begun")
    days.addCurrent(next.map { [$0] } ?? [], .nextJob, id: "next")
    let none: Sentence = finished.isEmpty ? .noJobToday : .noJobLeftToday
    let isOther = next != nil || begun.contains { days.isToday($0) }
    let empty: Sentence = isOther ? .noOtherJobToday : none
    days.addDays(waiting, emptyToday: localizer.say(empty))
    days.addFold(finished, .finishedListed, isOpen: home.showsFinished)
    return [.sections(id: "jobs", days.sections)]
  }
}

extension JobsAnswer {
  private static func isBegun(_ status: String) -> Bool {
    status == "in_progress" || status == "on_the_way"
  }
}

extension Localizer {
  fileprivate func row(_ entry: JobEntry, isUnsent: Bool) -> Row {
    var lines = [
      Row.Line(symbol: .person, text: entry.customer),
      Row.Line(symbol: .place, text: entry.place),
    ]
    if isUnsent { lines.append(unsentLine) }
    var row = Row(
      id: entry.id,
      from: moment(entry.startsAt, .clock),
      to: moment(entry.endsAt, .clock),
      title: entry.title, lines: lines, badge: badge(entry.status)
    )
    row.action = RowAction(button: ButtonName.openItem.rawValue, item: entry.id)
    return row
  }

  fileprivate func details(_ entry: JobEntry) -> WorkDetails {
    WorkDetails(
      title: entry.title, badge: badge(entry.status), startsAt: entry.startsAt,
      endsAt: entry.endsAt, person: entry.customer, place: entry.place, phone: entry.phone,
      instructions: entry.instructions, status: entry.status,
      statusNote: entry.statusNote)
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

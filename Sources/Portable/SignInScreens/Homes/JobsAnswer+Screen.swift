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

  /// Today's open jobs come first, and the finished ones of all days last.
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
    var open = entries.filter { !isFinished($0.status) }
    var empty: Sentence = finished.isEmpty ? .noJobToday : .noJobLeftToday
    let today = open.filter { days.isToday($0) }
    // The job that was begun comes before the others, which are in order of time.
    let begun = today.first { $0.status == "in_progress" || $0.status == "on_the_way" }
    if let next = begun ?? today.first(where: { $0.status == "scheduled" }) {
      days.addNext(next, .nextJob)
      open.removeAll { $0.id == next.id }
      empty = .noOtherJobToday
    }
    days.addDays(open, emptyToday: localizer.say(empty))
    days.addFold(finished, .finishedListed, isOpen: home.showsFinished)
    return [.sections(id: "jobs", days.sections)]
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

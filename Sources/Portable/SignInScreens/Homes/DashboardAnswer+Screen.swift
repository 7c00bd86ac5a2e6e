public import SignInEngine
public import SignInFlow
import SignInModel
public import SignInWire

extension DashboardAnswer: HomeAnswerScreen {
  public static var app: AppName { .rider }

  private static var words: FetchedTexts {
    FetchedTexts(
      loading: .loadingDeliveries, unknown: .deliveriesUnknownTitle,
      offline: .offlineDeliveriesAsOf
    )
  }

  public static func view(
    _ home: ListHome<DashboardAnswer>, _ localizer: Localizer
  ) -> HomeView {
    let answer = home.answer
    return home.view(
      HomeView(
        id: "dashboard",
        place: .dashboard,
        statusBar: answer.statusBar(localizer, words),
        parts: answer.parts(localizer, words) { localizer.dashboard(home, home.shown($0)) }
      ), localizer, .chooseDelivery
    ) { item in
      answer.value.flatMap { home.shown($0).deliveries.first { $0.id == item } }
        .map { localizer.details($0) }
    }
  }
}

extension Localizer {
  /// A rider's day by promised time: the next delivery, the later ones, the finished ones, and the
  /// counts.
  fileprivate func dashboard(
    _ home: ListHome<DashboardAnswer>, _ dashboard: DashboardAnswer
  ) -> [Part] {
    guard !dashboard.deliveries.isEmpty else {
      return [
        .empty(
          id: "none", symbol: .calendar, title: say(.noDeliveriesTitle),
          text: say(.noDeliveriesAdvice)
        )
      ]
    }
    func row(_ entry: DashboardAnswer.Entry) -> Row {
      self.row(entry, isUnsent: home.isUnsent(entry.id))
    }
    let open = dashboard.deliveries.filter { !DashboardAnswer.isFinished($0.status) }
    var day = DaySections<DashboardAnswer.Entry>(self, startsAt: { $0.startsAt }, row: row)
    // A rider can pick up all deliveries in the morning, so the first one is next.
    day.addCurrent(Array(open.prefix(1)), .nextDelivery, id: "next")
    day.add(
      Section(
        id: "deliveries-today", title: Phrase(say(.deliveriesToday)),
        rows: open.dropFirst().map(row),
        emptyText: say(open.isEmpty ? .noDeliveryLeft : .noOtherDelivery)))
    day.addFold(
      dashboard.deliveries.filter { DashboardAnswer.isFinished($0.status) }, .finishedListed,
      isOpen: home.showsFinished)
    return [
      .sections(id: "deliveries", day.sections),
      .figures(
        id: "summary", label: say(.summary),
        [
          Figure(label: say(.remaining), value: format.number(dashboard.remaining)),
          Figure(label: say(.delivered), value: format.number(dashboard.delivered)),
          Figure(label: say(.notDelivered), value: format.number(dashboard.failed)),
          Figure(label: say(.total), value: format.number(dashboard.total)),
        ]
      ),
    ]
  }

  fileprivate func details(_ entry: DashboardAnswer.Entry) -> WorkDetails {
    WorkDetails(
      title: entry.recipient, badge: deliveryBadge(entry.status), startsAt: entry.startsAt,
      endsAt: entry.endsAt, parcels: say(.parcels, one: .parcel, count: entry.parcels),
      place: entry.place, phone: entry.phone, instructions: entry.instructions,
      status: entry.status,
      statusNote: entry.statusNote)
  }

  private func row(_ entry: DashboardAnswer.Entry, isUnsent: Bool) -> Row {
    let parcels = say(.parcels, one: .parcel, count: entry.parcels)
    var lines = [
      Row.Line(symbol: .place, text: entry.place), Row.Line(symbol: .parcel, text: parcels),
    ]
    if isUnsent { lines.append(unsentLine) }
    var row = Row(
      id: entry.id,
      from: moment(entry.startsAt, .clock),
      to: moment(entry.endsAt, .clock),
      title: entry.recipient, lines: lines, badge: deliveryBadge(entry.status)
    )
    row.action = RowAction(button: ButtonName.openItem.rawValue, item: entry.id)
    return row
  }

  private func deliveryBadge(_ status: String) -> Badge {
    switch status {
    case "assigned": Badge(text: say(.assigned), severity: .neutral)
    case "picked_up": Badge(text: say(.pickedUp), severity: .info)
    case "delivered": Badge(text: say(.delivered), severity: .success)
    case "failed": Badge(text: say(.notDelivered), severity: .error)
    default: Badge(text: status, severity: .neutral)
    }
  }
}

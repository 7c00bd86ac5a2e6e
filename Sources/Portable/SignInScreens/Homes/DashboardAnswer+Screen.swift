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
        parts: answer.parts(localizer, words) { localizer.dashboard(home.shown($0)) }
      ), localizer, words
    ) { item in
      answer.value.flatMap { home.shown($0).deliveries.first { $0.id == item } }
        .map { localizer.details($0) }
    }
  }
}

extension Localizer {
  /// A rider's day: the counts, then each delivery by its promised time.
  fileprivate func dashboard(_ dashboard: DashboardAnswer) -> [Part] {
    guard !dashboard.deliveries.isEmpty else {
      return [
        .empty(
          id: "none", symbol: .calendar, title: say(.noDeliveriesTitle),
          text: say(.noDeliveriesAdvice)
        )
      ]
    }
    var rows: [Row] = []
    for entry in dashboard.deliveries { rows.append(row(entry)) }
    return [
      .figures(
        id: "summary", label: say(.summary),
        [
          Figure(label: say(.remaining), value: format.number(dashboard.remaining)),
          Figure(label: say(.delivered), value: format.number(dashboard.delivered)),
          Figure(label: say(.notDelivered), value: format.number(dashboard.failed)),
          Figure(label: say(.total), value: format.number(dashboard.total)),
        ]
      ),
      .sections(
        id: "deliveries",
        [
          Section(
            id: "deliveries-today", title: Phrase(say(.deliveriesToday)), rows: rows,
            emptyText: ""
          )
        ]
      ),
    ]
  }

  fileprivate func details(_ entry: DashboardAnswer.Entry) -> WorkDetails {
    WorkDetails(
      title: entry.recipient, badge: deliveryBadge(entry.status), startsAt: entry.startsAt,
      endsAt: entry.endsAt, parcels: say(.parcels, one: .parcel, count: entry.parcels),
      place: entry.place, phone: entry.phone, instructions: entry.instructions,
      status: entry.status)
  }

  private func row(_ entry: DashboardAnswer.Entry) -> Row {
    let parcels = say(.parcels, one: .parcel, count: entry.parcels)
    var row = Row(
      id: entry.id,
      from: moment(entry.startsAt, .clock),
      to: moment(entry.endsAt, .clock),
      title: entry.recipient,
      lines: [
        Row.Line(symbol: .place, text: entry.place),
        Row.Line(symbol: .parcel, text: parcels),
      ],
      badge: deliveryBadge(entry.status)
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

import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow
@testable import SignInScreens

@Suite("The screen of the overview")
struct OverviewScreenTests {
  private func parts(_ answer: OverviewAnswer) -> [Part] {
    var context = FlowContext()
    context.setApp(.console, page: "page")
    context.setTime(at: ScreenDriver.startTime)
    var home = ConsoleHome()
    _ = home.open(&context)
    guard let id = context.takeQueuedRequests().last?.id else { return [] }
    let received = Answer.received(status: 200, body: answer.json, serverSeconds: nil)
    _ = home.handle(.answered(id, received), &context)
    return home.view(Localizer(context)).parts
  }

  private func answer(
    pending: Int64 = 0, locked: Int64 = 0, failed: Int64 = 0, organizations: [String]? = nil
  ) -> OverviewAnswer {
    var days: [OverviewAnswer.Day] = []
    for number: Int64 in 0..<14 {
      var day = OverviewAnswer.Day(CalendarDay(number: 20_000 + number))
      day.signIns = 100 * number
      day.failures = number
      day.codesSent = 3
      day.codesEntered = 2
      days.append(day)
    }
    return OverviewAnswer(
      days: days, organizations: organizations.map { $0.map { OrganizationID($0) } },
      openSessions: 1234, pendingAccounts: pending, lockedAccounts: locked, failedMessages: failed)
  }

  @Test("T-16 the figures are those of today")
  func figures() {
    for case .figures(_, _, let figures) in parts(answer()) {
      #expect(figures.map(\.value) == ["1,300", "13", "1,234"])
      let place = "events?kind=failures&from=2024-10-17&until=2024-10-17"
      #expect(figures.map { $0.action?.item } == [nil, place, nil])
    }
  }

  @Test("T-16 each chart has the same counts as lines and as a table")
  func charts() {
    let charts = parts(answer()).compactMap { part in
      if case .chart(let chart) = part { chart } else { nil }
    }
    #expect(charts.map(\.id) == ["sign-ins", "codes"])
    for chart in charts {
      #expect(chart.columns.dropFirst() == chart.lines.map(\.name)[...])
      #expect(chart.rows.count == 14)
      for (index, row) in chart.rows.enumerated() {
        let numbers = row.dropFirst().map { Int64($0.filter(\.isNumber)) }
        #expect(numbers == chart.lines.map { $0.values[index] })
      }
    }
  }

  @Test(
    "T-16 the upper edge of a chart is a round number that no value exceeds",
    arguments: [(0, 5), (5, 5), (6, 10), (10, 10), (11, 20), (21, 50), (51, 100), (1300, 2000)])
  func top(_ highest: Int64, _ top: Int64) {
    let line = Chart.Line(name: "", tone: .success, values: [0, highest])
    #expect(Chart.top(of: [line]) == top)
  }

  @Test("T-16 the upper edge of the largest count does not overflow")
  func largest() {
    let line = Chart.Line(name: "", tone: .success, values: [JSON.highestCount])
    #expect(Chart.top(of: [line]) == 5_000_000_000)
  }

  @Test("T-16 only lists with entries need attention, and each leads to its list")
  func attention() {
    for case .table(let table) in parts(answer(pending: 2, failed: 3)) {
      #expect(table.showsLabel && table.label == "Needs attention")
      #expect(
        table.rows.map(\.action) == [
          RowAction(button: "console_tab", item: ConsoleHome.pendingPlace),
          RowAction(button: "console_tab", item: ConsoleHome.failedPlace),
        ])
    }
    let calm = parts(answer())
    #expect(calm.contains { part in if case .table = part { true } else { false } } == false)
    #expect(
      calm.contains(
        .text(id: "attention", text: Phrase("Nothing needs attention."), tone: .muted)))
  }

  @Test("T-16 the overview says which organizations it counts")
  func organizations() {
    let shown = parts(answer(organizations: ["north", "south"]))
    #expect(
      shown.last
        == .text(
          id: "days", text: Phrase("Only north, south. A day begins at midnight UTC."),
          tone: .caption))
  }
}

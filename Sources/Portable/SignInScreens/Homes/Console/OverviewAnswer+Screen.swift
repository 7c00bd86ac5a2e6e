import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

extension ConsoleHome {
  /// The names of the organizations are the identifiers until the organizations are read.
  func overviewParts(_ localizer: Localizer) -> [Part] {
    let organizations = policies.organizations
    return overview.parts(localizer, Self.words) { $0.parts(localizer, organizations) }
  }
}

extension OverviewAnswer {
  fileprivate func parts(
    _ localizer: Localizer, _ known: FetchedValue<[OrganizationCard]>
  ) -> [Part] {
    let number = localizer.format.number
    let today = days.last
    var parts: [Part] = [
      .figures(
        id: "today", label: localizer.say(.summary),
        [
          Figure(label: localizer.say(.signInsToday), value: number(today?.signIns ?? 0)),
          Figure(
            label: localizer.say(.failuresToday), value: number(today?.failures ?? 0),
            action: today.map {
              RowAction(
                button: ButtonName.consoleTab.rawValue, item: ConsoleHome.failuresPlace(on: $0.day))
            }),
          Figure(label: localizer.say(.openSessions), value: number(openSessions)),
        ])
    ]
    parts.append(attention(localizer))
    parts += [.chart(signInChart(localizer)), .chart(codeChart(localizer))]
    var note = localizer.say(.dayNote)
    if let organizations {
      var names = ""
      for id in organizations {
        names += (names.isEmpty ? "" : ", ") + localizer.name(of: id, known)
      }
      let only = Template.fill(
        localizer.say(.ofOrganizations), [(name: "organizations", value: names)])
      note = only + " " + note
    }
    parts.append(.text(id: "days", text: Phrase(note), tone: .caption))
    return parts
  }

  /// The lists that an administrator must look at, without the empty ones.
  private func attention(_ localizer: Localizer) -> Part {
    var rows: [TableRow] = []
    func add(_ count: Int64, _ sentence: OverviewSentence, _ place: String) {
      guard count > 0 else { return }
      rows.append(
        TableRow(
          id: sentence.rawValue,
          cells: [
            TableRow.Cell(text: Phrase(localizer.say(sentence))),
            TableRow.Cell(text: Phrase(localizer.format.number(count))),
          ],
          action: RowAction(button: ButtonName.consoleTab.rawValue, item: place)))
    }
    add(pendingAccounts, .pendingAccounts, ConsoleHome.pendingPlace)
    add(lockedAccounts, .lockedAccounts, ConsoleHome.lockedPlace)
    add(failedMessages, .failedMessages, ConsoleHome.failedPlace)
    guard !rows.isEmpty else {
      return .text(id: "attention", text: Phrase(localizer.say(.nothing)), tone: .muted)
    }
    return .table(
      Table(
        id: "attention", label: localizer.say(.attention),
        columns: [localizer.say(.attentionList), localizer.say(.attentionNumber)], rows: rows,
        showsLabel: true))
  }

  private func signInChart(_ localizer: Localizer) -> Chart {
    let lines = [
      line(.signIns, .success, localizer) { $0.signIns },
      line(.failures, .warning, localizer) { $0.failures },
      line(.locks, .error, localizer) { $0.locks },
    ]
    return chart("sign-ins", .signInChart, lines, localizer)
  }

  private func codeChart(_ localizer: Localizer) -> Chart {
    let lines = [
      line(.codesSent, .neutral, localizer) { $0.codesSent },
      line(.codesDelivered, .info, localizer) { $0.codesDelivered },
      line(.codesEntered, .success, localizer) { $0.codesEntered },
    ]
    return chart("codes", .codeChart, lines, localizer)
  }

  private func line(
    _ name: OverviewSentence, _ tone: Severity, _ localizer: Localizer,
    _ value: (Day) -> Int64
  ) -> Chart.Line {
    Chart.Line(name: localizer.say(name), tone: tone, values: days.map(value))
  }

  private func chart(
    _ id: String, _ label: OverviewSentence, _ lines: [Chart.Line], _ localizer: Localizer
  ) -> Chart {
    var columns = [localizer.say(.dayColumn)]
    for line in lines { columns.append(line.name) }
    var rows: [[String]] = []
    for (index, day) in days.enumerated() {
      var row = [localizer.format.date(day.day)]
      for line in lines { row.append(localizer.format.number(line.values[index])) }
      rows.append(row)
    }
    let top = Chart.top(of: lines)
    return Chart(
      id: id, label: localizer.say(label), lines: lines, top: top,
      topText: localizer.format.number(top), columns: columns, rows: rows,
      tableLabel: localizer.say(.showTable))
  }
}

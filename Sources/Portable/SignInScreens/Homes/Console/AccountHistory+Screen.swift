import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

extension AccountCard {
  /// The answer to the question why the person cannot sign in.
  func signInStatus(_ localizer: Localizer) -> Part {
    var values = [(name: "name", value: entry.name)]
    func said(_ sentence: HistorySentence) -> String {
      Template.fill(localizer.tell(sentence), values)
    }
    let text: String
    switch blockReason {
    case nil:
      text = said(.canSignIn) + lastSignIn(localizer)
    case .pending: text = said(.pending)
    case .rejected: text = said(.rejected)
    case .deactivated: text = said(.deactivated)
    case .stopped: text = said(.stopped)
    case .locked(let until):
      values.append((name: "time", value: localizer.moment(until, .dateAndTime).text))
      text = said(.locked)
    case .passwordWaits(let until):
      values.append((name: "time", value: localizer.moment(until, .dateAndTime).text))
      text = said(.passwordWaits)
    case .passwordMissing: text = said(.passwordMissing)
    case .codeFailed: text = said(.codeFailed)
    }
    return .banner(
      Banner(
        id: "sign-in-status", severity: blockReason == nil ? .success : .warning, text: text,
        dismissal: nil))
  }

  private func lastSignIn(_ localizer: Localizer) -> String {
    guard let at = history.lastSignIn else { return "" }
    let time = localizer.moment(at, .dateAndTime).text
    return " " + Template.fill(localizer.tell(.lastSignIn), [(name: "time", value: time)])
  }

  /// The events and messages of the account, newest first.
  func historyParts(_ localizer: Localizer, _ names: KnownNames) -> [Part] {
    guard let entries = history.entries else {
      if let problem = history.events.problem ?? history.messages.problem {
        return [.note(id: "history-problem", text: localizer.notice(problem), severity: .warning)]
      }
      return [.progress(id: "history-loading", label: localizer.say(.loadingList))]
    }
    guard !entries.isEmpty else {
      return [.text(id: "no-history", text: Phrase(localizer.tell(.noHistory)), tone: .muted)]
    }
    var rows: [TableRow] = []
    for entry in entries {
      switch entry {
      case .event(let event): rows.append(row(event, localizer, names))
      case .message(let message): rows.append(row(message, localizer))
      }
    }
    var parts: [Part] = [
      .table(
        Table(
          id: "history", label: localizer.tell(.history),
          columns: [
            localizer.say(.whatHappened), localizer.say(.when), localizer.say(.app),
            localizer.say(.sessionAction),
          ], rows: rows, showsLabel: true))
    ]
    if history.hasMore {
      var button = localizer.button(.readHistory, .readMore, .secondary)
      button.isBusy = history.isReadingOn
      parts.append(.button(button))
    }
    return parts
  }

  private func row(
    _ event: EventEntry, _ localizer: Localizer, _ names: KnownNames
  ) -> TableRow {
    let administrator = names.account(event.administrator)
    var app = event.client.map { names.app($0) } ?? ""
    if let device = sessions.value?.first(where: { $0.id == event.session })?.device {
      app += (app.isEmpty ? "" : ", ") + localizer.name(of: device)
    }
    var action = TableRow.Cell(text: Phrase(""))
    if let administrator, administrator.id != entry.id {
      action = TableRow.Cell(
        text: Phrase(administrator.name),
        action: RowAction(button: ButtonName.openAccount.rawValue, item: administrator.id.text))
    } else if let session = openSession(of: event) {
      action = TableRow.Cell(
        text: Phrase(localizer.say(.endSession)),
        action: RowAction(button: ButtonName.endSession.rawValue, item: session.id.text))
    }
    var sentence = localizer.sentence(event, by: administrator?.name, times: event.count)
    if let reason = event.deactivationReason { sentence += ": " + reason }
    return TableRow(
      id: event.id,
      cells: [
        TableRow.Cell(text: Phrase(sentence)),
        TableRow.Cell(text: localizer.stamp(event.at)), TableRow.Cell(text: Phrase(app)), action,
      ])
  }

  /// The session that began with the event, if it can be ended.
  private func openSession(of event: EventEntry) -> SessionEntry? {
    guard canEndSession, event.code.hasSameBytes(as: "sign_in.completed") else { return nil }
    return sessions.value?.first { $0.id == event.session && !$0.isCurrent }
  }

  private func row(_ message: MessageEntry, _ localizer: Localizer) -> TableRow {
    let sentence = localizer.tell(message.isCode ? .codeTo : .noticeTo)
    let show = RowAction(
      button: ButtonName.consoleTab.rawValue,
      item: ConsoleHome.place(ofMessage: message.id, of: entry.id))
    return TableRow(
      id: message.id,
      cells: [
        TableRow.Cell(text: Phrase(Template.fill(sentence, [(name: "to", value: message.to)]))),
        TableRow.Cell(text: localizer.stamp(message.createdAt)),
        TableRow.Cell(text: Phrase(""), badges: [localizer.outcome(message.outcome)]),
        TableRow.Cell(text: Phrase(localizer.tell(.showMessage)), action: show),
      ])
  }
}

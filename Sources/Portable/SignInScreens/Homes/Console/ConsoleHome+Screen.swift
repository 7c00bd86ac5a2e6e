import SignInFlow
import SignInModel
import SignInWire

extension ConsoleHome {
  static let words = FetchedWords(
    loading: .loadingList, unknown: .listUnknownTitle, offline: .offlineListAsOf,
    stale: .staleListAsOf
  )

  func view(_ speaker: Speaker) -> HomeView {
    var parts: [Part] = []
    if let account, let asking = account.asking {
      parts.append(speaker.sheet(asking, account))
    }
    if tab == .policies, let question = policies.question(speaker) { parts.append(question) }
    parts.append(tabs(speaker))
    switch tab {
    case .accounts:
      parts.append(
        .split(id: "accounts", list: accountParts(speaker), opened: openedParts(speaker)))
    case .events:
      parts += events.parts(speaker, { $0.table($1) }, empty: .noEvents)
    case .messages:
      parts += messages.parts(speaker, { $0.table($1) }, empty: .noMessages)
    case .policies:
      parts += policies.parts(speaker)
    }
    let isPolicy = tab == .policies && policies.page != nil
    let isOpened = account != nil || creation != nil || isPolicy
    return HomeView(
      id: isPolicy ? "console-policy" : "console-" + tab.rawValue, place: title,
      statusBar: statusBar(speaker),
      back: isOpened ? .back : nil, parts: parts
    )
  }

  private var title: Sentence {
    switch tab {
    case .accounts: .accounts
    case .events: .securityLog
    case .messages: .messageLog
    case .policies: .policies
    }
  }

  private func tabs(_ speaker: Speaker) -> Part {
    func tab(_ tab: Tab, _ label: Sentence) -> TabChoice {
      TabChoice(
        item: tab.rawValue, label: speaker.say(label), button: ButtonName.consoleTab.rawValue,
        isCurrent: tab == self.tab
      )
    }
    return .tabs(
      id: "tabs", label: speaker.say(.console),
      [
        tab(.accounts, .accounts), tab(.events, .securityLog), tab(.messages, .messageLog),
        tab(.policies, .policies),
      ]
    )
  }

  private func statusBar(_ speaker: Speaker) -> StatusBar? {
    switch tab {
    case .accounts: accounts.statusBar(speaker)
    case .events: events.statusBar(speaker)
    case .messages: messages.statusBar(speaker)
    case .policies: policies.statusBar(speaker)
    }
  }

  private func accountParts(_ speaker: Speaker) -> [Part] {
    let statuses = ["active", "pending", "deactivated", "rejected"]
    var choices = [Choice(value: "", name: speaker.say(.everyStatus))]
    for word in statuses {
      choices.append(Choice(value: word, name: speaker.status(word).text))
    }
    let fields = Part.fields(
      id: "filters",
      [
        Field(
          id: FieldName.search.rawValue, kind: .search, label: speaker.say(.searchAccounts),
          value: search, autofill: "off"
        ),
        Field(
          id: FieldName.status.rawValue, kind: .choice(choices), label: speaker.say(.status),
          value: status, autofill: "off"
        ),
      ]
    )
    let new = Part.actions(
      id: "new", [speaker.button(.newTechnician, .newTechnician, .secondary)]
    )
    let opened = account?.entry.id
    let said: [Part] = notice.map { [.banner(speaker.banner($0))] } ?? []
    return said + [fields] + (mayCreate ? [new] : [])
      + accounts.parts(speaker, { $0.table($1, opened: opened) }, empty: .noAccounts)
  }

  private func openedParts(_ speaker: Speaker) -> [Part] {
    if let creation { return creation.parts(speaker, policies.organizations) }
    if let account { return account.parts(speaker, policies.organizations) }
    return []
  }
}

extension Paged {
  /// A toolbar, the table, and the way on; or why there is nothing to show.
  func parts(
    _ speaker: Speaker, _ table: (Speaker, [Entry]) -> Part, empty: ConsoleSentence
  ) -> [Part] {
    guard let entries, let asOf else {
      if let problem {
        return [
          .empty(
            id: "unknown", symbol: .cloud, title: speaker.say(.listUnknownTitle),
            text: speaker.notice(problem)
          ),
          .button(refreshButton(speaker, .primary)),
        ]
      }
      return [.progress(id: "loading", label: speaker.say(.loadingList))]
    }
    let updated = speaker.moment(asOf, .clock)
    var parts: [Part] = [
      .toolbar(
        id: "toolbar", text: Phrase(speaker.say(.jobsAsOf), filling: .moment(updated)),
        button: refreshButton(speaker, .secondary)
      )
    ]
    if entries.isEmpty {
      parts.append(
        .empty(
          id: "none", symbol: .person, title: speaker.say(empty), text: speaker.say(.noneAdvice)
        ))
    } else {
      parts.append(table(speaker, entries))
    }
    if hasMore {
      var button = speaker.button(.readMore, .readMore, .secondary)
      button.isBusy = loading != nil && isReadingOn
      parts.append(.button(button))
    }
    return parts
  }

  func statusBar(_ speaker: Speaker) -> StatusBar? {
    guard problem != nil else { return nil }
    guard let asOf else {
      return isOffline ? StatusBar(id: "status", text: Phrase(speaker.say(.offline))) : nil
    }
    let sentence = speaker.say(isOffline ? .offlineListAsOf : .staleListAsOf)
    let moment = speaker.moment(asOf, .clock)
    return StatusBar(id: "status", text: Phrase(sentence, filling: .moment(moment)))
  }

  private func refreshButton(_ speaker: Speaker, _ kind: Button.Kind) -> Button {
    let isBusy = loading != nil && !isReadingOn
    var button = speaker.button(.refresh, isBusy ? .updatingJobs : .refresh, kind)
    button.isBusy = isBusy
    button.symbol = .refresh
    return button
  }
}

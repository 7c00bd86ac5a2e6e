import SignInFlow
import SignInModel

extension SessionsPage {
  private static let words = FetchedWords(
    loading: .loadingSessions, unknown: .sessionsUnknownTitle, offline: .offlineSessionsAsOf,
    stale: .staleSessionsAsOf
  )

  func view(_ speaker: Speaker) -> HomeView {
    if let passwordChange { return passwordChange.view(speaker) }
    var parts: [Part] = [.button(speaker.pageBack)]
    if let notice { parts.append(.banner(speaker.banner(notice))) }
    parts += sessions.parts(speaker, Self.words) { entries in
      var cards: [ActionCard] = []
      for entry in entries { cards.append(card(entry, speaker)) }
      var shown: [Part] = [.actionCards(id: "sessions", cards)]
      if others.count > 1 {
        shown.append(.button(speaker.button(.endOtherSessions, .endOtherSessions, .secondary)))
      }
      if hasPassword {
        shown.append(.button(speaker.button(.openPasswordChange, .changePassword, .secondary)))
      }
      return shown
    }
    return HomeView(
      id: "sessions", place: .whereSignedIn,
      statusBar: sessions.statusBar(speaker, Self.words), back: .back, parts: parts
    )
  }

  private func card(_ entry: Entry, _ speaker: Speaker) -> ActionCard {
    let isToday = entry.lastUsedAt.wholeSeconds(until: speaker.now) < 12 * 60 * 60
    let used = speaker.moment(entry.lastUsedAt, isToday ? .clock : .date)
    let began = speaker.moment(entry.startedAt, .date)
    var lines = [
      Phrase(speaker.say(isToday ? .lastUsedAt : .lastUsedOn), filling: .moment(used)),
      Phrase(speaker.say(.signedInOn), filling: .moment(began)),
    ]
    if let organization = entry.organization { lines.insert(Phrase(organization), at: 0) }
    var end: Button?
    if !entry.isCurrent {
      let isBusy = isEnding(entry.id)
      var button = speaker.button(.endSession, isBusy ? .endingSession : .endSession, .secondary)
      button.isBusy = isBusy
      button.item = entry.id
      end = button
    }
    let badge = Badge(text: speaker.say(.thisDevice), severity: .info)
    return ActionCard(
      id: entry.id, title: speaker.nameOfApp(entry.client), lines: lines,
      badge: entry.isCurrent ? badge : nil, button: end
    )
  }
}

extension Speaker {
  /// An app of another make is called by the name it has on the wire.
  fileprivate func nameOfApp(_ client: String) -> String {
    switch AppName(rawValue: client) {
    case .technician: say(.technicianApp)
    case .rider: say(.riderApp)
    case .product: say(.productApp)
    case .mentor: say(.mentorApp)
    case .console: say(.consoleApp)
    case nil: client
    }
  }
}

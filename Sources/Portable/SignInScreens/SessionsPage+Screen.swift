import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

extension SessionsPage {
  private static let words = FetchedTexts(
    loading: .loadingSessions, unknown: .sessionsUnknownTitle, offline: .offlineSessionsAsOf,
    stale: .staleSessionsAsOf
  )

  /// `organizations` are those of the account.
  func view(
    _ localizer: Localizer, organizations: [OrganizationEntry]
  ) -> HomeView {
    if let passwordChange { return passwordChange.view(localizer) }
    if let ownAccount { return ownAccount.view(localizer) }
    var parts: [Part] = [.button(localizer.pageBack)]
    if let notice { parts.append(.banner(localizer.banner(notice))) }
    parts += sessions.parts(localizer, Self.words) { entries in
      var cards: [ActionCard] = []
      for entry in entries { cards.append(card(entry, localizer, organizations)) }
      var shown: [Part] = [.actionCards(id: "sessions", cards)]
      if others.count > 1 {
        shown.append(.button(localizer.button(.endOtherSessions, .endOtherSessions, .secondary)))
      }
      if hasPassword {
        shown.append(.button(localizer.button(.openPasswordChange, .changePassword, .secondary)))
      }
      shown.append(.button(localizer.button(.openOwnAccount, .yourAccount, .secondary)))
      return shown
    }
    if let asking { parts.append(question(asking, localizer)) }
    return HomeView(
      id: "sessions", place: .whereSignedIn,
      statusBar: sessions.statusBar(localizer, Self.words), back: .back, parts: parts
    )
  }

  private func card(
    _ entry: SessionEntry, _ localizer: Localizer, _ organizations: [OrganizationEntry]
  ) -> ActionCard {
    let isToday = entry.lastUsedAt.wholeSeconds(until: localizer.now) < 12 * 60 * 60
    let used = localizer.moment(entry.lastUsedAt, isToday ? .clock : .date)
    let began = localizer.moment(entry.startedAt, .date)
    var lines = [
      Phrase(localizer.say(isToday ? .lastUsedAt : .lastUsedOn), filling: .moment(used)),
      Phrase(localizer.say(.signedInOn), filling: .moment(began)),
    ]
    if let place = entry.place {
      lines.append(Phrase(localizer.say(.signedInNear), filling: .place(place)))
    }
    if let id = entry.organization {
      // The account may have left the organization of an older session.
      let organization = organizations.first { $0.id == id }
      lines.insert(Phrase(organization?.name ?? id.text), at: 0)
    }
    let app = localizer.nameOfApp(entry.client.text)
    let device = entry.device.map { localizer.name(of: $0) }
    if device.isPresent { lines.insert(Phrase(app), at: 0) }
    var end: Button?
    if !entry.isCurrent {
      let isBusy = isEnding(entry.id)
      var button = localizer.button(.endSession, isBusy ? .endingSession : .endSession, .secondary)
      button.isBusy = isBusy
      button.item = entry.id.text
      end = button
    }
    let badge = Badge(text: localizer.say(.thisDevice), severity: .neutral)
    return ActionCard(
      id: entry.id.text, title: device ?? app, lines: lines,
      badge: entry.isCurrent ? badge : nil, button: end
    )
  }
}

extension SessionsPage {
  private func question(_ question: Confirmation, _ localizer: Localizer) -> Part {
    var title = localizer.say(.endOthersTitle)
    if case .session(let id) = question, let entry = others.first(where: { $0.id == id }) {
      let name = entry.device.map { localizer.name(of: $0) }
      title = localizer.say(
        .endSessionTitle, "name", name ?? localizer.nameOfApp(entry.client.text))
    }
    return .sheet(
      id: PagePart.question.rawValue, title: title,
      text: Phrase(localizer.say(.endSessionText)),
      buttons: [
        localizer.button(.confirm, .signOut, .dangerous),
        localizer.button(.cancel, .cancel, .quiet),
      ]
    )
  }
}

extension Localizer {
  /// Such as "Chrome on Windows".
  func name(of device: DeviceName) -> String {
    guard let browser = device.browser, let system = device.system else {
      return device.browser ?? device.system ?? ""
    }
    return say(
      .browserOnSystem, [(name: "browser", value: browser), (name: "system", value: system)])
  }

  /// An app that is not one of ours is shown with its `client_id`.
  fileprivate func nameOfApp(_ client: String) -> String {
    AppName(rawValue: client).map { name(of: $0) } ?? client
  }
}

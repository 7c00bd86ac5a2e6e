import SignInFlow
import SignInModel
import SignInWire

extension SignedIn {
  func screen(_ speaker: Speaker) -> Screen {
    let view = view(speaker)
    var parts: [Part] = []
    if let sheet { parts.append(self.sheet(sheet, speaker)) }
    if let notice { parts.append(.banner(speaker.banner(notice))) }
    if let item = shownNews { parts += speaker.parts(of: item) }
    return Screen(
      id: view.id,
      title: speaker.windowTitle(view.place),
      layout: .page,
      header: header(speaker, view.place),
      statusBar: view.statusBar,
      back: view.back?.rawValue,
      parts: parts + view.parts
    )
  }

  private func view(_ speaker: Speaker) -> HomeView {
    let view = home?.view(speaker) ?? .empty
    if keeping.wantedOrganization != nil {
      let progress = Part.progress(id: "switching", label: speaker.say(.switching))
      return HomeView(id: "switching", place: view.place, parts: [progress])
    }
    return sessions.map { $0.view(speaker) } ?? view
  }

  private func sheet(_ sheet: Sheet, _ speaker: Speaker) -> Part {
    switch sheet {
    case .lockOffered:
      let advice = keeping.record.terms.needsLock ? Sentence.lockNeededText : .lockOfferText
      return .sheet(
        id: "sheet", title: speaker.say(.lockOfferTitle), text: Phrase(speaker.say(advice)),
        buttons: [
          speaker.button(.setLock, .turnOn, .primary), speaker.button(.notNow, .notNow, .quiet),
        ]
      )
    case .idleWarning(let until):
      let text = speaker.say(.idleText, "time", speaker.countdown(to: until))
      return .sheet(
        id: "sheet", title: speaker.say(.idleTitle), text: Phrase(text),
        buttons: [
          speaker.button(.staySignedIn, .staySignedIn, .primary),
          speaker.button(.signOut, .signOut, .quiet),
        ]
      )
    }
  }

  private func menuItems(_ speaker: Speaker) -> [Button] {
    var items: [Button] = []
    for organization in account.value?.organizations ?? []
    where organization.id != keeping.record.terms.organization {
      var button = speaker.button(.switchOrganization, .switchTo, .secondary)
      button.label = speaker.say(.switchTo, "name", organization.name)
      button.item = organization.id.text
      items.append(button)
    }
    items.append(speaker.button(.whereSignedIn, .whereSignedIn, .secondary))
    if hasLock, !keeping.record.terms.needsLock {
      items.append(speaker.button(.removeLock, .removeLock, .secondary))
    } else if !hasLock, speaker.isLockPossible {
      items.append(speaker.button(.setLock, .setLock, .secondary))
    }
    return items + [speaker.button(.signOut, .signOut, .secondary)]
  }

  private func header(_ speaker: Speaker, _ place: Sentence) -> Header {
    let account = account.value
    let name = account?.name ?? keeping.record.person?.name ?? ""
    var lines: [String] = []
    if let email = account?.email {
      lines.append(email)
    } else if let phone = account?.phone {
      lines.append(phone)
    }
    let id = keeping.record.terms.organization
    let organization = account?.organizations.first { $0.id == id }?.name ?? id?.text ?? ""
    if !organization.isEmpty { lines.append(organization) }
    return Header(
      place: speaker.say(place),
      organization: organization,
      menu: Menu(
        id: ButtonName.accountMenu.rawValue,
        label: speaker.say(.accountMenu),
        fullLabel: name.isEmpty
          ? speaker.say(.accountMenu) : speaker.say(.accountMenuNamed, "name", name),
        initials: Self.initials(of: name),
        isOpen: isMenuOpen,
        name: name,
        lines: lines,
        items: menuItems(speaker)
      )
    )
  }

  /// The first letters of the first and the last name.
  private static func initials(of name: String) -> String {
    let words = name.split(separator: " ")
    guard let first = words.first else { return "" }
    guard words.count > 1, let last = words.last else { return String(first.prefix(1)) }
    return String(first.prefix(1)) + String(last.prefix(1))
  }
}

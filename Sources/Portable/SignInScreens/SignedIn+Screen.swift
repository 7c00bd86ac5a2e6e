import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

extension SignedIn where Home: HomeScreen {
  func screen(_ localizer: Localizer) -> Screen {
    let view = view(localizer)
    var parts: [Part] = []
    if let sheet { parts.append(self.sheet(sheet, localizer)) }
    if let notice { parts.append(.banner(localizer.banner(notice))) }
    if let item = shownAccountUpdate { parts += localizer.parts(of: item) }
    return Screen(
      id: view.id,
      title: localizer.windowTitle(view.subject ?? localizer.say(view.place)),
      layout: .page,
      header: header(localizer, view.place),
      statusBar: view.statusBar,
      back: view.back?.rawValue,
      parts: parts + view.parts
    )
  }

  private func view(_ localizer: Localizer) -> HomeView {
    let view = home.view(localizer)
    if renewingSession.wantedOrganization != nil {
      let progress = Part.progress(id: "switching", label: localizer.say(.switching))
      return HomeView(id: "switching", place: view.place, parts: [progress])
    }
    if unknownPlace != nil { return localizer.unknownPlace(view.place) }
    let organizations = account.value?.organizations ?? []
    return sessions.map { $0.view(localizer, organizations: organizations) } ?? view
  }

  private func sheet(_ sheet: Sheet, _ localizer: Localizer) -> Part {
    switch sheet {
    case .lockOffered:
      let advice = renewingSession.record.terms.needsLock ? Sentence.lockNeededText : .lockOfferText
      return .sheet(
        id: "sheet", title: localizer.say(.lockOfferTitle), text: Phrase(localizer.say(advice)),
        buttons: [
          localizer.button(.setLock, .turnOn, .primary), localizer.button(.notNow, .notNow, .quiet),
        ]
      )
    case .idleWarning(let until):
      let text = localizer.say(.idleText, "time", localizer.countdown(to: until))
      return .sheet(
        id: "sheet", title: localizer.say(.idleTitle), text: Phrase(text),
        buttons: [
          localizer.button(.staySignedIn, .staySignedIn, .primary),
          localizer.button(.signOut, .signOut, .quiet),
        ]
      )
    case .unsentChanges(let departure):
      let title = localizer.say(.unsentTitle, one: .unsentTitleOne, count: home.unsentCount)
      return .sheet(
        id: "sheet", title: title, text: Phrase(localizer.say(.unsentText)),
        buttons: [
          localizer.button(.cancel, .cancel, .primary), button(departure, .dangerous, localizer),
        ]
      )
    }
  }

  private func button(
    _ departure: Departure, _ kind: Button.Kind, _ localizer: Localizer
  ) -> Button {
    switch departure {
    case .signOut: return localizer.button(.signOut, .signOut, kind)
    case .switchOrganization(let id):
      var button = localizer.button(.switchOrganization, .switchTo, kind)
      let name = account.value?.organizations.first { $0.id == id }?.name
      button.label = localizer.say(.switchTo, "name", name ?? id.text)
      button.item = id.text
      return button
    }
  }

  private func menuItems(_ localizer: Localizer) -> [Button] {
    var items: [Button] = []
    for organization in account.value?.organizations ?? []
    where organization.id != renewingSession.record.terms.organization {
      items.append(button(.switchOrganization(organization.id), .secondary, localizer))
    }
    items.append(localizer.button(.whereSignedIn, .whereSignedIn, .secondary))
    if hasLock, !renewingSession.record.terms.needsLock {
      items.append(localizer.button(.removeLock, .removeLock, .secondary))
    } else if !hasLock, localizer.isLockPossible {
      items.append(localizer.button(.setLock, .setLock, .secondary))
    }
    return items + [localizer.button(.signOut, .signOut, .secondary)]
  }

  private func header(_ localizer: Localizer, _ place: Sentence) -> Header {
    let account = account.value
    let name = personName
    var lines: [String] = []
    if let email = account?.email {
      lines.append(email)
    } else if let phone = account?.phone {
      lines.append(phone)
    }
    let id = renewingSession.record.terms.organization
    let organization = account?.organizations.first { $0.id == id }?.name ?? id?.text ?? ""
    if !organization.isEmpty { lines.append(organization) }
    return Header(
      place: localizer.say(place),
      organization: organization,
      menu: Menu(
        id: ButtonName.accountMenu.rawValue,
        label: localizer.say(.accountMenu),
        fullLabel: name.isEmpty
          ? localizer.say(.accountMenu) : localizer.say(.accountMenuNamed, "name", name),
        isOpen: isMenuOpen,
        name: name,
        lines: lines,
        items: menuItems(localizer)
      )
    )
  }
}

import SignInEngine
import SignInFlow

extension AppLock {
  /// Shows the product, the organization and the unlock button, but no data of the account.
  func screen(_ localizer: Localizer) -> Screen {
    var unlock = localizer.button(.unlock, isUnlocking ? .unlocking : .unlock, .primary)
    unlock.isBusy = isUnlocking
    unlock.symbol = .lock
    var parts: [Part] = [
      localizer.mark,
      .title(id: "heading", text: localizer.say(.lockTitle)),
      .lead(
        id: "lead", text: Phrase(card.organization), banner: notice.map(localizer.banner)
      ),
    ]
    if !card.name.isEmpty { parts.append(.fact(id: "who", symbol: .person, text: name)) }
    parts += [
      .button(unlock),
      .button(localizer.button(.useAnotherWay, .useAnotherWay, .quiet)),
    ]
    return Screen(
      id: "app-lock", title: localizer.windowTitle(.lockTitle), layout: .form, parts: parts
    )
  }

  private var name: Phrase { Phrase(card.name) }
}

extension SessionConfirmation {
  func screen(_ localizer: Localizer) -> Screen {
    var parts: [Part] = [localizer.mark]
    if let problem = account.problem, account.loading == nil {
      parts += [
        .title(id: "heading", text: localizer.say(.confirmTitle)),
        .lead(
          id: "lead", text: Phrase(localizer.say(.confirmAdvice)),
          banner: problem == .noConnection ? nil : localizer.banner(problem)
        ),
        .button(localizer.button(.tryAgain, .tryAgain, .primary)),
        .button(localizer.button(.signOut, .signOut, .quiet)),
      ]
    } else {
      let note = account.loading.map { localizer.patience($0, veryLong: .takingLong) } ?? ""
      parts += [
        .progress(id: "confirming", label: localizer.say(.confirming)),
        .note(id: "note", text: note),
      ]
    }
    return Screen(
      id: "confirming", title: localizer.windowTitle(.confirmTitle), layout: .form, parts: parts
    )
  }
}

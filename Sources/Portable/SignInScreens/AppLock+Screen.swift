import SignInFlow

extension AppLock {
  /// Whose app this is and one way in; nothing of what it holds.
  func screen(_ speaker: Speaker) -> Screen {
    var unlock = speaker.button(.unlock, isUnlocking ? .unlocking : .unlock, .primary)
    unlock.isBusy = isUnlocking
    unlock.symbol = .lock
    var parts: [Part] = [
      .mark(id: "mark", name: speaker.say(.product)),
      .title(id: "heading", text: speaker.say(.lockTitle)),
      .lead(
        id: "lead", text: Phrase(card.organization), banner: notice.map(speaker.banner)
      ),
    ]
    if !card.name.isEmpty { parts.append(.fact(id: "who", symbol: .person, text: name)) }
    parts += [
      .button(unlock),
      .button(speaker.button(.useAnotherWay, .useAnotherWay, .quiet)),
    ]
    return Screen(
      id: "app-lock", title: speaker.windowTitle(.lockTitle), layout: .form, parts: parts
    )
  }

  private var name: Phrase { Phrase(card.name) }
}

extension Confirming {
  func screen(_ speaker: Speaker) -> Screen {
    var parts: [Part] = [.mark(id: "mark", name: speaker.say(.product))]
    if let problem = account.problem, account.loading == nil {
      parts += [
        .title(id: "heading", text: speaker.say(.confirmTitle)),
        .lead(
          id: "lead", text: Phrase(speaker.say(.confirmAdvice)),
          banner: problem == .noConnection ? nil : speaker.banner(problem)
        ),
        .button(speaker.button(.tryAgain, .tryAgain, .primary)),
        .button(speaker.button(.signOut, .signOut, .quiet)),
      ]
    } else {
      let note = account.loading.map { speaker.patience($0, veryLong: .takingLong) } ?? ""
      parts += [
        .progress(id: "confirming", label: speaker.say(.confirming)),
        .note(id: "note", text: note),
      ]
    }
    return Screen(
      id: "confirming", title: speaker.windowTitle(.confirmTitle), layout: .form, parts: parts
    )
  }
}

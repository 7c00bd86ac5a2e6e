public import SignInFlow
import SignInModel

extension AppFlow {
  public var screen: Screen {
    let speaker = Speaker(context)
    var screen: Screen
    switch stage {
    case .starting: screen = Self.opening(speaker, note: "")
    case .readingStorage(let since):
      let isLate = since.adding(seconds: Wait.longSeconds) <= context.now
      screen = Self.opening(speaker, note: isLate ? speaker.say(.takingLong) : "")
    case .storageUnreadable: screen = Self.unreadable(speaker)
    case .signedOut(let signIn): screen = signIn.screen(speaker)
    case .riderSignedOut(let signIn): screen = signIn.screen(speaker)
    case .locked(let lock): screen = lock.screen(speaker)
    case .confirming(let confirming): screen = confirming.screen(speaker)
    case .signedIn(let signedIn): screen = signedIn.screen(speaker)
    }
    screen.language = context.reader.language.rawValue
    if screen.id != Self.openingID { screen.languageMenu = speaker.languageMenu }
    if let focus = context.focus {
      screen.focus = FocusPlace(part: focus.target.rawValue, serial: focus.serial)
    }
    return screen
  }

  private static let openingID = "opening"

  private static func opening(_ speaker: Speaker, note: String) -> Screen {
    Screen(
      id: openingID,
      title: speaker.say(.product),
      layout: .form,
      parts: [
        .mark(id: "mark", name: speaker.say(.product)),
        .progress(id: "opening", label: speaker.say(.opening)),
        .note(id: "note", text: note),
      ]
    )
  }

  private static func unreadable(_ speaker: Speaker) -> Screen {
    Screen(
      id: "storage",
      title: speaker.windowTitle(.storageTitle),
      layout: .form,
      parts: [
        .mark(id: "mark", name: speaker.say(.product)),
        .title(id: "heading", text: speaker.say(.storageTitle)),
        .text(id: "advice", text: Phrase(speaker.say(.storageAdvice)), tone: .body),
        .button(speaker.button(.tryAgain, .tryAgain, .primary)),
        .button(speaker.button(.signInAgain, .signInAgain, .quiet)),
      ]
    )
  }
}

extension Speaker {
  /// On every screen, whatever it is about, so that nobody is stuck in words they cannot read.
  fileprivate var languageMenu: LanguageMenu {
    LanguageMenu(
      id: FieldName.language.rawValue,
      label: say(.languageMenu),
      chosen: format.reader.language.rawValue,
      choices: Language.allCases.map { LanguageChoice(code: $0.rawValue, name: $0.ownName) }
    )
  }

  func windowTitle(_ sentence: Sentence) -> String { say(sentence) + " – " + say(.product) }

  func button(_ name: ButtonName, _ label: Sentence, _ kind: Button.Kind) -> Button {
    Button(id: name.rawValue, kind: kind, label: say(label))
  }

  func button(_ name: ButtonName, _ label: ConsoleSentence, _ kind: Button.Kind) -> Button {
    Button(id: name.rawValue, kind: kind, label: say(label))
  }
}

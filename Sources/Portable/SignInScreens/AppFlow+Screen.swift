public import SignInEngine
import SignInFlow
import SignInModel

extension AppFlow where Home: HomeScreen {
  public var screen: Screen {
    let localizer = Localizer(context)
    var screen: Screen
    switch stage {
    case .starting: screen = localizer.opening(note: "")
    case .readingStorage(let since):
      let isLate = since.adding(seconds: Wait.longSeconds) <= context.now
      screen = localizer.opening(note: isLate ? localizer.say(.takingLong) : "")
    case .storageUnreadable: screen = localizer.unreadable
    case .signedOut(let signIn): screen = signIn.screen(localizer)
    case .riderSignedOut(let signIn): screen = signIn.screen(localizer)
    case .atProvider(let signIn): screen = signIn.screen(localizer)
    case .locked(let lock): screen = lock.screen(localizer)
    case .confirming(let confirming): screen = confirming.screen(localizer)
    case .signedIn(let signedIn): screen = signedIn.screen(localizer)
    }
    screen.path = context.place
    if case .signedIn(let signedIn) = stage { screen.path = signedIn.place }
    screen.language = context.locale.language.rawValue
    if screen.id != Localizer.openingID { screen.languageMenu = localizer.languageMenu }
    if let focus = context.focus {
      screen.focus = FocusPosition(part: focus.part.rawValue, serial: focus.serial)
    }
    return screen
  }
}

extension Localizer {
  fileprivate static let openingID = "opening"

  fileprivate func opening(note: String) -> Screen {
    Screen(
      id: Self.openingID,
      title: say(.product),
      layout: .form,
      parts: [
        mark,
        .progress(id: "opening", label: say(.opening)),
        .note(id: "note", text: note),
      ]
    )
  }

  fileprivate var unreadable: Screen {
    Screen(
      id: "storage",
      title: windowTitle(.storageTitle),
      layout: .form,
      parts: [
        mark,
        .title(id: "heading", text: say(.storageTitle)),
        .text(id: "advice", text: Phrase(say(.storageAdvice)), tone: .body),
        .button(button(.tryAgain, .tryAgain, .primary)),
        .button(button(.signInAgain, .signInAgain, .quiet)),
      ]
    )
  }

  /// Every screen has this menu, so that a person can always leave a language that they cannot
  /// read.
  fileprivate var languageMenu: LanguageMenu {
    LanguageMenu(
      id: FieldName.language.rawValue,
      label: say(.languageMenu),
      chosen: format.locale.language.rawValue,
      choices: Language.allCases.map { LanguageChoice(code: $0.rawValue, name: $0.ownName) }
    )
  }

  func windowTitle(_ sentence: Sentence) -> String { windowTitle(say(sentence)) }

  /// The title of the browser tab, which names what is shown.
  func windowTitle(_ name: String) -> String { name + " – " + say(.product) }

  func button(_ name: ButtonName, _ label: Sentence, _ kind: Button.Kind) -> Button {
    Button(id: name.rawValue, kind: kind, label: say(label))
  }

  func button(_ name: ButtonName, _ label: ConsoleSentence, _ kind: Button.Kind) -> Button {
    Button(id: name.rawValue, kind: kind, label: say(label))
  }
}

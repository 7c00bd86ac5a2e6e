public import SignInFlow
import SignInModel

extension AppFlow {
  public var screen: Screen {
    let localizer = Localizer(context)
    var screen: Screen
    switch stage {
    case .starting: screen = Self.opening(localizer, note: "")
    case .readingStorage(let since):
      let isLate = since.adding(seconds: Wait.longSeconds) <= context.now
      screen = Self.opening(localizer, note: isLate ? localizer.say(.takingLong) : "")
    case .storageUnreadable: screen = Self.unreadable(localizer)
    case .signedOut(let signIn): screen = signIn.screen(localizer)
    case .riderSignedOut(let signIn): screen = signIn.screen(localizer)
    case .atProvider(let signIn): screen = signIn.screen(localizer)
    case .locked(let lock): screen = lock.screen(localizer)
    case .confirming(let confirming): screen = confirming.screen(localizer)
    case .signedIn(let signedIn): screen = signedIn.screen(localizer)
    }
    screen.language = context.locale.language.rawValue
    if screen.id != Self.openingID { screen.languageMenu = localizer.languageMenu }
    if let focus = context.focus {
      screen.focus = FocusPosition(part: focus.target.rawValue, serial: focus.serial)
    }
    return screen
  }

  private static let openingID = "opening"

  private static func opening(_ localizer: Localizer, note: String) -> Screen {
    Screen(
      id: openingID,
      title: localizer.say(.product),
      layout: .form,
      parts: [
        .mark(id: "mark", name: localizer.say(.product)),
        .progress(id: "opening", label: localizer.say(.opening)),
        .note(id: "note", text: note),
      ]
    )
  }

  private static func unreadable(_ localizer: Localizer) -> Screen {
    Screen(
      id: "storage",
      title: localizer.windowTitle(.storageTitle),
      layout: .form,
      parts: [
        .mark(id: "mark", name: localizer.say(.product)),
        .title(id: "heading", text: localizer.say(.storageTitle)),
        .text(id: "advice", text: Phrase(localizer.say(.storageAdvice)), tone: .body),
        .button(localizer.button(.tryAgain, .tryAgain, .primary)),
        .button(localizer.button(.signInAgain, .signInAgain, .quiet)),
      ]
    )
  }
}

extension Localizer {
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

  func windowTitle(_ sentence: Sentence) -> String { say(sentence) + " – " + say(.product) }

  func button(_ name: ButtonName, _ label: Sentence, _ kind: Button.Kind) -> Button {
    Button(id: name.rawValue, kind: kind, label: say(label))
  }

  func button(_ name: ButtonName, _ label: ConsoleSentence, _ kind: Button.Kind) -> Button {
    Button(id: name.rawValue, kind: kind, label: say(label))
  }
}

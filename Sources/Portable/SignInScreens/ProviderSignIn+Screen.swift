import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

extension ProviderSignIn where Code == CodeStep {
  func screen(_ localizer: Localizer) -> Screen {
    switch step {
    case .preparing(let since): opening(localizer, Wait(request: nil, since: since))
    case .requesting(let wait): opening(localizer, wait)
    case .saving: opening(localizer, nil)
    case .inBrowser: inBrowser(localizer)
    case .redeeming(let wait):
      page(localizer, [progress(localizer, .completing), note(localizer, wait)])
    case .waiting(let notice): waiting(localizer, notice)
    case .enteringCode(let step): step.screen(localizer)
    }
  }

  private func page(_ localizer: Localizer, _ parts: [Part]) -> Screen {
    let title = localizer.sayProvider(.signIn, label)
    return Screen(
      id: "provider",
      title: title + " – " + localizer.say(.product),
      layout: .form,
      back: ButtonName.cancel.rawValue,
      parts: [
        localizer.mark, .title(id: "heading", text: title),
      ] + parts + [.button(localizer.button(.cancel, .cancel, .quiet))]
    )
  }

  private func progress(_ localizer: Localizer, _ sentence: ProviderSentence) -> Part {
    .progress(id: "progress", label: localizer.sayProvider(sentence))
  }

  private func note(_ localizer: Localizer, _ wait: Wait?) -> Part {
    .note(
      id: "note", text: wait.map { localizer.patience($0, veryLong: .takingVeryLong) } ?? "")
  }

  private func opening(_ localizer: Localizer, _ wait: Wait?) -> Screen {
    page(localizer, [progress(localizer, .openingPage), note(localizer, wait)])
  }

  private func inBrowser(_ localizer: Localizer) -> Screen {
    page(localizer, [.progress(id: "progress", label: localizer.sayProvider(.inBrowser))])
  }

  private func waiting(_ localizer: Localizer, _ notice: Notice) -> Screen {
    page(
      localizer,
      [
        .lead(id: "lead", text: Phrase(""), banner: localizer.banner(notice)),
        .button(localizer.button(.tryAgain, .tryAgain, .primary)),
      ])
  }
}

extension Localizer {
  /// The buttons of the providers below a form, the last used one first.
  func providerParts(isEnabled: Bool) -> [Part] {
    guard !providers.providers.isEmpty else { return [] }
    let buttons = providers.providers.map { provider in
      var button = Button(
        id: ButtonName.provider.rawValue, kind: .secondary,
        label: sayProvider(.signIn, provider.label))
      button.item = provider.name
      button.isEnabled = isEnabled && provider.isAvailable
      if !provider.isAvailable {
        button.reason = sayProvider(.notNow)
      } else if provider.name == providers.lastUsed {
        button.reason = sayProvider(.lastUsed)
      }
      return button
    }
    return [
      .divider(id: "or", text: sayProvider(.or)), .actions(id: "providers", buttons),
    ]
  }
}

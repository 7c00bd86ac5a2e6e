import SignInFlow
import SignInModel

extension RiderRegistration {
  func screen(_ speaker: Speaker) -> Screen {
    switch step {
    case .enteringDetails, .left: details(speaker, wait: nil)
    case .sending(let wait): details(speaker, wait: wait)
    case .sent: sent(speaker)
    }
  }

  private func form(
    _ speaker: Speaker, _ id: String, _ title: Sentence, _ parts: [Part]
  ) -> Screen {
    Screen(
      id: id,
      title: speaker.windowTitle(title),
      layout: .form,
      back: ButtonName.back.rawValue,
      parts: [.mark(id: "mark", name: speaker.say(.product))] + parts
    )
  }

  private func details(_ speaker: Speaker, wait: Wait?) -> Screen {
    let name = Field(
      id: FieldName.name.rawValue,
      kind: .text,
      label: speaker.say(.name),
      value: self.name,
      error: isNameMalformed
        ? speaker.say(.nameMalformed) : speaker.missing(.name, in: missing),
      isEnabled: wait == nil,
      autofill: "name"
    )
    let phone = speaker.phoneField(
      number,
      error: numberFault.map { speaker.refusedNumber($0, number.country) }
        ?? speaker.missing(.phone, in: missing),
      isEnabled: wait == nil
    )
    var register = speaker.button(.register, wait == nil ? .signUp : .registering, .primary)
    register.depend(on: canSend, isBusy: wait != nil)
    let note = wait.map { speaker.patience($0, veryLong: .noAnswerYet) } ?? ""
    return form(
      speaker, "sign-up", .signUp,
      [
        .button(speaker.backButton),
        .title(id: "heading", text: speaker.say(.signUp)),
        .lead(
          id: "lead", text: Phrase(speaker.say(.signUpLead)), banner: notice.map(speaker.banner)
        ),
        .field(name),
        .field(phone),
        .button(register),
        .note(id: "note", text: note),
      ])
  }

  private func sent(_ speaker: Speaker) -> Screen {
    form(
      speaker, "signed-up", .signedUpTitle,
      [
        .title(id: "heading", text: speaker.say(.signedUpTitle)),
        .fact(id: "approval", symbol: .clock, text: Phrase(speaker.say(.awaitingApproval))),
        .text(
          id: "next",
          text: Phrase(speaker.say(.signedUpNext), filling: .unbroken(number.written)),
          tone: .body
        ),
        .text(id: "unsure", text: Phrase(speaker.say(.signedUpUnsure)), tone: .muted),
        .button(speaker.button(.back, .backToSignIn, .primary)),
      ])
  }
}

extension Speaker {
  fileprivate func refusedNumber(
    _ fault: RiderRegistration.NumberFault, _ country: Country
  ) -> String {
    switch fault {
    case .malformed: malformedNumber(country)
    case .country: say(.countryRefused)
    }
  }
}

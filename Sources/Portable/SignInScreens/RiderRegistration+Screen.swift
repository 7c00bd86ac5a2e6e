import SignInEngine
import SignInFlow
import SignInModel

extension RiderRegistration {
  func screen(_ localizer: Localizer) -> Screen {
    switch step {
    case .enteringDetails: details(localizer, wait: nil)
    case .sending(let wait): details(localizer, wait: wait)
    case .enteringCode(let code):
      form(
        localizer, "sign-up-code", .signUp,
        [
          .button(localizer.backButton),
          .title(id: "heading", text: localizer.say(.signUp)),
        ] + code.parts(localizer))
    case .sent: registered(localizer, isApproved: false)
    case .approved: registered(localizer, isApproved: true)
    }
  }

  private func form(
    _ localizer: Localizer, _ id: String, _ title: Sentence, _ parts: [Part]
  ) -> Screen {
    Screen(
      id: id,
      title: localizer.windowTitle(title),
      layout: .form,
      back: ButtonName.back.rawValue,
      parts: [localizer.mark] + parts
    )
  }

  private func details(_ localizer: Localizer, wait: Wait?) -> Screen {
    let phone = localizer.phoneField(
      number,
      error: numberFault.map { localizer.refusedNumber($0, number) }
        ?? localizer.missing(.phone, in: missing),
      isEnabled: wait == nil
    )
    var register = localizer.button(.register, wait == nil ? .signUp : .registering, .primary)
    register.depend(on: canSend, isBusy: wait != nil)
    let note = wait.map { localizer.patience($0, veryLong: .noAnswerYet) } ?? ""
    return form(
      localizer, "sign-up", .signUp,
      [
        .button(localizer.backButton),
        .title(id: "heading", text: localizer.say(.signUp)),
        .lead(
          id: "lead", text: Phrase(localizer.say(.signUpLead)), banner: notice.map(localizer.banner)
        ),
        localizer.nameField(
          name, isMalformed: isNameMalformed, in: missing, isEnabled: wait == nil),
        .field(phone),
        .button(register),
        .note(id: "note", text: note),
      ])
  }

  private func registered(_ localizer: Localizer, isApproved: Bool) -> Screen {
    let next: Sentence = isApproved ? .signUpApproved : .signedUpNext
    var parts: [Part] = [.title(id: "heading", text: localizer.say(.signedUpTitle))]
    if !isApproved {
      parts.append(
        .fact(id: "approval", symbol: .clock, text: Phrase(localizer.say(.awaitingApproval))))
    }
    parts.append(
      .text(
        id: "next", text: Phrase(localizer.say(next), filling: .unbroken(number.written)),
        tone: .body))
    if !isApproved {
      parts.append(.text(id: "unsure", text: Phrase(localizer.say(.signedUpUnsure)), tone: .muted))
    }
    parts.append(.button(localizer.button(.back, .backToSignIn, .primary)))
    return form(localizer, "signed-up", .signedUpTitle, parts)
  }
}

extension Localizer {
  fileprivate func refusedNumber(
    _ fault: RiderRegistration.NumberFault, _ number: MobileNumber
  ) -> String {
    switch fault {
    case .malformed: malformed(number)
    case .country: say(.countryRefused)
    }
  }
}

import SignInFlow
import SignInModel

extension PasswordReset {
  func screen(_ speaker: Speaker) -> Screen {
    switch step {
    case .enteringEmail: address(speaker, wait: nil)
    case .askingForCode(let wait): address(speaker, wait: wait)
    case .enteringCode(let code): form(speaker, "reset-code", codeParts(speaker, code))
    }
  }

  private func form(_ speaker: Speaker, _ id: String, _ parts: [Part]) -> Screen {
    Screen(
      id: id,
      title: speaker.windowTitle(.resetTitle),
      layout: .form,
      back: ButtonName.back.rawValue,
      parts: [
        .mark(id: "mark", name: speaker.say(.product)),
        .button(speaker.backButton),
        .title(id: "heading", text: speaker.say(.resetTitle)),
      ] + parts
    )
  }

  private func address(_ speaker: Speaker, wait: Wait?) -> Screen {
    let field = speaker.emailField(
      email, isMalformed: isEmailMalformed, missing: missing, isEnabled: wait == nil)
    var send = speaker.button(.sendCode, wait == nil ? .sendCode : .sendingCode, .primary)
    send.depend(on: canAsk, isBusy: wait != nil)
    let note = wait.map { speaker.patience($0, veryLong: .noAnswerYet) } ?? ""
    return form(
      speaker, "reset",
      [
        .lead(
          id: "lead", text: Phrase(speaker.say(.resetLead)), banner: notice.map(speaker.banner)
        ),
        .field(field),
        .button(send),
        .note(id: "note", text: note),
        .text(id: "safety", text: Phrase(speaker.say(.resetSafety)), tone: .muted),
      ])
  }

  private func codeParts(_ speaker: Speaker, _ code: CodeStep) -> [Part] {
    let field = Field(
      id: FieldName.newPassword.rawValue,
      kind: speaker.password(isRevealed: isPasswordRevealed),
      label: speaker.say(.newPassword),
      value: password.revealed,
      placeholder: speaker.say(.newPasswordPlaceholder),
      help: speaker.say(.newPasswordHelp),
      error: passwordFault.map(speaker.refusedPassword)
        ?? speaker.missing(.newPassword, in: missing),
      isEnabled: code.activity == .entering,
      autofill: "new-password"
    )
    return code.parts(
      speaker, below: [.field(field)],
      act: CodeStep.Act(
        label: .changePassword, busyLabel: .changingPassword, isPossible: !password.isEmpty
      )
    )
  }
}

extension Speaker {
  func refusedPassword(_ fault: PasswordReset.PasswordFault) -> String {
    switch fault {
    case .tooShort: say(.passwordTooShort)
    case .tooLong: say(.passwordTooLong)
    case .tooCommon: say(.passwordTooCommon)
    }
  }
}

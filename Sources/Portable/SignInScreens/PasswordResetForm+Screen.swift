import SignInEngine
import SignInFlow
import SignInModel

extension PasswordResetForm {
  func screen(_ localizer: Localizer) -> Screen {
    switch step {
    case .enteringEmail: address(localizer, wait: nil)
    case .askingForCode(let wait): address(localizer, wait: wait)
    case .enteringCode(let code): form(localizer, "reset-code", codeParts(localizer, code))
    }
  }

  private func form(_ localizer: Localizer, _ id: String, _ parts: [Part]) -> Screen {
    Screen(
      id: id,
      title: localizer.windowTitle(.resetTitle),
      layout: .form,
      back: ButtonName.back.rawValue,
      parts: [
        localizer.mark,
        .button(localizer.backButton),
        .title(id: "heading", text: localizer.say(.resetTitle)),
      ] + parts
    )
  }

  private func address(_ localizer: Localizer, wait: Wait?) -> Screen {
    let field = localizer.emailField(
      email, isMalformed: isEmailMalformed, missing: missing, isEnabled: wait == nil)
    var send = localizer.button(.sendCode, wait == nil ? .sendCode : .sendingCode, .primary)
    send.depend(on: canAsk, isBusy: wait != nil)
    let note = wait.map { localizer.patience($0, veryLong: .noAnswerYet) } ?? ""
    return form(
      localizer, "reset",
      [
        .lead(
          id: "lead", text: Phrase(localizer.say(.resetLead)), banner: notice.map(localizer.banner)
        ),
        .field(field),
        .button(send),
        .note(id: "note", text: note),
        .text(id: "safety", text: Phrase(localizer.say(.resetSafety)), tone: .muted),
      ])
  }

  private func codeParts(_ localizer: Localizer, _ code: CodeStep) -> [Part] {
    let field = Field(
      id: FieldName.newPassword.rawValue,
      kind: localizer.password(isRevealed: isPasswordRevealed),
      label: localizer.say(.newPassword),
      value: password.revealed,
      placeholder: localizer.say(.newPasswordPlaceholder),
      help: localizer.say(.newPasswordHelp),
      error: passwordFault.map(localizer.refusedPassword)
        ?? localizer.missing(.newPassword, in: missing),
      isEnabled: code.verification.activity == .entering,
      autofill: "new-password"
    )
    return code.parts(
      localizer, below: [.field(field)],
      act: CodeStep.Act(
        label: .changePassword, busyLabel: .changingPassword, isPossible: !password.isEmpty
      )
    )
  }
}

extension Localizer {
  func refusedPassword(_ fault: PasswordFault) -> String {
    switch fault {
    case .tooShort: say(.passwordTooShort)
    case .tooLong: say(.passwordTooLong)
    case .tooCommon: say(.passwordTooCommon)
    }
  }
}

import SignInFlow
import SignInModel

extension PasswordChange {
  func view(_ speaker: Speaker) -> HomeView {
    var save = speaker.button(
      .savePassword, waiting == nil ? .changePassword : .changingPassword, .primary
    )
    save.depend(on: canSubmit, isBusy: waiting != nil)
    let note = waiting.map { speaker.patience($0, veryLong: .noAnswerYet) } ?? ""
    return HomeView(
      id: "password-change", place: .changePassword, back: .back,
      parts: [
        .button(speaker.pageBack),
        .lead(
          id: "lead", text: Phrase(speaker.say(.passwordChangeLead)),
          banner: notice.map(speaker.banner)
        ),
        .field(currentPassword(speaker)),
        .field(newPassword(speaker)),
        .button(save),
        .note(id: "note", text: note),
      ]
    )
  }

  private func currentPassword(_ speaker: Speaker) -> Field {
    Field(
      id: FieldName.currentPassword.rawValue,
      kind: speaker.password(isRevealed: isRevealed),
      label: speaker.say(.currentPassword),
      value: current.revealed,
      placeholder: speaker.say(.passwordPlaceholder),
      error: isCurrentWrong
        ? speaker.say(.currentPasswordWrong) : speaker.missing(.currentPassword, in: missing),
      isEnabled: waiting == nil,
      autofill: "current-password"
    )
  }

  private func newPassword(_ speaker: Speaker) -> Field {
    Field(
      id: FieldName.newPassword.rawValue,
      kind: speaker.password(isRevealed: isRevealed),
      label: speaker.say(.newPassword),
      value: new.revealed,
      placeholder: speaker.say(.newPasswordPlaceholder),
      help: speaker.say(.newPasswordHelp),
      error: fault.map(speaker.refusedPassword) ?? speaker.missing(.newPassword, in: missing),
      isEnabled: waiting == nil,
      autofill: "new-password"
    )
  }
}

import SignInEngine
import SignInFlow
import SignInModel

extension PasswordChange {
  func view(_ localizer: Localizer) -> HomeView {
    var save = localizer.button(
      .savePassword, waiting == nil ? .changePassword : .changingPassword, .primary
    )
    save.depend(on: canSubmit, isBusy: waiting != nil)
    let note = waiting.map { localizer.patience($0, veryLong: .noAnswerYet) } ?? ""
    return HomeView(
      id: "password-change", place: .changePassword, back: .back,
      parts: [
        .button(localizer.pageBack),
        .lead(
          id: "lead", text: Phrase(localizer.say(.passwordChangeLead)),
          banner: notice.map(localizer.banner)
        ),
        .field(currentPassword(localizer)),
        .field(newPassword(localizer)),
        .button(save),
        .note(id: "note", text: note),
      ]
    )
  }

  private func currentPassword(_ localizer: Localizer) -> Field {
    Field(
      id: FieldName.currentPassword.rawValue,
      kind: localizer.password(isRevealed: isRevealed),
      label: localizer.say(.currentPassword),
      value: current.revealed,
      placeholder: localizer.say(.passwordPlaceholder),
      error: isCurrentWrong
        ? localizer.say(.currentPasswordWrong) : localizer.missing(.currentPassword, in: missing),
      isEnabled: waiting == nil,
      autofill: "current-password"
    )
  }

  private func newPassword(_ localizer: Localizer) -> Field {
    Field(
      id: FieldName.newPassword.rawValue,
      kind: localizer.password(isRevealed: isRevealed),
      label: localizer.say(.newPassword),
      value: new.revealed,
      placeholder: localizer.say(.newPasswordPlaceholder),
      help: localizer.say(.newPasswordHelp),
      error: fault.map(localizer.refusedPassword) ?? localizer.missing(.newPassword, in: missing),
      isEnabled: waiting == nil,
      autofill: "new-password"
    )
  }
}

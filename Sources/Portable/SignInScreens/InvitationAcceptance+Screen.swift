import SignInEngine
import SignInFlow
import SignInModel

extension InvitationAcceptance {
  func screen(_ localizer: Localizer) -> Screen {
    let field = Field(
      id: FieldName.newPassword.rawValue,
      kind: localizer.password(isRevealed: isRevealed),
      label: localizer.say(.newPassword),
      value: password.revealed,
      placeholder: localizer.say(.newPasswordPlaceholder),
      help: localizer.say(.newPasswordHelp),
      error: fault.map(localizer.refusedPassword) ?? localizer.missing(.newPassword, in: missing),
      isEnabled: waiting == nil,
      autofill: "new-password"
    )
    var save = localizer.button(
      .savePassword, waiting == nil ? .savePassword : .savingPassword, .primary
    )
    save.depend(on: canSubmit, isBusy: waiting != nil)
    let note = waiting.map { localizer.patience($0, veryLong: .noAnswerYet) } ?? ""
    return Screen(
      id: "invitation",
      title: localizer.windowTitle(.invitationTitle),
      layout: .form,
      back: ButtonName.back.rawValue,
      parts: [
        localizer.mark,
        .button(localizer.backButton),
        .title(id: "heading", text: localizer.say(.invitationTitle)),
        .lead(
          id: "lead", text: Phrase(localizer.say(.invitationLead)),
          banner: notice.map(localizer.banner)
        ),
        .field(field),
        .button(save),
        .note(id: "note", text: note),
      ]
    )
  }
}

import SignInFlow
import SignInModel

extension InvitationAcceptance {
  func screen(_ speaker: Speaker) -> Screen {
    let field = Field(
      id: FieldName.newPassword.rawValue,
      kind: speaker.password(isRevealed: isRevealed),
      label: speaker.say(.newPassword),
      value: password.revealed,
      placeholder: speaker.say(.newPasswordPlaceholder),
      help: speaker.say(.newPasswordHelp),
      error: fault.map(speaker.refusedPassword) ?? speaker.missing(.newPassword, in: missing),
      isEnabled: waiting == nil,
      autofill: "new-password"
    )
    var save = speaker.button(
      .savePassword, waiting == nil ? .savePassword : .savingPassword, .primary
    )
    save.depend(on: canSubmit, isBusy: waiting != nil)
    let note = waiting.map { speaker.patience($0, veryLong: .noAnswerYet) } ?? ""
    return Screen(
      id: "invitation",
      title: speaker.windowTitle(.invitationTitle),
      layout: .form,
      back: ButtonName.back.rawValue,
      parts: [
        .mark(id: "mark", name: speaker.say(.product)),
        .button(speaker.backButton),
        .title(id: "heading", text: speaker.say(.invitationTitle)),
        .lead(
          id: "lead", text: Phrase(speaker.say(.invitationLead)),
          banner: notice.map(speaker.banner)
        ),
        .field(field),
        .button(save),
        .note(id: "note", text: note),
      ]
    )
  }
}

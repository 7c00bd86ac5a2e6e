import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

extension OwnAccountForm {
  func view(_ localizer: Localizer) -> HomeView {
    var parts: [Part] = [.button(localizer.pageBack)]
    if let message { parts.append(.banner(localizer.banner(message))) }
    parts += [
      localizer.nameField(
        name, isMalformed: isNameMalformed, in: missing, isEnabled: !isSending),
      .button(button(.saveAccount, .saveName, .name, localizer)),
      .divider(id: "contact-start", text: ""),
      .field(
        Field(
          id: FieldName.contact.rawValue, kind: .text, label: localizer.say(.newContact),
          value: contact, help: localizer.say(.newContactHelp),
          error: localizer.missing(.contact, in: missing), isEnabled: !isSending,
          autofill: "off")),
    ]
    if hasPassword { parts.append(.field(currentPassword(localizer))) }
    parts.append(.button(button(.sendCode, .sendCode, .contact, localizer)))
    if let sent {
      parts += [
        .field(
          Field(
            id: FieldName.code.rawValue, kind: .code(digits: sent.prompt.digits),
            label: localizer.say(.codeLabel, "digits", "\(sent.prompt.digits)"),
            value: code.revealed, help: sent.prompt.destination,
            error: localizer.missing(.code, in: missing), isEnabled: !isSending,
            autofill: "one-time-code")),
        .button(button(.verify, .verify, .code, localizer)),
      ]
    }
    parts.append(.divider(id: "erasure-start", text: ""))
    parts += erasure(localizer)
    let note = waiting.map { localizer.patience($0, veryLong: .noAnswerYet) } ?? ""
    parts.append(.note(id: "note", text: note))
    return HomeView(id: "own-account", place: .yourAccount, back: .back, parts: parts)
  }

  private func erasure(_ localizer: Localizer) -> [Part] {
    if let erasureAt {
      return [
        .text(
          id: "erasure",
          text: Phrase(
            localizer.say(.erasureOn), filling: .moment(localizer.moment(erasureAt, .dateAndTime))),
          tone: .body),
        .button(button(.keepAccount, .keepAccount, .keeping, localizer)),
      ]
    }
    var parts = [Part.button(button(.eraseAccount, .eraseAccount, .erasure, localizer))]
    if isAsking {
      parts.append(
        .sheet(
          id: PagePart.question.rawValue, title: localizer.say(.eraseAccount),
          text: Phrase(localizer.say(.eraseAccountText)),
          buttons: [
            localizer.button(.confirm, .eraseAccount, .dangerous),
            localizer.button(.cancel, .cancel, .quiet),
          ]))
    }
    return parts
  }

  private func button(
    _ name: ButtonName, _ label: Sentence, _ request: Request, _ localizer: Localizer
  ) -> Button {
    var button = localizer.button(name, label, .secondary)
    button.isBusy = isBusy(with: request)
    return button
  }

  private func currentPassword(_ localizer: Localizer) -> Field {
    Field(
      id: FieldName.currentPassword.rawValue, kind: localizer.password(isRevealed: isRevealed),
      label: localizer.say(.currentPassword), value: current.revealed,
      error: isCurrentWrong ? localizer.say(.currentPasswordWrong) : nil,
      isEnabled: !isSending, autofill: "current-password")
  }
}

extension Localizer {
  func words(_ message: OwnAccountMessage) -> String {
    switch message {
    case .nameSaved: say(.nameSaved)
    case .contactChanged: say(.contactChanged)
    case .accountStays: say(.accountStays)
    case .erasureRequested(let moment): say(.erasureOn, "time", format.dateAndTime(moment))
    case .contactMalformed: say(.newContactHelp)
    case .codeRefused: say(.codeRefused)
    case .signInTooOld: say(.signInTooOld)
    case .notAllowed: say(.contactNotAllowed)
    case .failed(let notice): self.notice(notice)
    }
  }

  fileprivate func banner(_ message: OwnAccountMessage) -> Banner {
    Banner(
      id: "banner", severity: message.isSuccess ? .success : .error, text: words(message),
      dismissal: say(.dismiss))
  }
}

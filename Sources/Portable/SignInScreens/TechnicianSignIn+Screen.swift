import SignInFlow
import SignInModel
import SignInWire

extension TechnicianSignIn {
  func screen(_ speaker: Speaker) -> Screen {
    switch step {
    case .enteringCredentials: credentials(speaker, wait: nil)
    case .submittingCredentials(let wait): credentials(speaker, wait: wait)
    case .enteringCode(let step): code(speaker, step)
    case .locked(let until): locked(speaker, until)
    case .readingResetAdvice, .finished: resetAdvice(speaker)
    }
  }

  // MARK: Credentials

  private func credentials(_ speaker: Speaker, wait: Wait?) -> Screen {
    var login = speaker.button(.login, wait == nil ? .login : .signingIn, .primary)
    login.isEnabled = canLogIn
    login.isBusy = wait != nil
    let note = wait.map { speaker.patience($0, veryLong: .takingVeryLong) } ?? ""
    // What can be done after a long wait takes the place of a link, so that nothing moves.
    var way = speaker.button(.forgotPassword, .forgotPassword, .link)
    if let wait, wait.patience(at: speaker.now) == .veryLong {
      way = speaker.button(.cancel, .cancel, .quiet)
    } else if wait != nil {
      way.isEnabled = false
    }
    return Screen(
      id: "credentials",
      title: speaker.windowTitle(.signIn),
      layout: .form,
      parts: [
        .mark(id: "mark", name: speaker.say(.product)),
        .title(id: "heading", text: speaker.say(.signIn)),
        .lead(
          id: "lead", text: Phrase(speaker.say(.signInLead)), banner: notice.map(speaker.banner)
        ),
        .field(emailField(speaker, isEnabled: wait == nil)),
        .field(passwordField(speaker, isEnabled: wait == nil)),
        .button(login),
        .note(id: "note", text: note),
        .button(way),
      ]
    )
  }

  private func emailField(_ speaker: Speaker, isEnabled: Bool) -> Field {
    Field(
      id: FieldName.email.rawValue,
      kind: .email,
      label: speaker.say(.email),
      value: email,
      placeholder: speaker.say(.emailPlaceholder),
      error: isEmailMalformed ? speaker.say(.emailMalformed) : nil,
      isEnabled: isEnabled,
      autofill: "username"
    )
  }

  private func passwordField(_ speaker: Speaker, isEnabled: Bool) -> Field {
    let reveal = speaker.say(isPasswordRevealed ? .hide : .show)
    let name = speaker.say(isPasswordRevealed ? .hidePassword : .showPassword)
    return Field(
      id: FieldName.password.rawValue,
      kind: .password(isRevealed: isPasswordRevealed, reveal: reveal, revealName: name),
      label: speaker.say(.password),
      value: password.revealed,
      isEnabled: isEnabled,
      autofill: "current-password"
    )
  }

  // MARK: Code

  private func code(_ speaker: Speaker, _ step: CodeStep) -> Screen {
    Screen(
      id: "code",
      title: speaker.windowTitle(.enterCode),
      layout: .form,
      back: step.wayBack.rawValue,
      parts: [
        .mark(id: "mark", name: speaker.say(.product)),
        .button(speaker.backButton),
        .title(id: "heading", text: speaker.say(.enterCode)),
      ] + step.parts(speaker)
    )
  }

  // MARK: Locked, and no password

  private func locked(_ speaker: Speaker, _ until: Instant) -> Screen {
    Screen(
      id: "locked",
      title: speaker.windowTitle(.lockedTitle),
      layout: .form,
      parts: [
        .mark(id: "mark", name: speaker.say(.product)),
        .title(id: "heading", text: speaker.say(.lockedTitle)),
        .text(id: "lock", text: Phrase(speaker.lock(until: until)), tone: .body),
        .fact(
          id: "until", symbol: .clock,
          text: Phrase(speaker.say(.lockedUntil), filling: .moment(speaker.moment(until, .clock)))
        ),
        .text(id: "why", text: Phrase(speaker.say(.lockedWhy)), tone: .muted),
        .button(speaker.button(.forgotPassword, .resetPassword, .primary)),
        .button(speaker.button(.useAnotherAccount, .useAnotherAccount, .quiet)),
      ]
    )
  }

  private func resetAdvice(_ speaker: Speaker) -> Screen {
    Screen(
      id: "reset",
      title: speaker.windowTitle(.resetTitle),
      layout: .form,
      back: ButtonName.back.rawValue,
      parts: [
        .mark(id: "mark", name: speaker.say(.product)),
        .button(speaker.backButton),
        .title(id: "heading", text: speaker.say(.resetTitle)),
        .text(id: "advice", text: Phrase(speaker.say(.resetAdvice)), tone: .body),
        .text(id: "safety", text: Phrase(speaker.say(.resetSafety)), tone: .muted),
      ]
    )
  }
}

extension Speaker {
  fileprivate var backButton: Button {
    var button = button(.back, .back, .quiet)
    button.symbol = .back
    return button
  }
}

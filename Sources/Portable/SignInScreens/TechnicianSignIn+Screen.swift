import SignInFlow
import SignInModel
import SignInWire

extension TechnicianSignIn {
  func screen(_ speaker: Speaker) -> Screen {
    switch step {
    case .enteringCredentials: credentials(speaker, wait: nil)
    case .submittingCredentials(let wait): credentials(speaker, wait: wait)
    case .enteringCode(let step): code(speaker, step)
    case .locked(let until, let canReset): locked(speaker, until, canReset: canReset)
    case .resettingPassword(let reset): reset.screen(speaker)
    case .acceptingInvitation(let acceptance): acceptance.screen(speaker)
    case .finished: credentials(speaker, wait: nil)
    }
  }

  // MARK: Credentials

  private func credentials(_ speaker: Speaker, wait: Wait?) -> Screen {
    var login = speaker.button(.login, wait == nil ? .login : .signingIn, .primary)
    login.depend(on: canLogIn, isBusy: wait != nil)
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
          id: "lead", text: Phrase(speaker.say(speaker.signInLead)),
          banner: notice.map(speaker.banner)
        ),
        .field(
          speaker.emailField(
            email, isMalformed: isEmailMalformed, missing: missing, isEnabled: wait == nil)
        ),
        .field(passwordField(speaker, isEnabled: wait == nil)),
        .button(login),
        .note(id: "note", text: note),
        .button(way),
      ]
    )
  }

  private func passwordField(_ speaker: Speaker, isEnabled: Bool) -> Field {
    Field(
      id: FieldName.password.rawValue,
      kind: speaker.password(isRevealed: isPasswordRevealed),
      label: speaker.say(.password),
      value: password.revealed,
      placeholder: speaker.say(.passwordPlaceholder),
      error: speaker.missing(.password, in: missing),
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

  // MARK: Locked

  private func locked(_ speaker: Speaker, _ until: Instant, canReset: Bool) -> Screen {
    let lock = speaker.lock(until: until, canReset: canReset)
    let reset = speaker.button(.forgotPassword, .resetPassword, .primary)
    return Screen(
      id: "locked",
      title: speaker.windowTitle(.lockedTitle),
      layout: .form,
      parts: [
        .mark(id: "mark", name: speaker.say(.product)),
        .title(id: "heading", text: speaker.say(.lockedTitle)),
        .text(id: "lock", text: Phrase(lock), tone: .body),
        .fact(
          id: "until", symbol: .clock,
          text: Phrase(speaker.say(.lockedUntil), filling: .moment(speaker.moment(until, .clock)))
        ),
        .text(id: "why", text: Phrase(speaker.say(.lockedWhy)), tone: .muted),
      ] + (canReset ? [.button(reset)] : []) + [
        .button(speaker.button(.useAnotherAccount, .useAnotherAccount, .quiet))
      ]
    )
  }
}

extension Speaker {
  var backButton: Button {
    var button = button(.back, .back, .quiet)
    button.symbol = .back
    return button
  }

  func emailField(
    _ email: String, isMalformed: Bool, missing: MissingFields, isEnabled: Bool
  ) -> Field {
    Field(
      id: FieldName.email.rawValue,
      kind: .email,
      label: say(.email),
      value: email,
      placeholder: say(.emailPlaceholder),
      error: isMalformed ? say(.emailMalformed) : self.missing(.email, in: missing),
      isEnabled: isEnabled,
      autofill: "username"
    )
  }

  func password(isRevealed: Bool) -> Field.Kind {
    .password(
      isRevealed: isRevealed, reveal: say(isRevealed ? .hide : .show),
      revealName: say(isRevealed ? .hidePassword : .showPassword)
    )
  }
}

import SignInEngine
public import SignInFlow
import SignInModel
import SignInWire

extension TechnicianSignIn: FormScreen {
  public func screen(_ localizer: Localizer) -> Screen {
    switch step {
    case .enteringCredentials: credentials(localizer, wait: nil)
    case .submittingCredentials(let wait): credentials(localizer, wait: wait)
    case .enteringCode(let step): step.screen(localizer)
    case .locked(let until, let canReset): locked(localizer, until, canReset: canReset)
    case .resettingPassword(let reset): reset.screen(localizer)
    case .acceptingInvitation(let acceptance): acceptance.screen(localizer)
    case .finished: credentials(localizer, wait: nil)
    }
  }

  // MARK: Credentials

  private func credentials(_ localizer: Localizer, wait: Wait?) -> Screen {
    var login = localizer.button(.login, wait == nil ? .login : .signingIn, .primary)
    login.depend(on: canLogIn || canFindProvider(localizer.providers), isBusy: wait != nil)
    let note = wait.map { localizer.patience($0, veryLong: .takingVeryLong) } ?? ""
    // After a long wait this button replaces the link, so that the other parts do not move.
    var way = localizer.button(.forgotPassword, .forgotPassword, .link)
    if let wait, wait.patience(at: localizer.now) == .veryLong {
      way = localizer.button(.cancel, .cancel, .quiet)
    } else if wait != nil {
      way.isEnabled = false
    }
    return Screen(
      id: "credentials",
      title: localizer.windowTitle(.signIn),
      layout: .form,
      parts: [
        localizer.mark,
        .title(id: "heading", text: localizer.say(.signIn)),
        .lead(
          id: "lead", text: Phrase(localizer.say(localizer.signInLead)),
          banner: notice.map(localizer.banner)
        ),
        .field(
          localizer.emailField(
            email, isMalformed: isEmailMalformed, missing: missing, isEnabled: wait == nil)
        ),
        .field(passwordField(localizer, isEnabled: wait == nil)),
        .button(login),
        .note(id: "note", text: note),
        .button(way),
      ] + localizer.providerParts(isEnabled: wait == nil)
    )
  }

  private func passwordField(_ localizer: Localizer, isEnabled: Bool) -> Field {
    Field(
      id: FieldName.password.rawValue,
      kind: localizer.password(isRevealed: isPasswordRevealed),
      label: localizer.say(.password),
      value: password.revealed,
      placeholder: localizer.say(.passwordPlaceholder),
      help: localizer.providers.findsByEmail ? localizer.sayProvider(.passwordEmpty) : nil,
      error: localizer.missing(.password, in: missing),
      isEnabled: isEnabled,
      autofill: "current-password"
    )
  }

  // MARK: Locked

  private func locked(_ localizer: Localizer, _ until: Instant, canReset: Bool) -> Screen {
    let lock = localizer.lock(until: until, canReset: canReset)
    let reset = localizer.button(.forgotPassword, .resetPassword, .primary)
    return Screen(
      id: "locked",
      title: localizer.windowTitle(.lockedTitle),
      layout: .form,
      parts: [
        localizer.mark,
        .title(id: "heading", text: localizer.say(.lockedTitle)),
        .text(id: "lock", text: Phrase(lock), tone: .body),
        .fact(
          id: "until", symbol: .clock,
          text: Phrase(
            localizer.say(.lockedUntil), filling: .moment(localizer.moment(until, .clock)))
        ),
        .text(id: "why", text: Phrase(localizer.say(.lockedWhy)), tone: .muted),
      ] + (canReset ? [.button(reset)] : []) + [
        .button(localizer.button(.useAnotherAccount, .useAnotherAccount, .quiet))
      ]
    )
  }
}

extension CodeStep {
  /// The code screen after a password or a sign-in at a provider.
  func screen(_ localizer: Localizer) -> Screen {
    Screen(
      id: "code",
      title: localizer.windowTitle(.enterCode),
      layout: .form,
      back: wayBack.rawValue,
      parts: [
        localizer.mark,
        .button(localizer.backButton),
        .title(id: "heading", text: localizer.say(.enterCode)),
      ] + parts(localizer)
    )
  }
}

extension Localizer {
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

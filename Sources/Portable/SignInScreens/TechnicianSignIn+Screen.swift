import SignInFlow
import SignInModel
import SignInWire

extension TechnicianSignIn {
  func screen(_ speaker: Speaker) -> Screen {
    switch step {
    case .enteringCredentials: credentials(speaker, wait: nil)
    case .submittingCredentials(let wait): credentials(speaker, wait: wait)
    case .enteringCode(let entry): code(speaker, entry, busy: nil)
    case .checkingCode(let entry, let wait): code(speaker, entry, busy: (.verify, wait))
    case .resendingCode(let entry, let wait): code(speaker, entry, busy: (.resend, wait))
    case .redeeming(let entry, let wait): code(speaker, entry, busy: (.verify, wait))
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

  private func code(
    _ speaker: Speaker, _ entry: CodeEntry, busy: (button: ButtonName, wait: Wait)?
  ) -> Screen {
    let sent = Phrase(
      speaker.say(.codeSent), filling: .unbroken(entry.prompt.destination)
    )
    var verify = speaker.button(
      .verify, busy?.button == .verify ? .checkingCode : .verify, .primary
    )
    verify.isEnabled = entry.isComplete && busy?.button != .resend
    verify.isBusy = busy?.button == .verify
    return Screen(
      id: "code",
      title: speaker.windowTitle(.enterCode),
      layout: .form,
      back: ButtonName.back.rawValue,
      parts: [
        .mark(id: "mark", name: speaker.say(.product)),
        .button(speaker.backButton),
        .title(id: "heading", text: speaker.say(.enterCode)),
        .lead(id: "lead", text: sent, banner: entry.notice.map(speaker.banner)),
        .field(codeField(speaker, entry, isEnabled: busy == nil)),
        .button(verify),
        .note(id: "note", text: codeNote(speaker, entry, busy?.wait)),
        .button(resend(speaker, entry, busy?.button)),
      ]
    )
  }

  private func codeField(_ speaker: Speaker, _ entry: CodeEntry, isEnabled: Bool) -> Field {
    let refused = speaker.refusedCode(attemptsLeft: entry.attemptsLeftWorthSaying)
    return Field(
      id: FieldName.code.rawValue,
      kind: .code(digits: entry.prompt.digits),
      label: speaker.say(.codeLabel, "digits", "\(entry.prompt.digits)"),
      value: entry.text,
      error: entry.isRefused ? refused : nil,
      isEnabled: isEnabled,
      autofill: "one-time-code"
    )
  }

  /// Patience while waiting; otherwise the code's last minute, and its end.
  private func codeNote(_ speaker: Speaker, _ entry: CodeEntry, _ wait: Wait?) -> String {
    if let wait { return speaker.patience(wait, veryLong: .noAnswerYet) }
    let left = speaker.now.wholeSeconds(until: entry.prompt.expiresAt)
    if left == 0 { return speaker.say(.codeExpired) }
    guard left < CodeEntry.expiryWarningSeconds else { return "" }
    return speaker.say(.codeExpiresIn, "time", speaker.countdown(to: entry.prompt.expiresAt))
  }

  private func resend(_ speaker: Speaker, _ entry: CodeEntry, _ busy: ButtonName?) -> Button {
    var button = speaker.button(
      .resend, busy == .resend ? .sendingNewCode : .resend, .secondary
    )
    button.isBusy = busy == .resend
    button.isEnabled = entry.canResend(at: speaker.now) && busy != .verify
    if entry.prompt.resendAt > speaker.now {
      let left = speaker.countdown(to: entry.prompt.resendAt)
      button.reason = speaker.say(.resendIn, "time", left)
    }
    return button
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

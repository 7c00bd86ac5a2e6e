import SignInFlow
import SignInModel
import SignInWire

extension RiderSignIn {
  func screen(_ speaker: Speaker) -> Screen {
    switch step {
    case .enteringNumber: number(speaker, wait: nil)
    case .sendingCode(let wait): number(speaker, wait: wait)
    case .enteringCode(let entry): code(speaker, entry, busy: nil)
    case .checkingCode(let entry, let wait): code(speaker, entry, busy: (.verify, wait))
    case .resendingCode(let entry, let wait): code(speaker, entry, busy: (.resend, wait))
    case .redeeming(let entry, let wait): code(speaker, entry, busy: (.verify, wait))
    case .locked(let until): locked(speaker, until)
    case .finished: number(speaker, wait: nil)
    }
  }

  /// The number and its code share one screen, so that the number stays where it is.
  private func form(_ speaker: Speaker, back: ButtonName?, _ parts: [Part]) -> Screen {
    Screen(
      id: "rider",
      title: speaker.windowTitle(.signIn),
      layout: .form,
      back: back?.rawValue,
      parts: [
        .mark(id: "mark", name: speaker.say(.product)),
        .title(id: "heading", text: speaker.say(.signIn)),
      ] + parts
    )
  }

  // MARK: Number

  private func number(_ speaker: Speaker, wait: Wait?) -> Screen {
    var send = speaker.button(.sendCode, wait == nil ? .sendCode : .sendingCode, .primary)
    send.isEnabled = canSend
    send.isBusy = wait != nil
    var parts: [Part] = [
      .lead(
        id: "lead", text: Phrase(speaker.say(.riderLead)), banner: notice.map(speaker.banner)
      ),
      .field(phoneField(speaker, isEnabled: wait == nil, change: nil)),
      .button(send),
      .note(
        id: "note", text: wait.map { speaker.patience($0, veryLong: .takingVeryLong) } ?? ""
      ),
    ]
    if let wait, wait.patience(at: speaker.now) == .veryLong {
      parts.append(.button(speaker.button(.cancel, .cancel, .quiet)))
    }
    return form(speaker, back: nil, parts)
  }

  private func phoneField(_ speaker: Speaker, isEnabled: Bool, change: Button?) -> Field {
    var countries: [CountryChoice] = []
    for country in MobileNumber.countries {
      countries.append(CountryChoice(code: country.callingCode, name: speaker.name(of: country)))
    }
    return Field(
      id: FieldName.phone.rawValue,
      kind: .phone(
        country: number.country.callingCode, countryLabel: speaker.say(.country),
        countries: countries, change: change
      ),
      label: speaker.say(.mobileNumber),
      value: number.text,
      error: isNumberMalformed ? speaker.malformedNumber(number.country) : nil,
      isEnabled: isEnabled,
      autofill: "tel-national"
    )
  }

  // MARK: Code

  private func code(
    _ speaker: Speaker, _ entry: CodeEntry, busy: (button: ButtonName, wait: Wait)?
  ) -> Screen {
    var verify = speaker.button(
      .verify, busy?.button == .verify ? .checkingCode : .verify, .primary
    )
    verify.isEnabled = entry.isComplete && busy?.button != .resend
    verify.isBusy = busy?.button == .verify
    let sent = Phrase(speaker.say(.codeSent), filling: .unbroken(entry.prompt.destination))
    let change = speaker.button(.changeNumber, .changeNumber, .quiet)
    return form(
      speaker, back: .changeNumber,
      [
        .lead(id: "lead", text: sent, banner: entry.notice.map(speaker.banner)),
        .field(phoneField(speaker, isEnabled: false, change: change)),
        .field(codeField(speaker, entry, isEnabled: busy == nil)),
        .button(verify),
        .note(id: "note", text: note(speaker, entry, busy?.wait)),
        .button(resend(speaker, entry, busy?.button)),
      ])
  }

  private func codeField(_ speaker: Speaker, _ entry: CodeEntry, isEnabled: Bool) -> Field {
    var error: String?
    if entry.isRefused {
      error = speaker.refusedCode(attemptsLeft: entry.attemptsLeftWorthSaying)
    }
    if entry.isExpired { error = speaker.expiredCode }
    return Field(
      id: FieldName.code.rawValue,
      kind: .code(digits: entry.prompt.digits),
      label: speaker.say(.codeLabel, "digits", "\(entry.prompt.digits)"),
      value: entry.text,
      error: error,
      isEnabled: isEnabled,
      autofill: "one-time-code"
    )
  }

  /// Patience while waiting; otherwise the code's last minute, and its end, said once.
  private func note(_ speaker: Speaker, _ entry: CodeEntry, _ wait: Wait?) -> String {
    if let wait { return speaker.patience(wait, veryLong: .noAnswerYet) }
    if entry.isExpired { return "" }
    let left = speaker.now.wholeSeconds(until: entry.prompt.expiresAt)
    if left == 0 { return speaker.expiredCode }
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

  // MARK: Locked

  private func locked(_ speaker: Speaker, _ until: Instant) -> Screen {
    Screen(
      id: "rider-locked",
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
        .text(id: "why", text: Phrase(speaker.say(.riderLockedWhy)), tone: .muted),
        .button(speaker.button(.changeNumber, .useAnotherNumber, .quiet)),
      ]
    )
  }
}

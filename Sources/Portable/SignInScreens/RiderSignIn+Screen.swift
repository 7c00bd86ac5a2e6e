import SignInFlow
import SignInModel
import SignInWire

extension RiderSignIn {
  func screen(_ speaker: Speaker) -> Screen {
    switch step {
    case .enteringNumber: number(speaker, wait: nil)
    case .sendingCode(let wait): number(speaker, wait: wait)
    case .enteringCode(let step): code(speaker, step)
    case .locked(let until): locked(speaker, until)
    case .signingUp(let registration): registration.screen(speaker)
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
    send.depend(on: canSend, isBusy: wait != nil)
    // What can be done after a long wait takes the place of a link, so that nothing moves.
    var way = speaker.button(.signUp, .newHere, .link)
    if let wait, wait.patience(at: speaker.now) == .veryLong {
      way = speaker.button(.cancel, .cancel, .quiet)
    } else if wait != nil {
      way.isEnabled = false
    }
    let parts: [Part] = [
      .lead(
        id: "lead", text: Phrase(speaker.say(.riderLead)), banner: notice.map(speaker.banner)
      ),
      .field(phoneField(speaker, isEnabled: wait == nil)),
      .button(send),
      .note(
        id: "note", text: wait.map { speaker.patience($0, veryLong: .takingVeryLong) } ?? ""
      ),
      .button(way),
    ]
    return form(speaker, back: nil, parts)
  }

  private func phoneField(
    _ speaker: Speaker, isEnabled: Bool, change: Button? = nil
  ) -> Field {
    speaker.phoneField(
      number,
      error: isNumberMalformed
        ? speaker.malformedNumber(number.country) : speaker.missing(.phone, in: missing),
      isEnabled: isEnabled, change: change
    )
  }

  // MARK: Code

  private func code(_ speaker: Speaker, _ step: CodeStep) -> Screen {
    let change = speaker.button(.changeNumber, .changeNumber, .quiet)
    let phone = phoneField(speaker, isEnabled: false, change: change)
    return form(speaker, back: step.wayBack, step.parts(speaker, above: [.field(phone)]))
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

extension Speaker {
  func phoneField(
    _ number: MobileNumber, error: String?, isEnabled: Bool, change: Button? = nil
  ) -> Field {
    Field(
      id: FieldName.phone.rawValue,
      kind: .phone(
        country: number.country,
        picker: CountryPicker(
          label: say(.country), search: say(.findCountry), none: say(.noCountryFound),
          close: say(.cancel)
        ),
        change: change
      ),
      label: say(.mobileNumber),
      value: number.text,
      error: error,
      isEnabled: isEnabled,
      autofill: "tel-national"
    )
  }
}

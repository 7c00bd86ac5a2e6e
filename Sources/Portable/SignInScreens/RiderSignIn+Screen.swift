import SignInEngine
public import SignInFlow
import SignInModel
import SignInWire

extension RiderSignIn: FormScreen {
  public func screen(_ localizer: Localizer) -> Screen {
    switch step {
    case .enteringNumber: number(localizer, wait: nil)
    case .sendingCode(let wait): number(localizer, wait: wait)
    case .enteringCode(let step): code(localizer, step)
    case .locked(let until): locked(localizer, until)
    case .signingUp(let registration): registration.screen(localizer)
    case .finished: number(localizer, wait: nil)
    }
  }

  /// The number and its code share one screen, so that the number stays in its place.
  private func form(_ localizer: Localizer, back: ButtonName?, _ parts: [Part]) -> Screen {
    Screen(
      id: "rider",
      title: localizer.windowTitle(.signIn),
      layout: .form,
      back: back?.rawValue,
      parts: [
        localizer.mark,
        .title(id: "heading", text: localizer.say(.signIn)),
      ] + parts
    )
  }

  // MARK: Number

  private func number(_ localizer: Localizer, wait: Wait?) -> Screen {
    var send = localizer.button(.sendCode, wait == nil ? .sendCode : .sendingCode, .primary)
    send.depend(on: canSend, isBusy: wait != nil)
    // After a long wait this button replaces the link, so that the other parts do not move.
    var way = localizer.button(.signUp, .newHere, .link)
    if let wait, wait.patience(at: localizer.now) == .veryLong {
      way = localizer.button(.cancel, .cancel, .quiet)
    } else if wait != nil {
      way.isEnabled = false
    }
    let parts: [Part] = [
      .lead(
        id: "lead", text: lead(localizer), banner: notice.map(localizer.banner)
      ),
      .field(phoneField(localizer, isEnabled: wait == nil)),
      .button(send),
      .note(
        id: "note", text: wait.map { localizer.patience($0, veryLong: .takingVeryLong) } ?? ""
      ),
      .button(way),
    ]
    return form(localizer, back: nil, parts + localizer.providerParts(isEnabled: wait == nil))
  }

  /// A refusal does not say whether a sign-up waits, so the person reads it before.
  private func lead(_ localizer: Localizer) -> Phrase {
    guard isSignedUp else { return Phrase(localizer.say(.riderLead)) }
    return Phrase(localizer.say(.signedUpWaiting), filling: .unbroken(number.written))
  }

  private func phoneField(
    _ localizer: Localizer, isEnabled: Bool, change: Button? = nil
  ) -> Field {
    localizer.phoneField(
      number,
      error: isNumberMalformed
        ? localizer.malformed(number)
        : localizer.missing(.phone, in: missing),
      isEnabled: isEnabled, change: change
    )
  }

  // MARK: Code

  private func code(_ localizer: Localizer, _ step: CodeStep) -> Screen {
    let change = localizer.button(.changeNumber, .changeNumber, .quiet)
    let phone = phoneField(localizer, isEnabled: false, change: change)
    return form(localizer, back: step.wayBack, step.parts(localizer, above: [.field(phone)]))
  }

  // MARK: Locked

  private func locked(_ localizer: Localizer, _ until: Instant) -> Screen {
    Screen(
      id: "rider-locked",
      title: localizer.windowTitle(.lockedTitle),
      layout: .form,
      parts: [
        localizer.mark,
        .title(id: "heading", text: localizer.say(.lockedTitle)),
        .text(id: "lock", text: Phrase(localizer.lock(until: until)), tone: .body),
        .fact(
          id: "until", symbol: .clock,
          text: Phrase(
            localizer.say(.lockedUntil), filling: .moment(localizer.moment(until, .clock)))
        ),
        .text(id: "why", text: Phrase(localizer.say(.riderLockedWhy)), tone: .muted),
        .button(localizer.button(.changeNumber, .useAnotherNumber, .quiet)),
      ]
    )
  }
}

extension Localizer {
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

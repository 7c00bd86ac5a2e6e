import SignInFlow
import SignInModel
import SignInWire

/// The part every screen with a code has: where it went, its field, and what can be done.
extension CodeStep {
  /// `above` and `below` stand on either side of the code's field; `act` is its button.
  func parts(
    _ speaker: Speaker, above: [Part] = [], below: [Part] = [], act: Act = .verify
  ) -> [Part] {
    let sent = Phrase(speaker.say(.codeSent), filling: .unbroken(entry.prompt.destination))
    return [.lead(id: "lead", text: sent, banner: entry.notice.map(speaker.banner))] + above + [
      .field(field(speaker))
    ] + below + [
      .button(verify(speaker, act)),
      .note(id: "note", text: note(speaker)),
      .button(resend(speaker)),
    ]
  }

  /// What Verify is called, and while it is busy, and what it needs besides the code.
  struct Act {
    let label: Sentence
    let busyLabel: Sentence
    var isPossible = true

    static let verify = Act(label: .verify, busyLabel: .checkingCode)
  }

  /// Which button is busy, and since when.
  private var busy: (button: ButtonName, wait: Wait)? {
    switch activity {
    case .entering: nil
    case .checking(let wait), .redeeming(let wait): (.verify, wait)
    case .resending(let wait): (.resend, wait)
    }
  }

  private func field(_ speaker: Speaker) -> Field {
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
      isEnabled: activity == .entering,
      autofill: "one-time-code"
    )
  }

  private func verify(_ speaker: Speaker, _ act: Act) -> Button {
    let isBusy = busy?.button == .verify
    var button = speaker.button(.verify, isBusy ? act.busyLabel : act.label, .primary)
    button.isEnabled = entry.isComplete && act.isPossible && busy?.button != .resend
    button.isBusy = isBusy
    return button
  }

  /// Patience while waiting; otherwise the code's last minute, and its end, said once.
  private func note(_ speaker: Speaker) -> String {
    if let busy { return speaker.patience(busy.wait, veryLong: .noAnswerYet) }
    if entry.isExpired { return "" }
    let left = speaker.now.wholeSeconds(until: entry.prompt.expiresAt)
    if left == 0 { return speaker.expiredCode }
    guard left < CodeEntry.expiryWarningSeconds else { return "" }
    return speaker.say(.codeExpiresIn, "time", speaker.countdown(to: entry.prompt.expiresAt))
  }

  private func resend(_ speaker: Speaker) -> Button {
    let isBusy = busy?.button == .resend
    var button = speaker.button(.resend, isBusy ? .sendingNewCode : .resend, .secondary)
    button.isBusy = isBusy
    button.isEnabled = entry.canResend(at: speaker.now) && busy?.button != .verify
    if entry.prompt.resendAt > speaker.now {
      let left = speaker.countdown(to: entry.prompt.resendAt)
      button.reason = speaker.say(.resendIn, "time", left)
    }
    return button
  }
}

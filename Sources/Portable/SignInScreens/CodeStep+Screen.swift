import SignInFlow
import SignInModel
import SignInWire

/// The part every screen with a code has: where it went, its field, and what can be done.
extension CodeStep {
  /// `above` and `below` stand on either side of the code's field; `act` is its button.
  func parts(
    _ speaker: Speaker, above: [Part] = [], below: [Part] = [], act: Act = .verify
  ) -> [Part] {
    let isCall = entry.prompt.channel == CodePrompt.voice
    let lead = isCall ? speaker.tell(.calledTo) : speaker.say(.codeSent)
    let sent = Phrase(lead, filling: .unbroken(entry.prompt.destination))
    return [.lead(id: "lead", text: sent, banner: entry.notice.map(speaker.banner))] + above + [
      .field(field(speaker))
    ] + below + [
      .button(verify(speaker, act)), note(speaker), .button(resend(speaker)),
    ] + callInstead(speaker)
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
    case .resending(let wait, let byCall): (byCall ? .callInstead : .resend, wait)
    }
  }

  private func field(_ speaker: Speaker) -> Field {
    var error: String?
    if entry.isRefused {
      error = speaker.refusedCode(attemptsLeft: entry.attemptsLeftWorthSaying)
    }
    if entry.isExpired { error = speaker.expiredCode }
    if entry.isIncomplete {
      error =
        entry.text.isEmpty
        ? speaker.say(.codeMissing) : speaker.incompleteCode(digits: entry.prompt.digits)
    }
    return Field(
      id: FieldName.code.rawValue,
      kind: .code(digits: entry.prompt.digits),
      label: speaker.say(.codeLabel, "digits", "\(entry.prompt.digits)"),
      value: entry.text,
      placeholder: String(repeating: "0", count: Int(clamping: entry.prompt.digits)),
      error: error,
      isEnabled: activity == .entering,
      autofill: "one-time-code"
    )
  }

  private func verify(_ speaker: Speaker, _ act: Act) -> Button {
    let isBusy = busy?.button == .verify
    var button = speaker.button(.verify, isBusy ? act.busyLabel : act.label, .primary)
    button.isEnabled = entry.isComplete && act.isPossible && (busy == nil || isBusy)
    button.isBusy = isBusy
    button.explainsItself = !button.isEnabled && busy == nil
    return button
  }

  /// Patience while waiting, or else what became of the message, the last minute of its code, or
  /// the end of that, said once.
  ///
  /// That it reached nobody counts more than how long its code lives.
  private func note(_ speaker: Speaker) -> Part {
    func say(_ text: String, _ severity: Severity? = nil) -> Part {
      .note(id: "note", text: text, severity: severity)
    }
    if let busy { return say(speaker.patience(busy.wait, veryLong: .noAnswerYet)) }
    if entry.isExpired { return say("") }
    let left = speaker.now.wholeSeconds(until: entry.prompt.expiresAt)
    if left == 0 { return say(speaker.expiredCode) }
    let news = delivery(at: speaker.now)
    if left < CodeEntry.expiryWarningSeconds, news?.standing != .failed {
      let time = speaker.countdown(to: entry.prompt.expiresAt)
      return say(speaker.say(.codeExpiresIn, "time", time))
    }
    guard let news else { return say("") }
    return say(speaker.delivery(news), speaker.severity(of: news))
  }

  /// Another way for those whom no message reaches.
  private func callInstead(_ speaker: Speaker) -> [Part] {
    let isBusy = busy?.button == .callInstead
    guard isBusy || canCall(at: speaker.now) else { return [] }
    var button = speaker.button(.callInstead, .resend, .quiet)
    button.label = speaker.tell(isBusy ? .calling : .callInstead)
    button.isBusy = isBusy
    button.isEnabled = isBusy || busy == nil
    return [.button(button)]
  }

  private func resend(_ speaker: Speaker) -> Button {
    let isBusy = busy?.button == .resend
    var button = speaker.button(.resend, isBusy ? .sendingNewCode : .resend, .secondary)
    button.isBusy = isBusy
    button.isEnabled = entry.canResend(at: speaker.now) && (busy == nil || isBusy)
    if entry.prompt.resendAt > speaker.now {
      let left = speaker.countdown(to: entry.prompt.resendAt)
      button.reason = speaker.say(.resendIn, "time", left)
    }
    return button
  }
}

import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

/// The parts of every screen with a code: the destination, the code field and the buttons.
extension CodeStep {
  /// `above` and `below` are placed around the code field.
  ///
  /// `act` describes the main button.
  func parts(
    _ localizer: Localizer, above: [Part] = [], below: [Part] = [], act: Act = .verify
  ) -> [Part] {
    let isCall = verification.prompt.channel == CodePrompt.voice
    let lead = isCall ? localizer.sayDelivery(.calledTo) : localizer.say(.codeSent)
    let sent = Phrase(lead, filling: .unbroken(verification.prompt.destination))
    return [.lead(id: "lead", text: sent, banner: notice.map(localizer.banner))] + above + [
      .field(field(localizer))
    ] + below + [
      .button(verify(localizer, act)), note(localizer), .button(resend(localizer)),
    ] + callInstead(localizer)
  }

  /// The main button: its label, its label while it is busy, and whether it may be enabled.
  struct Act {
    let label: Sentence
    let busyLabel: Sentence
    var isPossible = true

    static let verify = Act(label: .verify, busyLabel: .checkingCode)
  }

  /// Which button is busy, and since when.
  private var busy: (button: ButtonName, wait: Wait)? {
    switch verification.activity {
    case .entering: nil
    case .checking(let wait), .redeeming(let wait): (.verify, wait)
    case .resending(let wait, let byCall): (byCall ? .callInstead : .resend, wait)
    }
  }

  private func field(_ localizer: Localizer) -> Field {
    let error: String? =
      switch fault {
      case nil: nil
      case .refused(let attemptsLeft): localizer.refusedCode(attemptsLeft: attemptsLeft)
      case .expired: localizer.expiredCode
      case .superseded: localizer.say(.codeSuperseded)
      case .replaced: localizer.say(.codeReplaced)
      case .incomplete where text.isEmpty: localizer.say(.codeMissing)
      case .incomplete: localizer.incompleteCode(digits: verification.prompt.digits)
      }
    return Field(
      id: FieldName.code.rawValue,
      kind: .code(digits: verification.prompt.digits),
      label: localizer.say(.codeLabel, "digits", "\(verification.prompt.digits)"),
      value: text,
      placeholder: String(repeating: "0", count: Int(clamping: verification.prompt.digits)),
      error: error,
      isEnabled: verification.activity == .entering,
      autofill: "one-time-code"
    )
  }

  private func verify(_ localizer: Localizer, _ act: Act) -> Button {
    let isBusy = busy?.button == .verify
    let kind: Button.Kind = needsNewCode(at: localizer.now) ? .secondary : .primary
    var button = localizer.button(.verify, isBusy ? act.busyLabel : act.label, kind)
    button.isEnabled = isComplete && act.isPossible && (busy == nil || isBusy)
    button.isBusy = isBusy
    button.explainsItself = !button.isEnabled && busy == nil
    return button
  }

  /// One line: a waiting message, or the delivery status, or the last minute of the code, or its
  /// end.
  ///
  /// The end of the code is said only once. If the delivery failed, that is more important than the
  /// remaining life of the code.
  private func note(_ localizer: Localizer) -> Part {
    func say(_ text: String, _ severity: Severity? = nil) -> Part {
      .note(id: "note", text: text, severity: severity)
    }
    if let busy { return say(localizer.patience(busy.wait, veryLong: .noAnswerYet)) }
    if isCodeUnusable { return say("") }
    let left = localizer.now.wholeSeconds(until: verification.prompt.expiresAt)
    if left == 0 { return say(localizer.expiredCode) }
    let update = verification.delivery(at: localizer.now)
    if left < CodeStep.expiryWarningSeconds, update?.status != .failed {
      let time = localizer.countdown(to: verification.prompt.expiresAt)
      return say(localizer.say(.codeExpiresIn, "time", time))
    }
    guard let update else { return say("") }
    return say(localizer.delivery(update), localizer.severity(of: update))
  }

  /// A phone call, for people who did not receive the text message.
  private func callInstead(_ localizer: Localizer) -> [Part] {
    let isBusy = busy?.button == .callInstead
    guard isBusy || verification.canCall(at: localizer.now) else { return [] }
    var button = localizer.button(.callInstead, .resend, .quiet)
    button.label = localizer.sayDelivery(isBusy ? .calling : .callInstead)
    button.isBusy = isBusy
    button.isEnabled = isBusy || busy == nil
    return [.button(button)]
  }

  private func resend(_ localizer: Localizer) -> Button {
    let isBusy = busy?.button == .resend
    let kind: Button.Kind = needsNewCode(at: localizer.now) ? .primary : .secondary
    var button = localizer.button(.resend, isBusy ? .sendingNewCode : .resend, kind)
    button.isBusy = isBusy
    button.isEnabled = verification.canResend(at: localizer.now) && (busy == nil || isBusy)
    if verification.prompt.resendAt > localizer.now {
      let left = localizer.countdown(to: verification.prompt.resendAt)
      button.reason = localizer.say(.resendIn, "time", left)
    }
    return button
  }
}

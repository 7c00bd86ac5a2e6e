import JSONText
public import SignInEngine
public import SignInModel
import SignInWire

/// The form in which a signed-in person enters the current password and a new one.
public struct PasswordChange: EventHandler, Equatable, Sendable {
  enum Ending: Equatable, Sendable {
    case left
    case changed
  }

  public private(set) var current = Secret("")
  public private(set) var new = Secret("")
  public private(set) var isRevealed = false
  public private(set) var isCurrentWrong = false
  /// Why the server refuses the new password.
  public private(set) var fault: PasswordFault?
  public private(set) var notice: Notice?
  public private(set) var waiting: Wait?
  public private(set) var missing = MissingFields()
  private(set) var ending: Ending?

  public var canSubmit: Bool { !current.isEmpty && !new.isEmpty }

  mutating func pressed(_ button: ButtonName, _ context: inout FlowContext) -> [PageEffect] {
    if button == .back { ending = .left }
    return button == .savePassword ? submit(&context) : []
  }

  mutating func revealToggled() { isRevealed.toggle() }

  mutating func bannerDismissed() { notice = nil }

  mutating func tick(_ context: inout FlowContext) -> [PageEffect] {
    waiting?.reports(context).inApp() ?? []
  }

  mutating func edited(
    _ field: FieldName, _ text: Secret, _ context: inout FlowContext
  ) -> [PageEffect] {
    guard waiting == nil else { return [] }
    missing.typed(in: field)
    switch field {
    case .currentPassword:
      current = text
      isCurrentWrong = false
    case .newPassword:
      new = text
      fault = nil
    default: break
    }
    return []
  }

  private mutating func submit(_ context: inout FlowContext) -> [PageEffect] {
    guard waiting == nil else { return [] }
    missing.check([(.currentPassword, current.isEmpty), (.newPassword, new.isEmpty)])
    guard canSubmit else { return missing.explain(&context) }
    notice = nil
    isRevealed = false
    let body = PasswordChangeBody {
      $0.currentPassword = current
      $0.newPassword = new
    }
    // No idempotency key, because the server would have to store something derived from the body.
    let apiRequest = APIRequest.post(.password, body.json)
    waiting = Wait(request: context.ask(apiRequest), since: context.now)
    return [.announce(.changingPassword)]
  }

  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
    guard let waiting, waiting.isFor(id) else { return [] }
    self.waiting = nil
    if answer.success != nil {
      ending = .changed
      return []
    }
    if let fault = PasswordFault(answer.refusal) {
      self.fault = fault
      context.moveFocus(to: .newPassword)
      return [.announce(.passwordRefused(fault))]
    }
    if answer.refusal == .invalidCredentials {
      current = Secret("")
      isCurrentWrong = true
      context.moveFocus(to: .currentPassword)
      return [.announce(.currentPasswordWrong)]
    }
    let reason = notice(about: answer, at: context.now)
    notice = reason
    context.moveFocus(to: .heading)
    return [.report(.notice(reason))]
  }

  /// The notice after a failure.
  ///
  /// Without an answer, the password may have been changed.
  private func notice(about answer: Answer, at now: Instant) -> Notice {
    switch answer {
    case .noNetwork, .unreachable, .timedOut: .session(.passwordMaybeSet)
    case .received, .onDevice: answer.notice(at: now)
    }
  }
}

import JSONText
public import SignInModel
import SignInWire

/// The form in which an invited person sets the first password of the account.
///
///     password ──▶ sending ──▶ finished
public struct InvitationAcceptance: EventHandler, Equatable, Sendable {
  enum Ending: Equatable, Sendable {
    case left
    /// The form is finished.
    ///
    /// The notice says whether the password was set.
    case ended(Notice)
  }

  public private(set) var password = Secret("")
  public private(set) var isRevealed = false
  /// Why the server refuses the password.
  public private(set) var fault: PasswordFault?
  public private(set) var notice: Notice?
  public private(set) var waiting: Wait?
  public private(set) var missing = MissingFields()
  private(set) var ending: Ending?

  private let invitation: Secret
  /// The password was sent and there was no answer, so it may be set already.
  private var isAnswerLost = false

  init(_ invitation: Secret) { self.invitation = invitation }

  public var canSubmit: Bool { !password.isEmpty }

  mutating func handle(_ event: PageEvent, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .fieldEdited(.newPassword, let text) where waiting == nil:
      password = text
      fault = nil
      missing.typed(in: .newPassword)
    case .passwordRevealToggled: isRevealed.toggle()
    case .buttonPressed(.savePassword): return submit(&context)
    case .buttonPressed(.back): ending = .left
    case .bannerDismissed: notice = nil
    case .fieldEdited, .buttonPressed: break
    }
    return []
  }

  mutating func tick(_ context: inout FlowContext) -> [Effect] {
    waiting?.announcements(context) ?? []
  }

  private mutating func submit(_ context: inout FlowContext) -> [Effect] {
    guard waiting == nil else { return [] }
    missing.check([(.newPassword, password.isEmpty)])
    guard canSubmit else { return missing.explain(&context) }
    notice = nil
    isRevealed = false
    let form = InvitationForm {
      $0.clientID = context.app.clientID
      $0.invitation = invitation
      $0.password = password
      $0.uiLocales = context.locale.uiLocales
    }
    let (id, effect) = context.start(.post(.acceptInvitation, form.form, .proof))
    waiting = Wait(request: id, since: context.now)
    return [.announce(.savingPassword), effect]
  }

  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect] {
    guard let waiting, waiting.isFor(id) else { return [] }
    self.waiting = nil
    if answer.success != nil {
      ending = .ended(.passwordSaved)
      return []
    }
    if let fault = PasswordFault(answer.refusal) {
      self.fault = fault
      context.moveFocus(to: .newPassword)
      return [.announce(.passwordRefused(fault))]
    }
    if answer.refusal == .invalidInvitation {
      ending = .ended(isAnswerLost ? .passwordMaybeChanged : .invitationOver)
      return []
    }
    if answer.status == nil { isAnswerLost = true }
    let reason = answer.notice(at: context.now)
    notice = reason
    context.moveFocus(to: .newPassword)
    return [.announce(.notice(reason))]
  }
}

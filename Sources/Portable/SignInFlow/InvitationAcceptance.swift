import JSONText
public import SignInEngine
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

  mutating func edited(
    _ field: FieldName, _ text: Secret, _ context: inout FlowContext
  ) -> [PageEffect] {
    guard field == .newPassword, waiting == nil else { return [] }
    password = text
    fault = nil
    missing.typed(in: .newPassword)
    return []
  }

  mutating func pressed(_ button: ButtonName, _ context: inout FlowContext) -> [PageEffect] {
    if button == .back { ending = .left }
    return button == .savePassword ? submit(&context) : []
  }

  mutating func revealToggled() { isRevealed.toggle() }

  mutating func bannerDismissed() { notice = nil }

  mutating func tick(_ context: inout FlowContext) -> [PageEffect] {
    waiting?.reports(context).inApp() ?? []
  }

  private mutating func submit(_ context: inout FlowContext) -> [PageEffect] {
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
    return [.announce(.savingPassword), .engine(effect)]
  }

  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
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
    return [.report(.notice(reason))]
  }
}

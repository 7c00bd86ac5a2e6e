import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

extension Localizer {
  func said(_ item: AccountUpdateItem) -> String {
    switch item {
    case .passwordPending(let moment):
      say(.accountUpdatePasswordWaits, "time", format.dateAndTime(moment))
    case .newDevice(_, let moment): say(.accountUpdateNewDevice, "time", format.dateAndTime(moment))
    case .proposal(let proposal):
      say(
        proposal.channel == .phone ? .proposedPhone : .proposedEmail,
        [(name: "provider", value: proposal.provider), (name: "value", value: proposal.value)])
    }
  }

  /// What happened to the account on another device, and what the person can do about it.
  func parts(of item: AccountUpdateItem) -> [Part] {
    var severity = Severity.warning
    let buttons: [Button]
    switch item {
    case .passwordPending: buttons = [button(.cancelNewPassword, .cancelNewPassword, .primary)]
    case .newDevice: buttons = [button(.dismissAccountUpdate, .accountUpdateRead, .secondary)]
    case .proposal(let proposal):
      severity = .info
      let use = proposal.channel == .phone ? Sentence.useNewPhone : .useNewEmail
      buttons = [
        button(.acceptAccountUpdate, use, .primary),
        button(.dismissAccountUpdate, .keepOldContact, .secondary),
      ]
    }
    let banner = Banner(id: "news", severity: severity, text: said(item), dismissal: nil)
    return [.banner(banner), .actions(id: "news-actions", buttons)]
  }
}

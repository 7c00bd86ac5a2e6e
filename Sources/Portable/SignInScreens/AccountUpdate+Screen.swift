import SignInFlow
import SignInModel

extension Localizer {
  func said(_ item: AccountUpdateItem) -> String {
    switch item {
    case .passwordPending(let moment):
      say(.accountUpdatePasswordWaits, "time", format.dateAndTime(moment))
    case .newDevice(_, let moment): say(.accountUpdateNewDevice, "time", format.dateAndTime(moment))
    }
  }

  /// What happened to the account on another device, and what the person can do about it.
  func parts(of item: AccountUpdateItem) -> [Part] {
    let banner = Banner(id: "news", severity: .warning, text: said(item), dismissal: nil)
    let button =
      switch item {
      case .passwordPending: button(.cancelNewPassword, .cancelNewPassword, .primary)
      case .newDevice: button(.dismissAccountUpdate, .accountUpdateRead, .secondary)
      }
    return [.banner(banner), .actions(id: "news-actions", [button])]
  }
}

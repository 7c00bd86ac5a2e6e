import SignInFlow
import SignInModel

extension Speaker {
  func said(_ item: AccountNewsItem) -> String {
    switch item {
    case .passwordWaits(let moment): say(.newsPasswordWaits, "time", format.dateAndTime(moment))
    case .newDevice(_, let moment): say(.newsNewDevice, "time", format.dateAndTime(moment))
    }
  }

  /// What happened to the account elsewhere, and what the person can do about it.
  func parts(of item: AccountNewsItem) -> [Part] {
    let banner = Banner(id: "news", severity: .warning, text: said(item), dismissal: nil)
    let button =
      switch item {
      case .passwordWaits: button(.cancelNewPassword, .cancelNewPassword, .primary)
      case .newDevice: button(.dismissNews, .newsRead, .secondary)
      }
    return [.banner(banner), .actions(id: "news-actions", [button])]
  }
}

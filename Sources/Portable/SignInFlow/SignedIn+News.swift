public import SignInModel
import SignInWire

// MARK: - News of the account

extension SignedIn {
  /// What the person is shown first: a password that waits is more urgent than a new device.
  public var shownNews: AccountNewsItem? {
    if let waiting = news.passwordReset { return .passwordWaits(until: waiting.availableAt) }
    for notice in news.notices where notice.kind == "new_device" {
      return .newDevice(id: notice.id, at: notice.at)
    }
    return nil
  }
}

/// One thing that happened to the account elsewhere.
public enum AccountNewsItem: Equatable, Sendable {
  case passwordWaits(until: Instant)
  case newDevice(id: String, at: Instant)

  /// How the server is told what the person says to it.
  var reply: APIRequest {
    switch self {
    case .passwordWaits: .delete(Endpoint.passwordReset)
    case .newDevice(let id, _): .delete(Endpoint.notices + "/" + id)
    }
  }
}

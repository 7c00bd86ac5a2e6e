public import SignInModel
import SignInWire

// MARK: - Account updates

extension SignedIn {
  /// The account update to show first: a waiting password is more urgent than a new device.
  public var shownAccountUpdate: AccountUpdateItem? {
    if let waiting = accountUpdate.passwordReset {
      return .passwordPending(until: waiting.availableAt)
    }
    for notice in accountUpdate.notices where notice.kind == "new_device" {
      return .newDevice(id: notice.id, at: notice.at)
    }
    return nil
  }
}

/// One thing that happened to the account on another device.
public enum AccountUpdateItem: Equatable, Sendable {
  case passwordPending(until: Instant)
  case newDevice(id: String, at: Instant)

  /// The request that sends the person's response to the server.
  var reply: APIRequest {
    switch self {
    case .passwordPending: .delete(Endpoint.passwordReset)
    case .newDevice(let id, _): .delete(Endpoint.notices + "/" + id)
    }
  }
}

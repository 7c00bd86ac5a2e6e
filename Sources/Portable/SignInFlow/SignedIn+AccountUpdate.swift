public import SignInModel
public import SignInWire

// MARK: - Account updates

extension SignedIn {
  /// The account update to show first: a new password that is not valid yet, then a sign-in on a
  /// new device, then a number or an address from a provider.
  public var shownAccountUpdate: AccountUpdateItem? {
    if let waiting = accountUpdate.passwordReset {
      return .passwordPending(until: waiting.availableAt)
    }
    for notice in accountUpdate.notices where notice.kind == "new_device" {
      return .newDevice(id: notice.id, at: notice.at)
    }
    return accountUpdate.proposals.first.map { .proposal($0) }
  }

  mutating func learn(_ told: AccountUpdate) -> [Effect] {
    let earlier = shownAccountUpdate
    accountUpdate = told
    return announce(after: earlier)
  }

  private func announce(after earlier: AccountUpdateItem?) -> [Effect] {
    guard let item = shownAccountUpdate, item != earlier else { return [] }
    return [.announce(.accountUpdate(item))]
  }

  mutating func reply(with button: ButtonName, _ context: inout FlowContext) {
    guard !requests.isReplying, let request = shownAccountUpdate?.reply(with: button) else {
      return
    }
    let isAccepting = button == .acceptAccountUpdate
    requests.add(context.ask(request), for: .reply(isAccepting: isAccepting))
  }

  /// If the item no longer exists (404), the result is the same.
  mutating func replied(
    _ answer: Answer, isAccepting: Bool, _ context: inout FlowContext
  ) -> [Effect] {
    guard let status = answer.status, status < 300 || status == 404 else {
      return say(answer.notice(at: context.now))
    }
    let item = shownAccountUpdate
    switch item {
    case .passwordPending?:
      accountUpdate.passwordReset = nil
      return status < 300 ? say(.session(.newPasswordCancelled)) : []
    case .newDevice(let id, _)?: accountUpdate.notices.removeAll { $0.id == id }
    case .proposal(let proposal)?:
      accountUpdate.proposals.removeAll { $0.id == proposal.id }
      guard isAccepting, status < 300 else { break }
      account.load(&context)
      return say(.session(.contactChanged)) + announce(after: item)
    case nil: break
    }
    return []
  }

  private mutating func say(_ reason: Notice) -> [Effect] {
    notice = reason
    return [.announce(.notice(reason))]
  }
}

/// One thing that happened to the account on another device or at an identity provider.
public enum AccountUpdateItem: Equatable, Sendable {
  case passwordPending(until: Instant)
  case newDevice(id: String, at: Instant)
  /// A number or an address that a provider has verified, which the person accepts or declines.
  case proposal(AccountUpdate.Proposal)

  /// The request that sends the person's response to the server; nil if the button is of another
  /// item.
  func reply(with button: ButtonName) -> APIRequest? {
    switch self {
    case .passwordPending: button == .cancelNewPassword ? .delete(.passwordReset) : nil
    case .newDevice(let id, _):
      button == .dismissAccountUpdate ? .delete(.notice(Endpoint.Segment(id))) : nil
    case .proposal(let proposal):
      button == .cancelNewPassword
        ? nil
        : APIRequest(
          button == .acceptAccountUpdate ? .post : .delete,
          .contactProposal(Endpoint.Segment(proposal.id)))
    }
  }
}

extension ButtonName {
  /// Whether the button answers an account update.
  var isReply: Bool {
    self == .cancelNewPassword || self == .dismissAccountUpdate || self == .acceptAccountUpdate
  }
}

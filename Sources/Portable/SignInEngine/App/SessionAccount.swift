public import SignInModel
public import SignInWire

/// The account of the session, as the server sends it, and what happened to it on other devices.
struct SessionAccount: Equatable, Sendable {
  var fetched = FetchedValue<AccountAnswer>(.me)
  /// What happened to the account on other devices, until the person has responded.
  private var update = AccountUpdate()

  /// The account update to show first: a new password that is not valid yet, then a sign-in on a
  /// new device, then a number or an address from a provider.
  var shownUpdate: AccountUpdateItem? {
    if let waiting = update.passwordReset { return .passwordPending(until: waiting.availableAt) }
    for notice in update.notices where notice.kind == "new_device" {
      return .newDevice(id: notice.id, at: notice.at)
    }
    return update.proposals.first.map { .proposal($0) }
  }

  mutating func learn(_ told: AccountUpdate) -> [Effect] {
    let earlier = shownUpdate
    update = told
    return report(after: earlier)
  }

  private func report(after earlier: AccountUpdateItem?) -> [Effect] {
    guard let item = shownUpdate, item != earlier else { return [] }
    return [.report(.accountUpdate(item))]
  }

  /// Removes the shown update, because the server has the person's response.
  ///
  /// - Returns: The notice, and then the reports.
  mutating func removeShownUpdate(
    isAccepted: Bool, isConfirmed: Bool, _ context: inout FlowContext
  ) -> (notice: Notice?, reports: [Effect]) {
    let item = shownUpdate
    switch item {
    case .passwordPending?:
      update.passwordReset = nil
      return (isConfirmed ? .session(.newPasswordCancelled) : nil, [])
    case .newDevice(let id, _)?: update.notices.removeAll { $0.id == id }
    case .proposal(let proposal)?:
      update.proposals.removeAll { $0.id == proposal.id }
      guard isAccepted, isConfirmed else { break }
      fetched.load(&context)
      return (.session(.contactChanged), report(after: item))
    case nil: break
    }
    return (nil, [])
  }
}

/// One thing that happened to the account on another device or at an identity provider.
public enum AccountUpdateItem: Equatable, Sendable {
  case passwordPending(until: Instant)
  case newDevice(id: String, at: Instant)
  /// A number or an address that a provider has verified, which the person accepts or declines.
  case proposal(AccountUpdate.Proposal)

  /// The request that sends the person's reply to the server; `nil` if it is to another item.
  func request(for reply: AccountUpdateReply) -> APIRequest? {
    switch self {
    case .passwordPending: reply == .cancelPassword ? .delete(.passwordReset) : nil
    case .newDevice(let id, _):
      reply == .dismiss ? .delete(.notice(Endpoint.Segment(id))) : nil
    case .proposal(let proposal):
      reply == .cancelPassword
        ? nil
        : APIRequest(
          reply == .accept ? .post : .delete, .contactProposal(Endpoint.Segment(proposal.id)))
    }
  }
}

/// The person's reply to an `AccountUpdateItem`.
public enum AccountUpdateReply: Equatable, Sendable {
  /// The new password must not take effect.
  case cancelPassword
  case dismiss
  case accept
}

import SignInModel
public import SignInWire

// MARK: - Account updates

extension SignedIn {
  public var account: FetchedValue<AccountAnswer> { sessionAccount.fetched }

  /// Empty if this device does not know it.
  package var personName: String {
    account.value?.name ?? renewingSession.record.person?.name ?? ""
  }

  public var shownAccountUpdate: AccountUpdateItem? { sessionAccount.shownUpdate }

  mutating func reply(_ reply: AccountUpdateReply, _ context: inout FlowContext) {
    guard !requests.isReplying, let request = shownAccountUpdate?.request(for: reply) else {
      return
    }
    requests.add(context.ask(request), for: .reply(isAccepting: reply == .accept))
  }

  /// If the item no longer exists (404), the result is the same.
  mutating func replied(
    _ answer: Answer, isAccepting: Bool, _ context: inout FlowContext
  ) -> [FlowEffect] {
    guard let status = answer.status, status < 300 || status == 404 else {
      return shown.say(answer.notice(at: context.now)).inApp()
    }
    let (notice, reports) = sessionAccount.removeShownUpdate(
      isAccepted: isAccepting, isConfirmed: status < 300, &context)
    return ((notice.map { shown.say($0) } ?? []) + reports).inApp()
  }
}

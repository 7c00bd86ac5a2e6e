import JSONText
public import SignInEngine
public import SignInModel
import SignInWire

/// The accounts that an administrator selected in the list, and their approval one after another.
///
///     selecting ──approve──▶ asking ──confirmed──▶ working ──last answer──▶ selecting
///                              └────cancelled────▶ selecting
public struct BulkApproval: Equatable, Sendable {
  private enum Stage: Equatable, Sendable {
    case selecting
    case asking
    /// The accounts that were not answered yet, the one of the running request first.
    case working(Wait, rest: [AccountID])
  }

  /// An account that was not approved, and why.
  public struct Failure: Equatable, Sendable {
    public let account: AccountID
    public let reason: ConsoleNotice
  }

  /// An approved account is no longer selected.
  public private(set) var selected: [AccountID] = []
  public private(set) var failures: [Failure] = []
  /// The number of accounts that the last confirmed question was about.
  public private(set) var total: Int64 = 0
  public private(set) var approved: Int64 = 0
  private var stage = Stage.selecting

  public var count: Int64 { Int64(selected.count) }
  public var isAsking: Bool { stage == .asking }
  public var waiting: Wait? { if case .working(let wait, _) = stage { wait } else { nil } }

  func isFor(_ id: RequestID) -> Bool { waiting?.isFor(id) ?? false }

  // MARK: Selecting

  mutating func toggle(_ account: AccountID) {
    guard stage == .selecting else { return }
    if selected.contains(account) {
      selected.removeAll { $0 == account }
    } else {
      selected.append(account)
    }
  }

  /// Selects all of them, or none if all are selected.
  mutating func toggleAll(_ accounts: [AccountID]) {
    guard stage == .selecting else { return }
    selected = selected.count == accounts.count ? [] : accounts
  }

  /// Removes what cannot be selected any more, because the list has changed.
  mutating func keep(only accounts: [AccountID]) {
    guard stage == .selecting else { return }
    selected.removeAll { !accounts.contains($0) }
    failures.removeAll { !accounts.contains($0.account) }
  }

  mutating func ask(_ context: inout FlowContext) {
    guard stage == .selecting, !selected.isEmpty else { return }
    stage = .asking
    context.moveFocus(to: .question)
  }

  mutating func cancel(_ context: inout FlowContext) {
    guard isAsking else { return }
    stage = .selecting
    context.moveFocus(to: .approveSelected)
  }

  // MARK: Approving

  mutating func confirm(_ context: inout FlowContext) {
    guard isAsking else { return }
    (failures, total, approved) = ([], count, 0)
    send(selected, &context)
    context.moveFocus(to: .approveSelected)
  }

  private mutating func send(_ rest: [AccountID], _ context: inout FlowContext) {
    guard let account = rest.first else {
      stage = .selecting
      return
    }
    let body = StatusChangeBody { $0.status = AccountStatus.active.rawValue }.json
    let request = APIRequest.patch(
      .adminAccount(Endpoint.Segment(account.text)), body,
      idempotencyKey: context.makeIdempotencyKey())
    stage = .working(Wait(request: context.ask(request), since: context.now), rest: rest)
  }

  /// Handles the answer about one account, and returns the account if it was approved.
  ///
  /// Without a connection the other accounts are not tried. They stay selected.
  mutating func answered(
    _ answer: Answer, _ context: inout FlowContext
  ) -> (approved: AccountEntry?, effects: [PageEffect]) {
    guard case .working(_, var rest) = stage, let account = rest.first else { return (nil, []) }
    rest.removeFirst()
    let entry = answer.success.flatMap { AccountEntry(json: $0) }
    if answer.success != nil {
      selected.removeAll { $0 == account }
      approved += 1
    } else {
      let reason = ConsoleNotice(answer, at: context.now)
      failures.append(Failure(account: account, reason: reason))
      if case .failed = reason { rest = [] }
    }
    send(rest, &context)
    guard stage == .selecting else { return (entry, []) }
    return (entry, [.announce(.console(.notice(notice)))])
  }

  /// The result of the last question.
  var notice: ConsoleNotice { .approvedSeveral(approved, of: total) }
}

extension ConsoleHome {
  /// The listed accounts that wait and that the administrator may approve.
  ///
  /// Accounts can be selected only in the list of those that wait.
  public var selectable: [AccountID] {
    guard status.hasSameBytes(as: AccountStatus.pending.rawValue), let own else { return [] }
    var ids: [AccountID] = []
    for entry in accounts.entries ?? [] where AccountStatus(rawValue: entry.status) == .pending {
      if own.mayChange(entry, needing: AccountAction.approve.level) { ids.append(entry.id) }
    }
    return ids
  }

  mutating func select(_ button: ButtonName, _ item: String) -> [PageEffect] {
    let selectable = selectable
    guard !selectable.isEmpty, !isBusy else { return [] }
    if button == .toggleAccounts {
      bulk.toggleAll(selectable)
    } else if let id = selectable.first(where: { $0.text.hasSameBytes(as: item) }) {
      bulk.toggle(id)
    } else {
      return []
    }
    return [.announce(.console(.accountsSelected(bulk.count)))]
  }

  mutating func bulkAnswered(_ answer: Answer, _ context: inout FlowContext) -> [PageEffect] {
    let (entry, effects) = bulk.answered(answer, &context)
    if let entry { replace(entry) }
    guard bulk.waiting == nil else { return effects }
    notice = bulk.notice
    context.moveFocus(to: selectable.isEmpty ? .heading : .approveSelected)
    return effects
  }
}

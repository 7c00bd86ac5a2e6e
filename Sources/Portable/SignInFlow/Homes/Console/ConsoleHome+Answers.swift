import JSONText
import SignInEngine
import SignInModel
import SignInWire

extension ConsoleHome {
  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
    if overview.isFor(id) { return adoptOverview(answer, &context) }
    if accounts.isFor(id) { return listedAccounts(answer, &context) }
    if events.isFor(id) {
      let effects = events.answered(answer, .events, { EventEntry(json: $0) }, context)
      if answer.success != nil {
        askNames(Self.accounts(in: events.entries), &context)
        findRecord(in: .events, &context)
      }
      return effects
    }
    if wanted?.request == id { return foundAccount(answer, &context) }
    if let index = naming.firstIndex(where: { $0.request == id }) {
      naming.remove(at: index)
      let read = WireField.accounts.entries(in: answer.success, { AccountEntry(json: $0) })
      named += (read ?? []).filter { entry in !named.contains { $0.id == entry.id } }
      return []
    }
    if messages.isFor(id) {
      let effects = messages.answered(answer, .messages, { MessageEntry(json: $0) }, context)
      if answer.success != nil { findRecord(in: .messages, &context) }
      return effects
    }
    if products.isFor(id) { return listedProducts(answer, &context) }
    if requests.isFor(id) { return listedRequests(answer, &context) }
    if transfer.isFor(id) { return transferAnswered(id, answer, &context) }
    if bulk.isFor(id) { return bulkAnswered(answer, &context) }
    if exporting?.isFor(id) == true { return exported(answer, context) }
    if policies.isFor(id) { return policies.answered(id, answer, &context) }
    if creation?.isFor(id) == true { return created(answer, &context) }
    guard account?.isFor(id) == true else { return [] }
    let isHistory = account?.history.events.isFor(id) == true
    let effects = account?.answered(id, answer, &context) ?? []
    if isHistory, answer.success != nil {
      askNames(Self.accounts(in: account?.history.events.entries), &context)
    }
    if account?.isErased == true { return closeErased(&context) + effects }
    if let entry = account?.entry { replace(entry) }
    return effects
  }

  private mutating func adoptOverview(
    _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
    guard let body = answer.success, let read = OverviewAnswer(json: body) else {
      return overview.fail(answer, context).inApp()
    }
    overview.adopt(read, context)
    if read.organizations != nil { policies.needOrganizations(&context) }
    return []
  }

  private mutating func listedAccounts(
    _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
    let wasShown = accounts.entries != nil
    let effects = accounts.answered(answer, .accounts, { AccountEntry(json: $0) }, context)
    bulk.keep(only: selectable)
    guard answer.success != nil, wasShown else { return effects }
    return effects + [.announce(.console(.accountsListed(Int64(accounts.entries?.count ?? 0))))]
  }

  private mutating func created(_ answer: Answer, _ context: inout FlowContext) -> [PageEffect] {
    guard var form = creation else { return [] }
    let (made, effects) = form.answered(answer, &context)
    creation = form
    guard let made else { return effects }
    loadAccounts(&context)
    show(AccountCard(made, for: own, notice: form.notice(of: made)), &context)
    return effects
  }

  /// Returns to the list with a notice, because the account no longer exists.
  private mutating func closeErased(_ context: inout FlowContext) -> [PageEffect] {
    guard let erased = account?.entry.id else { return [] }
    account = nil
    notice = .done(.erase)
    if let entries = accounts.entries { accounts.change(entries.filter { $0.id != erased }) }
    named.removeAll { $0.id == erased }
    origin = nil
    context.moveFocus(to: .heading)
    return []
  }

  private static func accounts(in events: [EventEntry]?) -> [AccountID?] {
    var ids: [AccountID?] = []
    for event in events ?? [] { ids += [event.account, event.administrator] }
    return ids
  }

  /// Reads those of the accounts that are not known yet, and that no running request is for.
  mutating func askNames(_ accounts: [AccountID?], _ context: inout FlowContext) {
    var ids: [AccountID] = []
    for case let id? in accounts
    where ids.count < AccountEntry.idLimit && !named.contains(where: { $0.id == id })
      && !naming.contains(where: { $0.accounts.contains(id) }) && !ids.contains(id)
      && id != account?.entry.id
    {
      ids.append(id)
    }
    guard !ids.isEmpty else { return }
    var list = ""
    for id in ids { list += (list.isEmpty ? "" : ",") + id.text }
    let query = AccountsQuery { $0.ids = list }
    let request = context.ask(.get(.adminAccounts, query.form))
    naming.append(Naming(request: request, accounts: ids))
  }

  /// Shows the newer data of one account in the lists too.
  mutating func replace(_ entry: AccountEntry) {
    if let index = named.firstIndex(where: { $0.id == entry.id }) { named[index] = entry }
    guard var entries = accounts.entries,
      let index = entries.firstIndex(where: { $0.id == entry.id })
    else { return }
    entries[index] = entry
    accounts.change(entries)
  }
}

import JSONText
public import SignInEngine
import SignInModel
public import SignInWire

/// An administrator's console: an overview, accounts, the security log, the delivery log and
/// policies (T-16, R-11).
public struct ConsoleHome: FormHome, EventHandler {
  public enum Tab: String, Sendable, CaseIterable {
    case overview
    case accounts
    case events
    case messages
    case policies
  }

  /// The pause in typing after which the search starts.
  static let searchPauseMilliseconds: Int64 = 400

  public internal(set) var tab = Tab.overview
  public private(set) var overview = FetchedValue<OverviewAnswer>(.adminOverview)
  public internal(set) var accounts = PagedList<AccountEntry>(.adminAccounts)
  public internal(set) var search = ""
  /// The only status that is listed, or `lockedStatus`; empty for all.
  public internal(set) var status = ""
  public internal(set) var account: AccountCard?
  /// An account that an address names, until it is read.
  public internal(set) var wanted: WantedAccount?
  /// The form for a new account.
  public internal(set) var creation: AccountEditor?
  public private(set) var events = PagedList<EventEntry>(.adminEvents)
  public internal(set) var eventFilter = LogFilter()
  public internal(set) var messageFilter = LogFilter()
  public private(set) var messages = PagedList<MessageEntry>(.adminMessages)
  public internal(set) var policies = PolicyList()

  /// What happened to an account that no longer exists, shown above the list.
  public internal(set) var notice: ConsoleNotice?
  /// The signed-in administrator; `nil` until the server has sent the account.
  public private(set) var own: ConsoleAdministrator?

  /// A press or a choice that discards typed text, while the person is asked.
  private var leaving: Leaving?
  /// The event or the message that is shown beside its list.
  public internal(set) var opened: String?
  /// The accounts that are selected to be approved together.
  public internal(set) var bulk = BulkApproval()
  /// The accounts that the listed events name, as far as the administrator may read them.
  public private(set) var named: [AccountEntry] = []

  /// The request that saves the list as a table.
  public internal(set) var exporting: Wait?

  private var naming: RequestID?
  /// The page from which the account was opened, if it is not the list of accounts.
  var origin: Tab?
  private var searchAt: Instant?

  public init() {}

  public mutating func open(_ context: inout FlowContext) -> [PageEffect] {
    load(tab, &context)
    return []
  }

  public mutating func handle(_ event: Event, _ context: inout FlowContext) -> [PageEffect] {
    dispatch(event, &context)
  }

  mutating func edited(
    _ field: FieldName, _ text: Secret, _ context: inout FlowContext
  ) -> [PageEffect] {
    if field == .policyApp {
      return act(Leaving(button: nil, item: text.revealed), &context)
    }
    if !isLeaving { edit(field, text.revealed, &context) }
    return []
  }

  mutating func pressed(_ button: ButtonName, _ context: inout FlowContext) -> [PageEffect] {
    if isLeaving { return answerQuestion(button, &context) }
    return act(Leaving(button: button, item: nil), &context)
  }

  mutating func bannerDismissed() {
    notice = nil
    account?.dismiss()
    policies.dismiss()
  }

  mutating func handle(_ event: HomeEvent, _ context: inout FlowContext) -> [PageEffect] {
    guard case .itemPressed(let button, let item) = event else { return [] }
    return act(Leaving(button: button, item: item), &context)
  }

  mutating func handle(_ event: DeviceEvent, _ context: inout FlowContext) -> [PageEffect] {
    if case .networkReturned = event { networkReturned(&context) }
    return []
  }

  public mutating func setAccount(_ account: AccountAnswer) {
    let administrator = ConsoleAdministrator(account)
    own = administrator
    self.account?.setAdministrator(administrator)
    policies.setAdministrator(administrator)
  }

  /// Whether the administrator may create accounts.
  public var mayCreate: Bool { own?.hasAnywhere(.administrator) ?? false }

  // MARK: Leaving a form

  struct Leaving: Equatable, Sendable {
    /// `nil` for the choice of the app of a policy.
    let button: ButtonName?
    let item: String?

    var discardsText: Bool {
      switch button {
      case .back, .newAccount, .consoleTab, .openAccount, .openValue, nil: true
      default: false
      }
    }
  }

  /// Whether the person is asked if typed text may be discarded.
  public var isLeaving: Bool { leaving.isPresent }

  private var hasTypedText: Bool {
    if tab == .policies { return policies.page?.editor?.isDirty ?? false }
    if isBusy { return false }
    return creation?.isDirty ?? account?.editor?.isDirty ?? false
  }

  mutating func act(_ step: Leaving, _ context: inout FlowContext) -> [PageEffect] {
    if isLeaving { return [] }
    guard step.discardsText, hasTypedText else { return happen(step, &context) }
    leaving = step
    context.moveFocus(to: .question)
    return []
  }

  private mutating func answerQuestion(
    _ button: ButtonName, _ context: inout FlowContext
  ) -> [PageEffect] {
    guard let step = leaving, button == .confirm || button == .cancel else { return [] }
    leaving = nil
    if button == .confirm { return happen(step, &context) }
    context.moveFocus(to: tab == .policies ? .editor : .account)
    return []
  }

  private mutating func happen(_ step: Leaving, _ context: inout FlowContext) -> [PageEffect] {
    guard let button = step.button else {
      edit(.policyApp, step.item ?? "", &context)
      return []
    }
    if let item = step.item { return perform(button, item, &context) }
    return perform(button, &context)
  }

  // MARK: Pressing and typing

  private mutating func perform(
    _ button: ButtonName, _ item: String, _ context: inout FlowContext
  ) -> [PageEffect] {
    switch button {
    case .consoleTab: go(to: item, &context)
    case .openAccount:
      let listed = named + (accounts.entries ?? [])
      guard !isBusy, let entry = listed.first(where: { $0.id.text == item }) else { break }
      origin = tab == .accounts ? nil : tab
      tab = .accounts
      show(AccountCard(entry, for: own), &context)
    case .accountAction:
      if let action = AccountAction(rawValue: item) { account?.ask(action, &context) }
    case .openRecord: openRecord(item, &context)
    case .toggleAccount, .toggleAccounts: return select(button, item)
    case .endSession: account?.askToEnd(item, &context)
    case .toggleOrganization:
      guard isKnown(organization: item) else { break }
      creation?.toggle(OrganizationID(item))
      account?.toggle(OrganizationID(item))
    case .openPolicy, .openValue, .back:
      if tab == .policies { policies.pressed(button, item, &context) }
    default: break
    }
    return []
  }

  mutating func perform(
    _ button: ButtonName, _ context: inout FlowContext
  ) -> [PageEffect] {
    if tab == .policies, button != .refresh { return policies.pressed(button, &context) }
    switch button {
    case .refresh:
      load(tab, &context)
      return [.announce(.updatingJobs)]
    case .readMore: readOn(&context)
    case .readHistory: account?.history.readOn(&context)
    case .approveSelected: if !isBusy, account?.asking == nil { bulk.ask(&context) }
    case .exportList: exportList(&context)
    case .newAccount:
      guard mayCreate, !isBusy, let own else { break }
      account = nil
      notice = nil
      creation = AccountEditor(newBy: own, at: context.now)
      policies.needOrganizations(&context)
      context.moveFocus(to: .account)
    case .editAccount:
      account?.edit(&context)
      if account?.editor.isPresent == true { policies.needOrganizations(&context) }
    case .saveAccount:
      if creation.isPresent { return creation?.save(&context) ?? [] }
      return account?.save(&context) ?? []
    case .confirm:
      bulk.confirm(&context)
      return account?.confirm(&context) ?? []
    case .cancel:
      bulk.cancel(&context)
      account?.cancel(&context)
    case .back: goBack(&context)
    default: break
    }
    return []
  }

  mutating func goBack(_ context: inout FlowContext) {
    guard account?.asking == nil, !isBusy else { return }
    if isRecordOpen { return closeRecord(&context) }
    if account?.editor.isPresent == true {
      account?.closeEditor(&context)
      return
    }
    (account, creation, wanted) = (nil, nil, nil)
    if let origin { tab = origin }
    origin = nil
    findRecord(in: tab, &context)
    context.moveFocus(to: .heading)
  }

  /// Whether the open account or form must stay open until a request is answered.
  var isBusy: Bool {
    account?.isBusy == true || creation?.waiting != nil || bulk.waiting != nil || bulk.isAsking
  }

  private func isKnown(organization: String) -> Bool {
    policies.organizations.value?.contains { $0.id.text == organization } ?? false
  }

  private mutating func edit(
    _ field: FieldName, _ text: String, _ context: inout FlowContext
  ) {
    switch field {
    case _ where tab == .events:
      if eventFilter.edit(field, text, at: context.now) { loadEvents(&context) }
    case _ where tab == .messages:
      if messageFilter.edit(field, text, at: context.now) { loadMessages(&context) }
    case .search where bulk.waiting == nil:
      search = text
      searchAt = context.now.adding(milliseconds: Self.searchPauseMilliseconds)
    case .status where bulk.waiting == nil:
      status = text
      loadAccounts(&context)
    case .policyApp, .policyValue, .policyUnit:
      if tab == .policies { policies.edit(field, text, &context) }
    default:
      creation?.edit(field, text)
      account?.type(field, text)
    }
  }

  mutating func show(_ card: AccountCard, _ context: inout FlowContext) {
    var card = card
    policies.needApps(&context)
    needOrganizations(of: card.entry, &context)
    card.open(&context)
    account = card
    (creation, wanted) = (nil, nil)
    notice = nil
    context.moveFocus(to: .account)
  }

  /// Reads the names of the organizations, if the account has one.
  private mutating func needOrganizations(
    of entry: AccountEntry, _ context: inout FlowContext
  ) {
    let isNamed = entry.permissions.contains { $0.organization != nil }
    if isNamed || !entry.organizations.isEmpty { policies.needOrganizations(&context) }
  }

  mutating func show(_ tab: Tab, _ context: inout FlowContext) {
    guard !isBusy, !policies.isBusy else { return }
    (account, creation, wanted, opened) = (nil, nil, nil, nil)
    notice = nil
    origin = nil
    self.tab = tab
    context.moveFocus(to: .heading)
    if tab == .policies { policies.close(&context) } else { load(tab, &context) }
  }

  /// The search of the listed accounts, if only the search limits the list.
  ///
  /// `nil` until the answer to the search has arrived.
  public var listedSearch: String? {
    let isListed = searchAt == nil && accounts.loading == nil && status.isEmpty
    return isListed && !search.isEmpty ? search : nil
  }

  // MARK: Reading

  private mutating func load(_ tab: Tab, _ context: inout FlowContext) {
    switch tab {
    case .overview: overview.load(&context)
    case .accounts: loadAccounts(&context)
    case .events:
      policies.needApps(&context)
      loadEvents(&context)
    case .messages:
      policies.needApps(&context)
      loadMessages(&context)
    case .policies: policies.load(&context)
    }
  }

  mutating func loadAccounts(_ context: inout FlowContext) {
    searchAt = nil
    accounts.load(filter, &context)
  }

  mutating func loadEvents(_ context: inout FlowContext) {
    eventFilter.stopWaiting()
    if eventFilter.isTextWhole { events.load(eventFilter.events, &context) }
  }

  mutating func loadMessages(_ context: inout FlowContext) {
    messageFilter.stopWaiting()
    if messageFilter.isDestinationWhole { messages.load(messageFilter.messages, &context) }
  }

  mutating func readOn(_ context: inout FlowContext) {
    switch tab {
    case .accounts: accounts.readOn(filter, &context)
    case .events: events.readOn(eventFilter.events, &context)
    case .messages: messages.readOn(messageFilter.messages, &context)
    case .overview, .policies: break
    }
  }

  var filter: [Form.Field] {
    var query = AccountsQuery()
    if !search.isEmpty { query.text = search }
    if status.hasSameBytes(as: Self.lockedStatus) {
      query.isLocked = true
    } else if !status.isEmpty {
      query.status = status
    }
    return query.form.fields
  }

  private mutating func networkReturned(_ context: inout FlowContext) {
    if accounts.problem != nil { loadAccounts(&context) }
    if events.problem != nil { loadEvents(&context) }
    if messages.problem != nil { loadMessages(&context) }
    overview.networkReturned(&context)
    policies.networkReturned(&context)
    account?.networkReturned(&context)
  }

  mutating func tick(_ context: inout FlowContext) -> [PageEffect] {
    if let searchAt, searchAt <= context.now { loadAccounts(&context) }
    if accounts.isDue(at: context.now) { loadAccounts(&context) }
    let now = context.now
    if eventFilter.isDue(at: now) || events.isDue(at: now) { loadEvents(&context) }
    if messageFilter.isDue(at: now) || messages.isDue(at: now) { loadMessages(&context) }
    var effects =
      overview.tick(&context).inApp() + accounts.announcements(context)
    effects +=
      events.announcements(context) + messages.announcements(context) + policies.tick(&context)
    effects += exporting?.reports(context).inApp() ?? []
    effects += (creation?.waiting ?? bulk.waiting)?.reports(context).inApp() ?? []
    return effects + (account?.tick(&context) ?? [])
  }
}

// MARK: - Answers

extension ConsoleHome {
  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
    if overview.isFor(id) { return adoptOverview(answer, &context) }
    if accounts.isFor(id) { return listedAccounts(answer, &context) }
    if events.isFor(id) {
      let effects = events.answered(answer, .events, { EventEntry(json: $0) }, context)
      if answer.success != nil {
        askNames(events.entries, &context)
        findRecord(in: .events, &context)
      }
      return effects
    }
    if wanted?.request == id { return foundAccount(answer, &context) }
    if naming == id {
      named += WireField.accounts.entries(in: answer.success, { AccountEntry(json: $0) }) ?? []
      return []
    }
    if messages.isFor(id) {
      let effects = messages.answered(answer, .messages, { MessageEntry(json: $0) }, context)
      if answer.success != nil { findRecord(in: .messages, &context) }
      return effects
    }
    if bulk.isFor(id) { return bulkAnswered(answer, &context) }
    if exporting?.isFor(id) == true { return exported(answer, context) }
    if policies.isFor(id) { return policies.answered(id, answer, &context) }
    if creation?.isFor(id) == true { return created(answer, &context) }
    guard account?.isFor(id) == true else { return [] }
    let isHistory = account?.history.events.isFor(id) == true
    let effects = account?.answered(id, answer, &context) ?? []
    if isHistory, answer.success != nil { askNames(account?.history.events.entries, &context) }
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

  /// Reads the accounts of the events that are not known yet.
  private mutating func askNames(_ events: [EventEntry]?, _ context: inout FlowContext) {
    var ids: [AccountID] = []
    for event in events ?? [] {
      for case let id? in [event.account, event.administrator]
      where ids.count < AccountEntry.idLimit && !named.contains(where: { $0.id == id })
        && !ids.contains(id) && id != account?.entry.id
      {
        ids.append(id)
      }
    }
    guard !ids.isEmpty else { return }
    var list = ""
    for id in ids { list += (list.isEmpty ? "" : ",") + id.text }
    let query = AccountsQuery { $0.ids = list }
    naming = context.ask(.get(.adminAccounts, query.form))
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

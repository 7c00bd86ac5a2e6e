import JSONText
public import SignInEngine
import SignInModel
public import SignInWire

/// An administrator's console: an overview, accounts, products, service requests, the security log,
/// the delivery log and policies (T-16, R-11).
public struct ConsoleHome: FormHome, EventHandler {
  public enum Tab: String, Sendable, CaseIterable {
    case overview
    case accounts
    case products
    case requests
    case events
    case messages
    case policies
  }

  /// The pause in typing after which the search starts.
  static let searchPauseMilliseconds: Int64 = 400

  public internal(set) var tab = Tab.overview
  public internal(set) var overview = FetchedValue<OverviewAnswer>(.adminOverview)
  public internal(set) var accounts = PagedList<AccountEntry>(.adminAccounts)
  public internal(set) var search = ""
  /// The only status that is listed, or `lockedStatus`; empty for all.
  public internal(set) var status = ""
  public internal(set) var account: AccountCard?
  /// An account that an address names, until it is read.
  public internal(set) var wanted: WantedAccount?
  var wantedForm: WantedForm?
  /// The form for a new account.
  public internal(set) var creation: AccountEditor?
  public internal(set) var events = PagedList<EventEntry>(.adminEvents)
  public internal(set) var eventFilter = LogFilter()
  public internal(set) var messageFilter = LogFilter()
  public internal(set) var messages = PagedList<MessageEntry>(.adminMessages)
  public internal(set) var products = PagedList<HeldProductEntry>(.adminProducts)
  public internal(set) var productFilter = ProductFilter()
  public internal(set) var requests = PagedList<ServiceRequestEntry>(.adminServiceRequests)
  public internal(set) var transfer = ProductTransfer()
  public internal(set) var policies = PolicyList()

  /// What happened to an account that no longer exists, shown above the list.
  public internal(set) var notice: ConsoleNotice?
  /// The signed-in administrator; `nil` until the server has sent the account.
  public private(set) var own: ConsoleAdministrator?

  /// A press or a choice that discards typed text, while the person is asked.
  private var leaving: Leaving?
  /// The event, message, product or service request that is shown beside its list.
  public internal(set) var opened: String? {
    // The result of a transfer is that of the opened product.
    didSet { if opened != oldValue { transfer.dismiss() } }
  }
  /// The accounts that are selected to be approved together.
  public internal(set) var bulk = BulkApproval()
  /// The accounts that the listed records name, as far as the administrator may read them.
  public internal(set) var named: [AccountEntry] = []

  /// The request that saves the list as a table.
  public internal(set) var exporting: Wait?

  /// A running request for accounts that listed records name.
  struct Naming: Equatable, Sendable {
    let request: RequestID
    let accounts: [AccountID]
  }

  var naming: [Naming] = []
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
    transfer.dismiss()
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

  public mutating func setAccount(_ account: AccountAnswer, _ context: inout FlowContext) {
    let administrator = ConsoleAdministrator(account)
    own = administrator
    self.account?.setAdministrator(administrator)
    policies.setAdministrator(administrator)
    openWantedForm(&context)
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
      needAccounts(&context)
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
    case .openPolicy, .openValue, .toggleDiffering, .back:
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
      closeAccount()
      notice = nil
      creation = AccountEditor(newBy: own, at: context.now)
      policies.needOrganizations(&context)
      context.moveFocus(to: .account)
    case .transferOwnership: askToTransfer(&context)
    case .clearSearch: clearSearch(&context)
    case .editAccount:
      account?.edit(&context)
      if account?.editor.isPresent == true { policies.needOrganizations(&context) }
    case .saveAccount:
      if creation.isPresent { return creation?.save(&context) ?? [] }
      return account?.save(&context) ?? []
    case .confirm:
      bulk.confirm(&context)
      return transfer.confirm(&context) + (account?.confirm(&context) ?? [])
    case .cancel:
      bulk.cancel(&context)
      transfer.cancel(&context)
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
    closeAccount()
    if let origin { tab = origin }
    origin = nil
    findRecord(in: tab, &context)
    context.moveFocus(to: .heading)
  }

  /// Whether the open account or form must stay open until a request is answered.
  var isBusy: Bool {
    account?.isBusy == true || creation?.waiting != nil || bulk.waiting != nil || bulk.isAsking
      || transfer.isOpen
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
    case _ where tab == .policies: policies.edit(field, text, &context)
    case .search where tab == .products: productFilter.type(text, at: context.now)
    case .search where bulk.waiting == nil:
      search = text
      searchAt = context.now.adding(milliseconds: Self.searchPauseMilliseconds)
    case .status where bulk.waiting == nil:
      status = text
      loadAccounts(&context)
    case .receiver: transfer.type(text)
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
    closeAccount()
    account = card
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
    closeAccount()
    (opened, notice, origin) = (nil, nil, nil)
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
    case .products: loadProducts(&context)
    case .requests: requests.load([], &context)
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
    case .products: products.readOn(productFilter.fields, &context)
    case .requests: requests.readOn([], &context)
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
    if products.problem != nil { loadProducts(&context) }
    if requests.problem != nil { requests.load([], &context) }
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
    if productFilter.isDue(at: now) || products.isDue(at: now) { loadProducts(&context) }
    if requests.isDue(at: now) { requests.load([], &context) }
    var effects =
      overview.tick(&context).inApp() + accounts.announcements(context)
    effects += products.announcements(context) + requests.announcements(context)
    effects +=
      events.announcements(context) + messages.announcements(context) + policies.tick(&context)
    effects += exporting?.reports(context).inApp() ?? []
    effects +=
      (creation?.waiting ?? bulk.waiting ?? transfer.waiting)?.reports(context).inApp() ?? []
    return effects + (account?.tick(&context) ?? [])
  }
}

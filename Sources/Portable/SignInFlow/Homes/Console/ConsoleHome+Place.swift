public import SignInEngine
public import SignInModel
import SignInWire

/// An account that an address names, and that is not in the list.
public struct WantedAccount: Equatable, Sendable {
  public let id: String
  /// The running request; `nil` if there is no such account.
  public var request: RequestID?
}

/// The form that an address names, until the administrator and the account are known.
enum WantedForm: Equatable, Sendable {
  case creation
  case change(of: AccountID)
}

extension ConsoleHome {
  private static let accountPlaces = PlaceList(Tab.accounts.rawValue)
  private static let policyPlaces = PlaceList(Tab.policies.rawValue)
  private static let messagePlaces = PlaceList(Tab.messages.rawValue)
  /// The tabs with a list of records that have addresses of their own.
  static let recordTabs: [Tab] = [.products, .requests, .events, .messages]
  /// The names of the forms in the query of a place.
  private static let (newAccount, edit) = ("new", "edit")

  /// The status that lists locked accounts, which is no status of the server.
  public static let lockedStatus = "locked"

  /// The places of the lists that need attention.
  public static let pendingPlace = "accounts?status=pending"
  public static let lockedPlace = "accounts?locked=true"
  public static let failedPlace = "messages?outcome=failed"

  /// The place of the failed sign-ins of a day in UTC.
  public static func failuresPlace(on day: CalendarDay) -> String {
    Tab.events.rawValue + "?kind=" + EventKind.failures.rawValue + "&from=" + day.text + "&until="
      + day.text
  }

  /// The place of a message in the list of the messages for one account.
  public static func place(ofMessage message: String, of account: AccountID) -> String {
    let query = MessagesQuery { $0.account = account.text }
    return messagePlaces.place(of: message) + "?" + query.form.encoded
  }

  public static func place(of product: ProductID) -> String {
    PlaceList(Tab.products.rawValue).place(of: product.text)
  }

  /// The place of a list with its filter, and of the record beside it.
  private func place(of tab: Tab, _ filter: [Form.Field]) -> String {
    let record = isRecordOpen ? opened.map { PlaceList(tab.rawValue).place(of: $0) } : nil
    return PlaceList.place(record ?? tab.rawValue, part: nil, filter)
  }

  /// The place of the list of accounts with its filter, and of the account or the form beside it.
  private var accountPlace: String {
    guard let id = account?.entry.id.text ?? wanted?.id else {
      let isForm = creation.isPresent || wantedForm == .creation
      return PlaceList.place(
        Tab.accounts.rawValue, part: isForm ? Self.newAccount : nil, filter)
    }
    let isForm = account?.editor.isPresent == true || wantedForm == .change(of: AccountID(id))
    return PlaceList.place(
      Self.accountPlaces.place(of: id), part: isForm ? Self.edit : nil, filter)
  }

  public var place: String {
    switch tab {
    case .overview: return ""
    case .accounts: return accountPlace
    case .products: return place(of: tab, productFilter.fields)
    case .requests: return place(of: tab, [])
    case .events: return place(of: tab, eventFilter.eventPlace.form.fields)
    case .messages: return place(of: tab, messageFilter.messagePlace.form.fields)
    case .policies:
      return policies.place?.text(in: Self.policyPlaces) ?? tab.rawValue
    }
  }

  public mutating func open(place: String, _ context: inout FlowContext) -> [PageEffect]? {
    let path = place.cut(at: "?")?.before ?? place
    guard
      path.isEmpty || Tab(rawValue: path) != nil || Self.accountPlaces.item(at: path) != nil
        || Self.policyPlaces.item(at: path) != nil
        || Self.recordTabs.contains(where: { PlaceList($0.rawValue).item(at: path) != nil })
    else { return nil }
    return act(Leaving(button: .consoleTab, item: place), &context)
  }

  /// Shows a place, or a tab by its name.
  mutating func go(to place: String, _ context: inout FlowContext) {
    guard !isBusy, !policies.isBusy, !policies.isAsking, account?.asking == nil else { return }
    let parts = place.cut(at: "?") ?? (place, "")
    if parts.before.hasSameBytes(as: Tab.accounts.rawValue), Self.names(Self.newAccount, place) {
      listAccounts(Form(query: parts.after), &context)
      showCreation(&context)
    } else if let id = Self.accountPlaces.item(at: parts.before) {
      listAccounts(Form(query: parts.after), &context)
      showAccount(id, isEdited: Self.names(Self.edit, place), &context)
    } else if let item = Self.policyPlaces.item(at: parts.before) {
      if tab != .policies { show(.policies, &context) }
      policies.show(PolicyPlace(item, Form(query: parts.after)), &context)
    } else if place.isEmpty {
      show(.overview, &context)
    } else if parts.before.isEmpty || parts.before.hasSameBytes(as: Tab.accounts.rawValue) {
      showList(Form(query: parts.after), &context)
    } else if let tab = Self.recordTabs.first(where: { isPlace(parts.before, $0) }) {
      let item = PlaceList(tab.rawValue).item(at: parts.before)
      showRecords(of: tab, Form(query: parts.after), item, &context)
    } else if let tab = Tab(rawValue: parts.before) {
      if tab == origin { goBack(&context) } else { show(tab, &context) }
    }
  }

  /// Whether the query of a place has a field with this name.
  private static func names(_ part: String, _ place: String) -> Bool {
    let query = place.cut(at: "?")?.after ?? ""
    return Form(query: query).fields.contains { $0.name.hasSameBytes(as: part) }
  }

  /// Whether the list of accounts is shown with an account or a form beside it.
  private var isAccountOpen: Bool {
    tab == .accounts
      && (account.isPresent || wanted.isPresent || creation.isPresent || wantedForm.isPresent)
  }

  /// Shows the list of accounts that an address names.
  ///
  /// It is read again if the filter is another one, or if `isReread`. What was typed beside an open
  /// account is newer than the address.
  private mutating func listAccounts(
    _ form: Form, isReread: Bool = false, _ context: inout FlowContext
  ) {
    let isNewer = isAccountOpen && origin == nil
    tab = .accounts
    let isLocked = form[.locked].map { $0.hasSameBytes(as: "true") } ?? false
    let (text, state) = (
      form[.query] ?? "", isLocked ? Self.lockedStatus : form[.status] ?? ""
    )
    let isSame = isNewer || text.hasSameBytes(as: search) && state.hasSameBytes(as: status)
    if !isSame { (search, status) = (text, state) }
    if isReread || !isSame { loadAccounts(&context) } else { needAccounts(&context) }
  }

  /// Reads the list beside an account, unless it is known.
  mutating func needAccounts(_ context: inout FlowContext) {
    if accounts.entries == nil, accounts.loading == nil { loadAccounts(&context) }
  }

  private mutating func showList(_ form: Form, _ context: inout FlowContext) {
    // The accounts may have changed since the list was shown.
    listAccounts(form, isReread: tab != .accounts || origin.isPresent, &context)
    closeAccount()
    (notice, origin, opened) = (nil, nil, nil)
    context.moveFocus(to: .heading)
  }

  /// Closes the account or the form beside the list.
  mutating func closeAccount() {
    (account, creation, wanted, wantedForm) = (nil, nil, nil, nil)
  }

  // MARK: Forms

  private mutating func showCreation(_ context: inout FlowContext) {
    closeAccount()
    origin = nil
    wantedForm = .creation
    openWantedForm(&context)
  }

  /// Opens the form of an address as soon as the administrator and the account are known.
  ///
  /// Text that was typed before is lost, because it is not stored.
  mutating func openWantedForm(_ context: inout FlowContext) {
    guard own.isPresent, let form = wantedForm else { return }
    switch form {
    case .creation:
      wantedForm = nil
      _ = perform(.newAccount, &context)
    case .change(let id):
      guard account?.entry.id == id else { return }
      wantedForm = nil
      _ = perform(.editAccount, &context)
    }
  }

  /// Whether the path is that of the tab or of a record in it.
  private func isPlace(_ path: String, _ tab: Tab) -> Bool {
    (path.cut(at: "/")?.before ?? path).hasSameBytes(as: tab.rawValue)
  }

  private mutating func showRecords(
    of tab: Tab, _ query: Form, _ item: String?, _ context: inout FlowContext
  ) {
    let isSame = !setFilter(of: tab, query)
    if self.tab == tab, isSame, show(item, &context) { return }
    if origin == tab, isSame {
      opened = item
      return goBack(to: tab, &context)
    }
    show(tab, &context)
    opened = item
  }

  /// Sets the filter of a list, and returns whether it had another one.
  private mutating func setFilter(of tab: Tab, _ query: Form) -> Bool {
    switch tab {
    case .events:
      let former = eventFilter
      eventFilter = LogFilter(events: query)
      return eventFilter != former
    case .messages:
      let former = messageFilter
      messageFilter = LogFilter(messages: query)
      return messageFilter != former
    case .products:
      let former = productFilter
      productFilter = ProductFilter(query)
      // The products of another account are not shown under the name of this one.
      if productFilter.account != former.account { products = PagedList(.adminProducts) }
      return productFilter != former
    case .overview, .accounts, .requests, .policies: return false
    }
  }

  /// Shows another record, or none, without reading the first page of the list again.
  private mutating func show(_ item: String?, _ context: inout FlowContext) -> Bool {
    guard opened != item else { return false }
    opened = item
    findRecord(in: tab, &context)
    context.moveFocus(to: item == nil ? .heading : .record)
    return true
  }

  private mutating func goBack(to tab: Tab, _ context: inout FlowContext) {
    closeAccount()
    origin = nil
    self.tab = tab
    findRecord(in: tab, &context)
    context.moveFocus(to: opened == nil ? .heading : .record)
  }

  private mutating func showAccount(
    _ id: String, isEdited: Bool, _ context: inout FlowContext
  ) {
    let form: WantedForm? = isEdited ? .change(of: AccountID(id)) : nil
    if account?.entry.id.text == id {
      wantedForm = form
      if isEdited { openWantedForm(&context) } else { account?.closeEditor(&context) }
      return
    }
    origin = nil
    let known = named + (accounts.entries ?? [])
    if let entry = known.first(where: { $0.id.text == id }) {
      show(AccountCard(entry, for: own), &context)
      wantedForm = form
      return openWantedForm(&context)
    }
    closeAccount()
    notice = nil
    wantedForm = form
    let query = AccountsQuery { $0.ids = id }
    wanted = WantedAccount(id: id, request: context.ask(.get(.adminAccounts, query.form)))
    context.moveFocus(to: .heading)
  }

  /// Shows the account of the address, or that there is none.
  ///
  /// If the account could not be read, the list is shown, with the reason.
  mutating func foundAccount(_ answer: Answer, _ context: inout FlowContext) -> [PageEffect] {
    guard
      let found = WireField.accounts.entries(
        in: answer.success, { AccountEntry(json: $0) })
    else {
      closeAccount()
      return accounts.fail(answer, context)
    }
    if let entry = found.first {
      let form = wantedForm
      show(AccountCard(entry, for: own), &context)
      wantedForm = form
      openWantedForm(&context)
    }
    wanted?.request = nil
    return []
  }
}

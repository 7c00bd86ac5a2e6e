public import SignInModel
import SignInWire

/// An account that an address names, and that is not in the list.
public struct WantedAccount: Equatable, Sendable {
  public let id: String
  /// The running request; `nil` if there is no such account.
  public var request: RequestID?
}

extension ConsoleHome {
  private static let accountPlaces = PlaceList(Tab.accounts.rawValue)
  private static let policyPlaces = PlaceList(Tab.policies.rawValue)
  private static let newAccount = "accounts?new"
  private static let edit = "?edit"

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

  private func place(of tab: Tab, _ filter: [Form.Field]) -> String {
    tab.rawValue + (filter.isEmpty ? "" : "?" + Form(filter).encoded)
  }

  public var place: String {
    switch tab {
    case .overview: return ""
    case .accounts:
      if let account {
        let place = Self.accountPlaces.place(of: account.entry.id.text)
        return account.editor.isPresent ? place + Self.edit : place
      }
      if let wanted { return Self.accountPlaces.place(of: wanted.id) }
      if creation.isPresent { return Self.newAccount }
      return place(of: tab, filter)
    case .events: return place(of: tab, eventFilter.eventPlace.form.fields)
    case .messages: return place(of: tab, messageFilter.messagePlace.form.fields)
    case .policies:
      guard let page = policies.page else { return tab.rawValue }
      let place = Self.policyPlaces.place(of: page.item)
      return page.editor.isPresent ? place + Self.edit : place
    }
  }

  public mutating func open(place: String, _ context: inout FlowContext) -> [Effect]? {
    let path = place.cut(at: "?")?.before ?? place
    guard
      path.isEmpty || Tab(rawValue: path) != nil || Self.accountPlaces.item(at: path) != nil
        || Self.policyPlaces.item(at: path) != nil
    else { return nil }
    return act(Leaving(button: .consoleTab, item: place), &context)
  }

  /// Shows a place, or a tab by its name.
  mutating func go(to place: String, _ context: inout FlowContext) {
    guard !isBusy, !policies.isBusy, account?.asking == nil else { return }
    let parts = place.cut(at: "?") ?? (place, "")
    if place == Self.newAccount {
      tab = .accounts
      _ = perform(.newAccount, &context)
    } else if let id = Self.accountPlaces.item(at: parts.before) {
      showAccount(id, isEdited: !parts.after.isEmpty, &context)
    } else if let item = Self.policyPlaces.item(at: parts.before) {
      if tab != .policies { show(.policies, &context) }
      policies.show(item, &context)
    } else if place.isEmpty {
      show(.overview, &context)
    } else if parts.before.isEmpty || parts.before.hasSameBytes(as: Tab.accounts.rawValue) {
      showList(Form(query: parts.after), &context)
    } else if parts.before.hasSameBytes(as: Tab.messages.rawValue) {
      messageFilter = LogFilter(messages: Form(query: parts.after))
      show(.messages, &context)
    } else if parts.before.hasSameBytes(as: Tab.events.rawValue) {
      showEvents(LogFilter(events: Form(query: parts.after)), &context)
    } else if let tab = Tab(rawValue: parts.before) {
      if tab == origin { goBack(&context) } else { show(tab, &context) }
    }
  }

  private mutating func showList(_ form: Form, _ context: inout FlowContext) {
    let wasShown = tab == .accounts && origin == nil && accounts.entries != nil
    (account, creation, wanted, notice, origin) = (nil, nil, nil, nil, nil)
    tab = .accounts
    context.moveFocus(to: .heading)
    let isLocked = form[.locked].map { $0.hasSameBytes(as: "true") } ?? false
    let (text, state) = (
      form[.query] ?? "", isLocked ? Self.lockedStatus : form[.status] ?? ""
    )
    guard !wasShown || text != search || state != status else { return }
    (search, status) = (text, state)
    loadAccounts(&context)
  }

  private mutating func showEvents(_ filter: LogFilter, _ context: inout FlowContext) {
    let isSame = filter == eventFilter
    eventFilter = filter
    if origin == .events, isSame { goBack(&context) } else { show(.events, &context) }
  }

  private mutating func showAccount(
    _ id: String, isEdited: Bool, _ context: inout FlowContext
  ) {
    if account?.entry.id.text == id {
      if isEdited { _ = perform(.editAccount, &context) } else { account?.closeEditor(&context) }
      return
    }
    origin = nil
    tab = .accounts
    let known = named + (accounts.entries ?? [])
    if let entry = known.first(where: { $0.id.text == id }) {
      return show(AccountCard(entry, for: own), &context)
    }
    (account, creation, notice) = (nil, nil, nil)
    let query = AccountsQuery { $0.ids = id }
    wanted = WantedAccount(id: id, request: context.ask(.get(.adminAccounts, query.form)))
    context.moveFocus(to: .heading)
  }

  /// Shows the account of the address, or that there is none.
  ///
  /// If the account could not be read, the list is shown, with the reason.
  mutating func foundAccount(_ answer: Answer, _ context: inout FlowContext) -> [Effect] {
    guard
      let found = WireField.accounts.entries(
        in: answer.success, { AccountEntry(json: $0) })
    else {
      wanted = nil
      return accounts.fail(answer, context)
    }
    if let entry = found.first { show(AccountCard(entry, for: own), &context) }
    wanted?.request = nil
    return []
  }
}

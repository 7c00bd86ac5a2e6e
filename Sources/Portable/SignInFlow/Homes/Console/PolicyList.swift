import JSONText
public import SignInEngine
public import SignInModel
import SignInWire

/// The policies in the console: a list of apps and organizations, then all values of one of them.
public struct PolicyList: Equatable, Sendable {
  public private(set) var clients = FetchedValue<[PolicyCard]>(.adminClients)
  public private(set) var organizations =
    FetchedValue<[OrganizationCard]>(.adminOrganizations)
  public private(set) var page: PolicyPage?
  /// The page that an address names, until the lists are read.
  private var wanted: PolicyPlace?

  /// The signed-in administrator; `nil` until the server has sent the account.
  private var own: ConsoleAdministrator?

  mutating func setAdministrator(_ own: ConsoleAdministrator) { self.own = own }

  /// Whether the administrator may read the policies that apply to all organizations.
  public var seesApps: Bool { own?.has(.viewer, in: nil) ?? false }

  /// Whether the administrator may change the values of the page.
  ///
  /// Reading them requires only the level `viewer`.
  public var mayChangePage: Bool {
    guard let own, let page else { return false }
    return own.has(.administrator, in: page.organization)
  }

  /// Reads the list of organizations, unless it is known.
  mutating func needOrganizations(_ context: inout FlowContext) {
    if organizations.value == nil { organizations.load(&context) }
  }

  /// Reads the list of apps, unless it is known.
  mutating func needApps(_ context: inout FlowContext) {
    if clients.value == nil { clients.load(&context) }
  }

  var isBusy: Bool { page?.editor?.working != nil }
  /// Whether the person must answer a question about a value.
  var isAsking: Bool { page?.editor?.asking != nil }

  mutating func load(_ context: inout FlowContext) {
    guard !page.isPresent else {
      page?.load(&context)
      return
    }
    clients.load(&context)
    organizations.load(&context)
  }

  /// Returns to the list and reads it again, because values may have changed.
  mutating func close(_ context: inout FlowContext) {
    (page, wanted) = (nil, nil)
    load(&context)
  }

  // MARK: Pressing and choosing

  mutating func pressed(_ button: ButtonName, _ item: String, _ context: inout FlowContext) {
    switch button {
    case .openPolicy: open(item, &context)
    case .openValue: page?.openValue(item, &context)
    case .toggleDiffering: page?.toggleDiffering(&context)
    case .back: goBack(&context)
    default: break
    }
  }

  mutating func pressed(_ button: ButtonName, _ context: inout FlowContext) -> [PageEffect] {
    switch button {
    case .saveValue where mayChangePage: return page?.save(&context) ?? []
    case .restoreValue where mayChangePage: return page?.restore(&context) ?? []
    case .confirm where mayChangePage: page?.confirm(&context)
    case .cancel: page?.cancel(&context)
    case .clearSearch: page?.clearFilter(&context)
    case .back: goBack(&context)
    default: break
    }
    return []
  }

  mutating func edit(_ field: FieldName, _ text: String, _ context: inout FlowContext) {
    switch field {
    case .policyApp:
      guard !isBusy, clients.value?.contains(where: { $0.id.text == text }) == true else { break }
      page?.show(ClientID(text), &context)
    case .search: page?.search(text, &context)
    case .policyValue: page?.type(text)
    case .policyUnit: page?.choose(text)
    default: break
    }
  }

  /// The page that is shown, or that is shown after the lists are read.
  var place: PolicyPlace? {
    guard let page else { return wanted }
    return page.place(from: clients.value?.first?.id)
  }

  /// Shows the page of an address, and the value that is open there.
  mutating func show(_ place: PolicyPlace, _ context: inout FlowContext) {
    if page?.item != place.item { page = nil }
    wanted = place
    openWanted(&context)
  }

  private mutating func openWanted(_ context: inout FlowContext) {
    guard let place = wanted else { return }
    open(place.item, in: place.client, &context)
    if page.isPresent || clients.value != nil && organizations.value != nil { wanted = nil }
    guard page?.item == place.item else { return }
    let clients = clients.value ?? []
    let client = clients.first { $0.id == place.client } ?? clients.first
    if let client { page?.show(client.id, &context) }
    page?.show(place, &context)
  }

  mutating func dismiss() { page?.dismiss() }

  private mutating func open(
    _ item: String, in client: ClientID? = nil, _ context: inout FlowContext
  ) {
    guard !page.isPresent, let clients = clients.value else { return }
    let opened: PolicyPage
    if let client = clients.first(where: { Self.item(of: $0.id) == item }) {
      guard client.numbers != nil else { return }
      opened = PolicyPage(client.id)
    } else if let first = clients.first(where: { $0.id == client }) ?? clients.first,
      let organization = organizations.value?.first(where: { Self.item(of: $0.id) == item })
    {
      opened = PolicyPage(first.id, organization.id)
    } else {
      return
    }
    page = opened
    page?.load(&context)
    context.moveFocus(to: .policy)
  }

  /// The identifier of a row.
  ///
  /// The prefix distinguishes an app from an organization of the same name.
  public static func item(of client: ClientID) -> String { "client-" + client.text }

  public static func item(of organization: OrganizationID) -> String {
    "organization-" + organization.text
  }

  private mutating func goBack(_ context: inout FlowContext) {
    guard !isBusy, !isAsking, let page else { return }
    if page.editor.isPresent {
      self.page?.closeValue(&context)
    } else {
      close(&context)
      context.moveFocus(to: .heading)
    }
  }

  // MARK: Reading

  mutating func networkReturned(_ context: inout FlowContext) {
    clients.networkReturned(&context)
    organizations.networkReturned(&context)
    page?.networkReturned(&context)
  }

  mutating func tick(_ context: inout FlowContext) -> [PageEffect] {
    let effects = clients.tick(&context) + organizations.tick(&context)
    return effects.inApp() + (page?.tick(&context) ?? [])
  }

  func isFor(_ id: RequestID) -> Bool {
    clients.isFor(id) || organizations.isFor(id) || (page?.isFor(id) ?? false)
  }

  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
    defer { openWanted(&context) }
    if clients.isFor(id) {
      return Self.adopt(answer, .clients, { PolicyCard($0) }, into: &clients, context)
    }
    if organizations.isFor(id) {
      return Self.adopt(
        answer, .organizations, { OrganizationCard($0) }, into: &organizations, context
      )
    }
    return page?.answered(id, answer, &context) ?? []
  }

  private static func adopt<Card>(
    _ answer: Answer, _ name: WireField, _ card: (PolicyAnswer) -> Card,
    into list: inout FetchedValue<[Card]>,
    _ context: FlowContext
  ) -> [PageEffect] {
    guard let known = name.entries(in: answer.success, { PolicyAnswer(json: $0) }) else {
      return list.fail(answer, context).inApp()
    }
    list.adopt(known.map(card), context)
    return []
  }
}

import JSONText
public import SignInEngine
public import SignInModel
public import SignInWire

/// All values of one app's policy, and the one that is being changed.
///
/// If there is an organization, these are the values for its members.
public struct PolicyPage: Equatable, Sendable {
  /// The app that the values belong to.
  public private(set) var client: ClientID
  /// The organization that the values apply to; `nil` for all.
  ///
  /// A change applies to the organization in every app.
  public let organization: OrganizationID?
  public private(set) var sheet: FetchedValue<PolicySheet>
  public private(set) var editor: PolicyEditor?
  public private(set) var filter = PolicyFilter()

  /// The value that an address names, until the values are read.
  private var wanted: PolicyKey?
  /// When the number of shown values is said, after the filter was changed.
  private var announceAt: Instant?

  /// The notice to show after the values were read again, so that a value is called saved only
  /// after it was seen.
  private var pendingNotice: ConsoleNotice?

  init(_ client: ClientID, _ organization: OrganizationID? = nil) {
    self.client = client
    self.organization = organization
    let query = PolicySheetQuery { $0.organization = organization?.text }
    sheet = FetchedValue(.adminClientPolicy(Endpoint.Segment(client.text)), query.form)
  }

  /// The identifier of the row in the list of policies.
  var item: String {
    organization.map { PolicyList.item(of: $0) } ?? PolicyList.item(of: client)
  }

  mutating func load(_ context: inout FlowContext) { sheet.load(&context) }

  /// Shows the values of the same organization in another app.
  mutating func show(_ client: ClientID, _ context: inout FlowContext) {
    guard organization != nil, client != self.client else { return }
    let filter = filter
    self = PolicyPage(client, organization)
    self.filter = filter
    load(&context)
  }

  // MARK: Address

  /// `first` is the app that the page of an organization shows first.
  func place(from first: ClientID?) -> PolicyPlace {
    PolicyPlace(
      item: item, client: organization != nil && client != first ? client : nil,
      key: editor?.value.key ?? wanted, filter: filter)
  }

  /// Filters the values, and shows the value that is open at the place or closes it.
  mutating func show(_ place: PolicyPlace, _ context: inout FlowContext) {
    filter = place.filter
    guard place.key != editor?.value.key ?? wanted else { return }
    closeValue(&context)
    wanted = place.key
    openWanted(&context)
  }

  private mutating func openWanted(_ context: inout FlowContext) {
    guard let key = wanted, sheet.value != nil else { return }
    wanted = nil
    openValue(key.rawValue, &context)
  }

  // MARK: Filter

  mutating func search(_ text: String, _ context: inout FlowContext) {
    filter.text = text
    announceAt = context.now.adding(milliseconds: ConsoleHome.searchPauseMilliseconds)
  }

  mutating func toggleDiffering(_ context: inout FlowContext) {
    filter.isOnlyDiffering.toggle()
    announceAt = context.now
  }

  mutating func clearFilter(_ context: inout FlowContext) {
    guard !filter.isEmpty else { return }
    filter.clear()
    announceAt = context.now
    // The button for it is no longer shown.
    context.moveFocus(to: .search)
  }

  private mutating func announceFilter(_ context: FlowContext) -> [PageEffect] {
    guard let announceAt, announceAt <= context.now, let values = sheet.value?.values else {
      return []
    }
    self.announceAt = nil
    return [.announce(.console(.valuesListed(filter, values)))]
  }

  // MARK: One value

  mutating func openValue(_ key: String, _ context: inout FlowContext) {
    guard editor?.working == nil,
      let value = sheet.value?.values.first(where: { $0.key.rawValue == key })
    else { return }
    wanted = nil
    editor = PolicyEditor(value, in: context.locale.language)
    context.moveFocus(to: .editor)
  }

  mutating func closeValue(_ context: inout FlowContext) {
    (editor, wanted) = (nil, nil)
    context.moveFocus(to: .policy)
  }

  mutating func type(_ text: String) { editor?.type(text) }

  mutating func choose(_ unit: String) {
    if let unit = TimeUnit(rawValue: unit) { editor?.choose(unit) }
  }

  mutating func dismiss() { editor?.dismiss() }

  mutating func save(_ context: inout FlowContext) -> [PageEffect] {
    guard var editor else { return [] }
    defer { self.editor = editor }
    let effects = editor.save(&context)
    if editor.isDecided { send(&editor, &context) }
    return effects
  }

  mutating func restore(_ context: inout FlowContext) -> [PageEffect] {
    guard var editor else { return [] }
    defer { self.editor = editor }
    editor.restore(&context)
    if editor.isDecided { send(&editor, &context) }
    return []
  }

  mutating func confirm(_ context: inout FlowContext) {
    guard var editor, editor.asking != nil, editor.working == nil else { return }
    send(&editor, &context)
    self.editor = editor
  }

  mutating func cancel(_ context: inout FlowContext) { editor?.cancel(&context) }

  /// Sends the change.
  ///
  /// The ETag lets the server refuse to overwrite the change of another person (RFC 9110, section
  /// 13.1.1).
  private func send(_ editor: inout PolicyEditor, _ context: inout FlowContext) {
    guard let tag = sheet.value?.tag else { return }
    if let organization {
      editor.send(
        .adminOrganization(Endpoint.Segment(organization.text)), inside: .policy, tag, &context)
    } else {
      editor.send(
        .adminClient(Endpoint.Segment(client.text)), inside: nil, tag, &context)
    }
  }

  // MARK: Reading

  mutating func networkReturned(_ context: inout FlowContext) { sheet.networkReturned(&context) }

  mutating func tick(_ context: inout FlowContext) -> [PageEffect] {
    sheet.tick(&context).inApp() + announceFilter(context)
      + (editor?.working?.reports(context).inApp() ?? [])
  }

  func isFor(_ id: RequestID) -> Bool {
    sheet.isFor(id) || (editor?.working?.isFor(id) ?? false)
  }

  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
    guard sheet.isFor(id) else { return changed(answer, &context) }
    var effects: [PageEffect] = []
    if let body = answer.success, let read = PolicySheet(json: body) {
      sheet.adopt(read, context)
      openWanted(&context)
    } else {
      effects = sheet.fail(answer, context).inApp()
    }
    guard let pendingNotice else { return effects }
    self.pendingNotice = nil
    return effects + show(pendingNotice, &context)
  }

  private mutating func changed(_ answer: Answer, _ context: inout FlowContext) -> [PageEffect] {
    guard let editor else { return [] }
    let said = editor.notice(of: answer, at: context.now)
    switch said {
    case .policySaved, .policyRestored, .policyChangedElsewhere:
      pendingNotice = said
      sheet.load(&context)
      return []
    case .done, .approvedSeveral, .created, .edited, .nothingChanged, .listExported, .notPermitted,
      .lastAdministrator, .refused, .ownAccount, .appPageMissing, .accountChangedElsewhere,
      .accountGone,
      .accountExists, .productTransferred, .productGone, .failed, .policyGone, .policyRefused:
      return show(said, &context)
    }
  }

  private mutating func show(_ notice: ConsoleNotice, _ context: inout FlowContext) -> [PageEffect]
  {
    guard let key = editor?.value.key else { return [] }
    let value = sheet.value?.values.first { $0.key == key }
    editor?.finish(notice, value)
    context.moveFocus(to: .editor)
    return [.announce(.console(.notice(notice)))]
  }
}

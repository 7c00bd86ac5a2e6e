public import CSVText
public import SignInModel
public import SignInWire

/// The limits of a list that is saved as a table.
public enum ListExportLimits {
  /// The most rows of one table, without its header.
  public static let rows = ExportedList.rowLimit
  /// The most pages that are read for one table.
  ///
  /// A page can be empty if an administrator of organizations may see few of the records.
  static let pages = 1_000
}

/// The accounts that match the query, as a table (T-16).
///
/// It has the accounts that `listAccounts` shows; `ids` replaces the query. Saving a list is an
/// event.
public func exportAccountList(
  _ query: AccountQuery, only ids: [AccountID]? = nil, rules: AccountEditingRules,
  in world: World
) async throws(Refusal) -> CSVWriter {
  let accounts = try await everyPage { (page: PageRequest<ListCursor>) throws(Refusal) in
    if let ids { return try await listAccounts(ids, rules: rules, in: world) }
    return try await listAccounts(query, page, rules: rules, in: world)
  }
  return try await recorded(.accounts, accounts, rules: rules, in: world) { $0.cells }
}

/// The events that match the query, as a table.
///
/// It has the events that `pageEvents` shows.
public func exportEventList(
  _ query: EventQuery, about reference: AccountReference?, rules: AccountEditingRules,
  in world: World
) async throws(Refusal) -> CSVWriter {
  var pages = EventPages(query, about: reference, rules: rules)
  await world.linkEvents()
  let events = try await everyPage { (page: PageRequest<NumberedCursor>) throws(Refusal) in
    try await pages.next(page, in: world)
  }
  return try await recorded(.events, events, rules: rules, in: world) { $0.cells }
}

/// The messages that match the query, as a table.
///
/// It has the messages that `listMessages` shows, without their texts and whole destinations.
public func exportMessageList(
  _ query: MessageQuery, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> CSVWriter {
  let messages = try await everyPage { (page: PageRequest<ListCursor>) throws(Refusal) in
    try await listMessages(page, query, rules: rules, in: world)
  }
  return try await recorded(.messages, messages, rules: rules, in: world) { $0.cells }
}

/// Reads page by page, so that no read blocks the store for long.
private func everyPage<Entry, Cursor>(
  _ read: (PageRequest<Cursor>) async throws(Refusal) -> ListPage<Entry, Cursor>
) async throws(Refusal) -> [Entry] {
  var entries: [Entry] = []
  var cursor: Cursor?
  for _ in 0..<ListExportLimits.pages {
    let limit = min(PageLimits.longest, ListExportLimits.rows - entries.count)
    let page = try await read(try PageRequest(after: cursor, limit: limit))
    entries += page.entries
    cursor = page.cursor
    if cursor == nil || entries.count >= ListExportLimits.rows { break }
  }
  return entries
}

/// The table, after the event that says who saved it.
private func recorded<Entry>(
  _ list: ExportedList, _ entries: [Entry], rules: AccountEditingRules, in world: World,
  _ cells: (Entry) -> [String]
) async throws(Refusal) -> CSVWriter {
  let now = world.clock.now()
  let detail = "\(rules.name) \(list.rawValue) \(entries.count)"
  try await world.decide(about: [rules.subject]) {
    (transaction: any AccountRecords & EventRecords) throws in
    // Check again, because the permission may have been removed in the meantime.
    guard try rules.permission(transaction) != .none else {
      throw Refusal.permissionDenied("this needs a permission")
    }
    try transaction.record(.listExported, about: nil, detail: detail, by: rules.caller, at: now)
  }
  var table = CSVWriter()
  table.append(list.columns)
  for entry in entries { table.append(cells(entry)) }
  return table
}

// MARK: - Rows

extension ExportedList {
  /// The header, with the names that the JSON of the list uses.
  fileprivate var columns: [String] {
    let fields: [WireField] =
      switch self {
      case .accounts:
        [
          .id, .name, .role, .status, .email, .phoneNumber, .organizations, .lockedUntil,
          .createdAt,
        ]
      case .events: [.sequence, .at, .code, .account, .client, .peer, .detail, .count]
      case .messages:
        [
          .id, .to, .kind, .channel, .outcome, .tries, .createdAt, .client, .organization,
          .messenger, .handedOverAt,
        ]
      }
    return fields.map(\.rawValue)
  }
}

extension AccountEntry {
  fileprivate var cells: [String] {
    [
      id.text, name, role, status, email ?? "", phone ?? "",
      organizations.map(\.text).joined(separator: " "), lockedUntil?.timeText ?? "",
      createdAt.timeText,
    ]
  }
}

extension ListedEvent {
  fileprivate var cells: [String] {
    [
      isNumbered ? "\(event.sequence)" : "", event.at.timeText, event.code.rawValue,
      event.account?.text ?? "", event.client?.text ?? "", event.peer ?? "", event.detail ?? "",
      "\(event.count ?? 1)",
    ]
  }
}

extension MessageEntry {
  fileprivate var cells: [String] {
    [
      id, to, kind, channel, outcome, "\(tries)", createdAt.timeText, client ?? "",
      organization ?? "", messenger ?? "", handedOverAt?.timeText ?? "",
    ]
  }
}

extension Instant {
  /// The time in UTC as RFC 3339, with whole seconds.
  fileprivate var timeText: String {
    let day = CalendarDay(self)
    let seconds = self.seconds - day.number * CalendarDay.daySeconds
    func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return day.text + "T" + padded(seconds / 3600) + ":" + padded(seconds / 60 % 60) + ":"
      + padded(seconds % 60) + "Z"
  }
}

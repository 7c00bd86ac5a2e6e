import Cryptography
public import JSONText
public import SignInModel
public import SignInWire

/// The result of verifying the whole security log.
public enum EventChain: Equatable, Sendable {
  /// Every link is right.
  ///
  /// `head` is the newest event's hash. Store it in another place.
  case unbroken(count: Int64, head: [UInt8])
  /// The event with this number was changed, moved or removed, or the one before it was.
  case broken(at: Int64)
  /// Every link is right, but no event has a key.
  ///
  /// So a person with write access to the database may have forged them.
  case unkeyed(count: Int64)
  /// The events from this number on have a key that is not the given one.
  case foreignKey(at: Int64)
  /// The events before this one have another key, so they cannot be verified.
  ///
  /// This event and all later ones are right.
  ///
  /// From this event on the log has the given key. Its hash depends on the hash of the event before
  /// it, so that event is unchanged since then.
  case keyChanged(at: Int64, count: Int64, head: [UInt8])
}

/// The limits of the security log.
public enum EventLimits {
  /// The number of events that one read returns or one decision links, so that a long log is never
  /// completely in memory.
  public static let batch = 500
  /// How old an event can be before it must be linked.
  public static let unlinkedMilliseconds: Int64 = 1000
  /// The number of listed events if the request names none.
  ///
  /// `listedAtMost` is the largest number.
  public static let listed = 50
  public static let listedAtMost = 1000
}

/// Verifies the security log from its first event to its newest.
///
/// If old events were removed, the log begins after its start, and a later event must confirm this
/// start. From the first event with a key on, every event must have one. Events with another key
/// are only counted, until an event says that the log has the given key from there on.
public func verifyEvents(
  in store: any Store, key: EventKey? = nil
) async throws(StoreFault) -> EventChain {
  let start = try await store.read {
    (transaction: any EventRecords) throws(StoreFault) in try transaction.logStart()
  }
  var walk = ChainVerifier(start: start, key: key)
  while true {
    let last = walk.count
    let batch = try await store.read {
      (transaction: any EventRecords) throws(StoreFault) in
      try transaction.events(after: last, limit: EventLimits.batch)
    }
    for event in batch {
      if let fault = walk.follow(event) { return fault }
    }
    if batch.isEmpty { return walk.end }
  }
}

private struct ChainVerifier {
  let start: LogStart
  let key: EventKey?
  private(set) var count: Int64
  private var head: [UInt8]
  private var isStartConfirmed: Bool
  /// The key of the event before; nil before the first event with a key.
  private var keyID: String?
  /// The first event with another key, if no event with the given key came after it.
  private var foreignFrom: Int64?
  /// The event that says that the log has the given key again, after events with other keys.
  private var changedAt: Int64?

  init(start: LogStart, key: EventKey?) {
    self.start = start
    self.key = key
    count = start.sequence
    head = start.hash
    isStartConfirmed = start == .whole
  }

  /// Verifies the next event, and returns a fault if there is one.
  mutating func follow(_ event: SecurityEvent) -> EventChain? {
    count += 1
    // An event without a key after one with a key was not written by this server.
    guard event.sequence == count, event.keyID != nil || keyID == nil else {
      return .broken(at: count)
    }
    if let hash = event.hash(after: head, key: key) {
      guard ConstantTime.equal(event.hash, hash), isAnnounced(event) else {
        return .broken(at: count)
      }
      if foreignFrom != nil { changedAt = count }
      foreignFrom = nil
    } else {
      foreignFrom = foreignFrom ?? count
    }
    keyID = event.keyID
    head = event.hash
    if event.code == .logCut, event.detail == start.detail { isStartConfirmed = true }
    return nil
  }

  /// Whether a change of the key is announced.
  ///
  /// The first event with a key says that the log has it from there on, unless it is the first
  /// event of all or the events before it were removed.
  private func isAnnounced(_ event: SecurityEvent) -> Bool {
    if event.keyID == keyID || count == start.sequence + 1 { return true }
    return event.code == .logKeyed
      && event.detail == LogStart(sequence: count - 1, hash: head).detail
  }

  var end: EventChain {
    if let foreignFrom { return .foreignKey(at: foreignFrom) }
    if let changedAt { return .keyChanged(at: changedAt, count: count - changedAt + 1, head: head) }
    guard isStartConfirmed else { return .broken(at: start.sequence + 1) }
    if key != nil, keyID == nil, count > 0 { return .unkeyed(count: count - start.sequence) }
    return .unbroken(count: count - start.sequence, head: head)
  }
}

/// The newest events first, of one account or of all accounts.
public func listEvents(
  of account: AccountID?, before sequence: Int64? = nil, limit: Int, in store: any Store
) async throws(StoreFault) -> [SecurityEvent] {
  try await store.read { (transaction: any EventRecords) throws(StoreFault) in
    let found = try transaction.events(
      of: account, before: sequence, limit: min(limit, EventLimits.listedAtMost))
    var listed: [SecurityEvent] = []
    for event in found { listed.append(try transaction.withNote(event)) }
    return listed
  }
}

/// A position in the security log: a sequence number, because there are no gaps.
struct EventCursor: NarrowedCursor {
  let sequence: Int64

  static func between(_ record: EventCursor, _ next: EventCursor) -> EventCursor? { record }
}

/// An event of the security log as its reader gets it.
public struct ListedEvent: Sendable {
  public let event: SecurityEvent
  /// Whether the reader gets its number.
  ///
  /// It is counted over all organizations, so it says how much happens in others.
  let isNumbered: Bool

  /// The form that is hashed, but without the number if the reader does not get it.
  public var json: JSON { isNumbered ? event.json : .members(event.content.members) }
}

/// The security log for administrators, newest first, one page at a time.
///
/// An administrator of organizations sees the events about the accounts in them, without their
/// numbers, and gets sealed cursors. The list has all events of decisions that were durable before.
///
/// `reference` replaces the account of the query. An address or a number without an account, or of
/// one that the administrator may not see, matches nothing.
public func pageEvents(
  _ query: EventQuery, about reference: AccountReference? = nil,
  _ page: PageRequest<NumberedCursor>, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> ListPage<ListedEvent, NumberedCursor> {
  var pages = EventPages(query, about: reference, rules: rules)
  await world.linkEvents()
  return try await pages.next(page, in: world)
}

/// The pages of one list of events.
///
/// The numbers of the events of its period are found once for all pages.
struct EventPages {
  private let query: EventQuery
  private let reference: AccountReference?
  private let rules: AccountEditingRules
  private var numbers: Range<Int64>?

  /// The events must have been linked before the first page.
  init(_ query: EventQuery, about reference: AccountReference?, rules: AccountEditingRules) {
    self.query = query
    self.reference = reference
    self.rules = rules
  }

  mutating func next(
    _ page: PageRequest<NumberedCursor>, in world: World
  ) async throws(Refusal) -> ListPage<ListedEvent, NumberedCursor> {
    let (known, keyring) = (self, world.keyring)
    let (numbers, found) = try await world.read {
      (transaction: any AccountRecords & EventRecords) throws in
      let numbers =
        try known.numbers ?? EventSearch.numbers(of: known.query.period, transaction)
      return (numbers, try known.read(page, in: numbers, keyring, transaction))
    }
    self.numbers = numbers
    return found
  }

  private func read(
    _ page: PageRequest<NumberedCursor>, in numbers: Range<Int64>, _ keyring: Keyring,
    _ transaction: any AccountRecords & EventRecords
  ) throws -> ListPage<ListedEvent, NumberedCursor> {
    let permission = try rules.permission(transaction)
    let organizations = permission.organizations(with: .viewer)
    var start: EventCursor?
    if let cursor = page.cursor {
      guard let number = cursor.number(in: .events, for: organizations, keyring), number > 0 else {
        throw Refusal.invalidRequest("cursor is unknown")
      }
      start = EventCursor(sequence: number)
    }
    var (query, seen) = (query, VisibleAccounts(permission))
    switch reference {
    case nil: break
    // The account may be erased.
    case .id(let id)?: query.account = id
    case let reference?:
      let found = try transaction.accounts(namedBy: reference).filter { permission.sees($0) }
      guard let account = found.first else { return ListPage(entries: [], cursor: nil) }
      guard found.count == 1 else { throw Refusal.severalAccountsOfNumber }
      query.account = account.id
    }
    let request = try PageRequest(after: start, limit: page.limit)
    let found: ListPage<SecurityEvent, EventCursor> = try .narrowed(request, for: permission) {
      (last, count) throws(StoreFault) in
      let rest = (0..<(last?.sequence ?? .max)).clamped(to: numbers)
      return try transaction.events(query, in: rest, limit: count)
    } cursor: {
      EventCursor(sequence: $0.sequence)
    } isSeen: { (event) throws(StoreFault) in
      guard permission.seesRecords(of: event.organizationOfRecord) else { return false }
      return try seen.contains(event.account, transaction)
    }
    let listed = try found.map { (event) throws(StoreFault) in
      ListedEvent(event: try transaction.withNote(event), isNumbered: organizations == nil)
    }
    let next = found.cursor.map { cursor in
      NumberedCursor(cursor.sequence, in: .events, for: organizations, keyring)
    }
    return ListPage(entries: listed.entries, cursor: next)
  }
}

extension SecurityEvent {
  /// The organization of the product that the event is about; `nil` if it is about none.
  fileprivate var organizationOfRecord: OrganizationID? {
    guard code == .productTransferred || code == .serviceRequested else { return nil }
    return detail.flatMap { RecordKey(stored: $0).organization }
  }
}

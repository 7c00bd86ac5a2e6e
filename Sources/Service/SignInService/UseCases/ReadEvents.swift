import Cryptography
public import SignInModel
public import SignInWire

/// What reading the whole security log showed.
public enum EventChain: Equatable, Sendable {
  /// Every link is right; `head` is the newest event's hash, to be kept somewhere else.
  case unbroken(count: Int64, head: [UInt8])
  /// The event with this number was changed, moved or removed, or the one before it was.
  case broken(at: Int64)
  /// Every link is right, but none has a key: anyone who can write the database may have made them.
  case unkeyed(count: Int64)
  /// The events from this number on name a key that is not the given one.
  case foreignKey(at: Int64)
  /// The events before this one name another key, so nothing can be said of them; it and all later
  /// ones are right.
  ///
  /// It is the event in which the log got the given key. Its hash rests on the hash of the event
  /// before it, so that one event too is as it was then.
  case keyChanged(at: Int64, count: Int64, head: [UInt8])
}

/// The numbers of reading the security log.
public enum EventLimits {
  /// Read at a time, so that a long log is never in memory at once.
  public static let batch = 500
  /// Listed when nothing else is asked for, and at most.
  public static let listed = 50
  public static let listedAtMost = 1000
}

/// Follows the security log from its first event to its newest.
///
/// A log that was cut begins after its start, which an event further on must tell of. From the
/// first event with a key on, every event must have one. Events with another key are only counted,
/// until an event with the given key says that the log has it from there on.
public func verifyEvents(
  in store: any Store, key: EventKey? = nil
) async throws(StoreFault) -> EventChain {
  let start = try await store.read { (look) throws(StoreFault) in try look.logStart() }
  var walk = ChainWalk(start: start, key: key)
  while true {
    let last = walk.count
    let batch = try await store.read { (look) throws(StoreFault) in
      try look.events(after: last, limit: EventLimits.batch)
    }
    for event in batch {
      if let fault = walk.follow(event) { return fault }
    }
    if batch.isEmpty { return walk.end }
  }
}

private struct ChainWalk {
  let start: LogStart
  let key: EventKey?
  private(set) var count: Int64
  private var head: [UInt8]
  private var isStartTold: Bool
  /// The key of the event before; nil before the first event with a key.
  private var keyID: String?
  /// The first event of another key, as long as no event of the given key came after it.
  private var foreignFrom: Int64?
  /// The event that says that the log has the given key again, after events of other keys.
  private var changedAt: Int64?

  init(start: LogStart, key: EventKey?) {
    self.start = start
    self.key = key
    count = start.sequence
    head = start.hash
    isStartTold = start == .whole
  }

  /// Goes on to the next event, or answers what is wrong with it.
  mutating func follow(_ event: SecurityEvent) -> EventChain? {
    count += 1
    // An event without a key after one with a key was not written by us.
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
    if event.code == .logCut, event.detail == start.detail { isStartTold = true }
    return nil
  }

  /// The first event with a key says that the log has it from now on, unless it is the first of
  /// all or the log was cut before it.
  private func isAnnounced(_ event: SecurityEvent) -> Bool {
    if event.keyID == keyID || count == start.sequence + 1 { return true }
    return event.code == .logKeyed
      && event.detail == LogStart(sequence: count - 1, hash: head).detail
  }

  var end: EventChain {
    if let foreignFrom { return .foreignKey(at: foreignFrom) }
    if let changedAt { return .keyChanged(at: changedAt, count: count - changedAt + 1, head: head) }
    guard isStartTold else { return .broken(at: start.sequence + 1) }
    if key != nil, keyID == nil, count > 0 { return .unkeyed(count: count - start.sequence) }
    return .unbroken(count: count - start.sequence, head: head)
  }
}

/// The newest events, newest first: of one account, or of everybody.
public func listEvents(
  of account: AccountID?, before sequence: Int64? = nil, limit: Int, in store: any Store
) async throws(StoreFault) -> [SecurityEvent] {
  try await store.read { (look) throws(StoreFault) in
    try look.events(of: account, before: sequence, limit: min(limit, EventLimits.listedAtMost))
  }
}

/// The security log for administrators, newest first, a page at a time.
///
/// `cursor` is that of the page before, or nil for the first: a sequence number, since no event is
/// ever left out or removed. An administrator of organizations sees what concerns accounts of
/// those.
public func pageEvents(
  of account: AccountID?, cursor: String?, limit: Int, keeper: AccountKeeper, in world: World
) async -> Outcome<ListPage<SecurityEvent>> {
  guard (1...PageLimits.longest).contains(limit) else { return .refusal(.limitOutside) }
  let before = cursor.flatMap { WholeNumber.read($0, in: 1...Int64.max) }
  guard cursor == nil || before != nil else { return .refusal(.foreignCursor) }
  return await world.look { (look) throws(StoreFault) in
    let permission = try keeper.permission(look)
    var seen = SeenAccounts(permission)
    return .success(
      try ListPage<SecurityEvent>.narrowed(
        limit: limit, from: before, for: permission
      ) { (before, count) throws(StoreFault) in
        try look.events(of: account, before: before, limit: count)
      } position: {
        $0.sequence
      } cursor: {
        String($0)
      } isSeen: { (event) throws(StoreFault) in
        try seen.contains(event.account, look)
      } entry: { (event) throws(StoreFault) in
        event
      }
    )
  }
}

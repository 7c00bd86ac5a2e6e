import Cryptography
public import SignInModel
public import SignInWire

/// What reading the whole security log showed.
public enum EventChain: Equatable, Sendable {
  /// Every link holds; `head` is the newest event's hash, to be kept somewhere else.
  case unbroken(count: Int64, head: [UInt8])
  /// The event with this number was changed, moved or removed, or the one before it was.
  case broken(at: Int64)
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
/// A log that was cut begins after its start, which an event further on must tell of.
public func verifyEvents(in store: any Store) async throws(StoreFault) -> EventChain {
  let start = try await store.read { (look) throws(StoreFault) in try look.logStart() }
  var isStartTold = start == .whole
  var count = start.sequence
  var head = start.hash
  while true {
    let last = count
    let batch = try await store.read { (look) throws(StoreFault) in
      try look.events(after: last, limit: EventLimits.batch)
    }
    for event in batch {
      count += 1
      guard event.sequence == count, ConstantTime.equal(event.hash, event.hash(after: head)) else {
        return .broken(at: count)
      }
      head = event.hash
      if event.code == .logCut, event.detail == start.detail { isStartTold = true }
    }
    if batch.isEmpty {
      guard isStartTold else { return .broken(at: start.sequence + 1) }
      return .unbroken(count: count - start.sequence, head: head)
    }
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
/// ever left out or removed.
public func pageEvents(
  of account: AccountID?, cursor: String?, limit: Int, in world: World
) async -> Outcome<ListPage<SecurityEvent>> {
  guard (1...PageLimits.longest).contains(limit) else { return .refusal(.limitOutside) }
  let before = cursor.map { Int64($0) }
  if before == .some(nil) { return .refusal(.foreignCursor) }
  return await world.look { (look) throws(StoreFault) in
    let events = try look.events(of: account, before: before ?? nil, limit: limit + 1)
    let last = events.count > limit ? events[limit - 1] : nil
    return .success(
      ListPage(entries: Array(events.prefix(limit)), cursor: last.map { String($0.sequence) })
    )
  }
}

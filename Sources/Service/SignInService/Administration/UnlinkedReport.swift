public import SignInModel

/// The newest events, which are not linked yet.
///
/// Until an event is linked, a person with write access to the database can remove it unnoticed. So
/// a check accepts only young ones.
public struct UnlinkedReport: Equatable, Sendable {
  /// The events that a server with the given key wrote.
  public internal(set) var count: Int64 = 0
  /// How many of them are older than `EventLimits.unlinkedMilliseconds`.
  public internal(set) var lateCount: Int64 = 0
  /// The age of the oldest of them; 0 if there is none.
  public internal(set) var milliseconds: Int64 = 0
  /// The events that were not written with the given key, linked or not.
  public internal(set) var refusedCount: Int64 = 0

  public init() {}

  mutating func add(_ event: UnlinkedEvent, _ key: EventKey?, at now: Instant) {
    guard let content = event.verified(key) else {
      refusedCount += 1
      return
    }
    count += 1
    // The clock of the server that wrote the event can differ a little.
    let age = max(0, now.milliseconds - content.at.milliseconds)
    milliseconds = max(milliseconds, age)
    if age > EventLimits.unlinkedMilliseconds { lateCount += 1 }
  }
}

/// Reads the events that are not linked yet, at one moment.
public func readUnlinkedReport(
  in store: any Store, key: EventKey?, at now: Instant
) async throws(StoreFault) -> UnlinkedReport {
  try await store.read { (transaction: any EventRecords) throws(StoreFault) in
    var tail = UnlinkedReport()
    tail.refusedCount = try transaction.refusedEventCount()
    try transaction.forEachUnlinked { tail.add($0, key, at: now) }
    return tail
  }
}

extension EventRecords {
  /// Visits the unlinked events in their order, in batches.
  func forEachUnlinked(_ visit: (UnlinkedEvent) -> Void) throws(StoreFault) {
    var last: Int64 = 0
    while true {
      let events = try unlinkedEvents(after: last, limit: EventLimits.batch)
      for event in events { visit(event) }
      guard let end = events.last, events.count == EventLimits.batch else { return }
      last = end.id
    }
  }

  /// The contents of the unlinked events that a server with this store's key wrote.
  public func unlinkedContents() throws(StoreFault) -> [EventContent] {
    var contents: [EventContent] = []
    try forEachUnlinked { event in
      if let content = event.verified(eventKey) { contents.append(content) }
    }
    return contents
  }
}

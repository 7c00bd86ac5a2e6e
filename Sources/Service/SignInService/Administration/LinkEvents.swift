public import SignInModel

/// The result of linking the events that decisions have written.
public struct LinkedEvents: Equatable, Sendable {
  public internal(set) var linked = 0
  /// The events that no server with the log's key wrote.
  public internal(set) var refused = 0

  var count: Int { linked + refused }
}

/// Links all events that were durable when it was called.
///
/// One decision links at most `EventLimits.batch` events, so that other decisions do not wait long
/// for a store that runs one after another.
///
/// With `waits` it waits while another server links events; otherwise it does nothing then.
///
/// - Returns: How many events were linked and refused.
/// - Throws: The fault that prevented a batch from becoming durable. Earlier batches are linked.
public func linkEvents(
  in store: any Store, at now: Instant, waits: Bool = true
) async throws(StoreFault) -> LinkedEvents {
  var sum = LinkedEvents()
  while true {
    // A read is cheaper than a decision, and most of the time there is nothing to link.
    let isEmpty = try await store.read { (transaction: any EventRecords) throws(StoreFault) in
      try transaction.unlinkedEvents(after: 0, limit: 1).isEmpty
    }
    if isEmpty { return sum }
    let batch = try await store.transact(about: []) {
      (transaction: any EventRecords) throws(StoreFault) in
      try transaction.linkBatch(at: now, waits: waits)
    }
    sum.linked += batch.linked
    sum.refused += batch.refused
    if batch.count < EventLimits.batch { return sum }
  }
}

extension World {
  /// Links the events that decisions have written, and reports a fault or a forged event.
  ///
  /// Call it before the log is read, so that the reader sees what was decided.
  public func linkEvents(waits: Bool = true) async {
    do throws(StoreFault) {
      let found = try await SignInService.linkEvents(in: store, at: clock.now(), waits: waits)
      guard found.refused > 0 else { return }
      reportFault(
        "\(found.refused) unlinked events were not written with the key of the security log: "
          + "keep the database as evidence")
    } catch {
      report(error)
    }
  }
}

extension EventRecords {
  /// Links at most `EventLimits.batch` events, and counts them by day.
  ///
  /// An event that no server with the log's key wrote is refused. It does not delay the others. The
  /// log says how many events were refused.
  func linkBatch(at now: Instant, waits: Bool) throws(StoreFault) -> LinkedEvents {
    guard try lockLog(waits: waits) else { return LinkedEvents() }
    let events = try unlinkedEvents(after: 0, limit: EventLimits.batch)
    guard !events.isEmpty else { return LinkedEvents() }
    let last = try keyed(try lastEvent(), at: now)
    var linked: [SecurityEvent] = []
    var (linkedIDs, refused): ([Int64], [Int64]) = ([], [])
    var counts = DailyCountSum()
    for event in events {
      guard let content = event.verified(eventKey) else {
        refused.append(event.id)
        continue
      }
      linked.append(self.linked(content, after: linked.last ?? last))
      counts.add(content)
      linkedIDs.append(event.id)
    }
    if let report = refusal(of: refused.count, at: now) {
      linked.append(self.linked(report, after: linked.last ?? last))
      try refuseUnlinked(refused)
    }
    try append(linked)
    try removeUnlinked(linkedIDs)
    try notifyServers()
    for (place, times) in counts.sums {
      try count(place.kind, times: times, on: place.day, of: place.account)
    }
    return LinkedEvents(linked: linkedIDs.count, refused: refused.count)
  }

  /// What the log says about a number of refused events; nil for none.
  private func refusal(of count: Int, at now: Instant) -> EventContent? {
    if count == 0 { return nil }
    let draft = EventDraft(
      code: .logEventsRefused, account: nil, count: count == 1 ? nil : Int64(count))
    let caller = AccountEditingRules.operatorCommand.caller
    return EventContent(draft, by: caller, at: now, key: eventKey)
  }
}

/// The counts by day of several events, in the order of the events.
private struct DailyCountSum {
  struct Place: Hashable {
    let kind: DailyCount.Kind
    let day: CalendarDay
    let account: AccountID?
  }

  private(set) var sums: [(place: Place, times: Int64)] = []
  private var indexes: [Place: Int] = [:]

  mutating func add(_ content: EventContent) {
    guard let kind = content.code.dailyCount else { return }
    let place = Place(kind: kind, day: CalendarDay(content.at), account: content.account)
    let times = content.count ?? 1
    if let index = indexes[place] {
      sums[index].times += times
    } else {
      indexes[place] = sums.count
      sums.append((place, times))
    }
  }
}

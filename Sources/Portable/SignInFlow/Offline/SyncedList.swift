public import SignInEngine
public import SignInModel
import SignInWire

/// A list with an offline copy on the device and its source at the server.
///
///     opening ──no copy──▶ never synced ──complete──▶ items as of …
///        └──copy──▶ items as of …  ⇄  refreshing, could not refresh
///                       └──lease expires──▶ expired ──contact──▶ items as of …
///
/// The screen shows the last complete copy. Only another complete copy replaces it (O-08, L-33).
public struct SyncedList<Item: OfflineItem>: Equatable, Sendable {
  public private(set) var list = OfflineList<Item>()
  /// The running sync; `nil` if there is none.
  public private(set) var syncing: Wait?
  /// Why the last sync failed.
  public private(set) var problem: Notice?

  private var copy = OfflineCopy(Item.list)
  private var arrival: PartialSync?
  /// Another tab has stored another copy.
  ///
  /// This list must be read completely before it is stored again.
  private var isSuperseded = false
  private var retry = Retry()
  private var query = ""
  private var filter: DayFilter?
  private var named: [NamedFilter] = []

  init() {}

  // MARK: Displayed data

  public var isOpening: Bool { copy.isOpening }

  /// Whether the organization allows that the copy is stored.
  var isStorable: Bool { copy.isStorable }

  /// Whether the copy is in memory only, because it could not be stored.
  public var isMemoryOnly: Bool { copy.isMemoryOnly }

  /// The server's time of the shown data; `nil` if there is nothing to show.
  public var asOf: Instant? { copy.head?.asOf }

  /// Whether the copy cannot be read until the server answers.
  public func isSealed(at now: Instant, isOffline: Bool) -> Bool {
    copy.isSealed(at: now, isServerReachable: !isOffline && problem == nil)
  }

  func isFor(_ id: RequestID) -> Bool { syncing?.isFor(id) ?? false }

  mutating func search(_ text: String) {
    query = text
    list.search(text)
  }

  mutating func show(only filter: DayFilter?, named: [NamedFilter]) {
    (self.filter, self.named) = (filter, named)
    list.show(only: filter, named: named)
  }

  /// Shows a list that replaces the last one, with the same search and filter.
  private mutating func replaceList(by parts: [ChangeLogPart]) {
    list = OfflineList(parts)
    list.show(only: filter, named: named)
    list.search(query)
  }

  // MARK: Opening

  mutating func open(_ context: FlowContext) -> [PageEffect] { copy.open(context) }

  mutating func handle(_ event: OfflineCopyEvent, _ context: inout FlowContext) -> [PageEffect] {
    switch event {
    case .read(let reading):
      guard copy.isOpening else { return [] }
      let effects = read(reading, context)
      sync(&context)
      return effects
    case .written(let outcome):
      let (write, effects) = copy.written(outcome)
      switch (write, outcome) {
      case (.aside, .done): break
      // Pages that cannot be stored remain in memory until the app is closed.
      case (.aside, .full), (.aside, .refused), (.aside, .conflict), (.aside, .closed):
        arrival?.stopStoring()
      case (.whole, .conflict):
        // Another tab has stored a complete copy in the meantime, so this one is read again
        // completely.
        arrival = nil
        isSuperseded = true
        sync(&context)
      case (.whole, .done), (.whole, .full), (.whole, .refused), (.whole, .closed): break
      }
      return effects
    }
  }

  private mutating func read(_ reading: OfflineCopyReading, _ context: FlowContext) -> [PageEffect]
  {
    copy.setEmpty()
    switch reading {
    case .absent, .temporarilyUnreadable: return []
    case .damaged: return [copy.erasure]
    case .value(let pieces):
      if let parts = copy.take(pieces).flatMap({ ChangeLogPart.all($0) }) {
        replaceList(by: parts)
      } else {
        copy.setEmpty()
      }
      arrival = PartialSync(pieces, base: copy.head?.cursor)
      guard copy.head != nil || arrival != nil else { return [copy.erasure] }
      return copy.remember(beside: arrival?.keys ?? [], context)
    }
  }

  /// Writes everything again, under the current key.
  mutating func storeAgain() -> [PageEffect] {
    arrival?.stopStoring()
    return copy.storeAgain(list.parts.map { $0.piece })
  }
}

// MARK: - Syncing

extension SyncedList {
  /// Requests what changed since the copy was made, or continues an interrupted sync.
  mutating func sync(_ context: inout FlowContext) {
    guard syncing == nil, copy.isInUse, !copy.isOpening else { return }
    retry.stop()
    if arrival == nil { arrival = PartialSync(base: base) }
    ask(&context, since: context.now)
  }

  /// Repeats a sync that failed, or requests a new lease before the current one expires.
  mutating func tick(_ context: inout FlowContext) {
    guard syncing == nil else { return }
    if problem == nil ? copy.isDue(at: context.now) : retry.isDue(at: context.now) {
      sync(&context)
    }
  }

  private var base: String? { list.needsFullSync || isSuperseded ? nil : copy.head?.cursor }

  private mutating func ask(_ context: inout FlowContext, since start: Instant) {
    let query = SyncQuery { $0.cursor = arrival?.cursor }
    syncing = Wait(request: context.ask(.get(Item.syncEndpoint, query.form)), since: start)
  }

  /// Handles an answer to a sync; `isWhole` is true when all pages have arrived.
  mutating func answered(
    _ answer: Answer, _ context: inout FlowContext
  ) -> (effects: [PageEffect], isWhole: Bool) {
    let since = syncing?.since ?? context.now
    syncing = nil
    if answer.status == 410 {
      arrival = PartialSync(base: nil)
      ask(&context, since: since)
      return ([], false)
    }
    guard let body = answer.success, let page = Item.syncPage(body),
      let lease = copy.lease(page.lease)
    else {
      problem = answer.notice(at: context.now)
      retry.wait(from: context.now)
      return ([], false)
    }
    var changes = ChangeLogPart(key: copy.nextKey(context))
    for item in page.items { changes.add(item) }
    for id in page.removed { changes.remove(id) }
    arrival?.add(changes, upTo: page.cursor)
    guard page.isComplete else {
      ask(&context, since: since)
      return (storeBeside(changes), false)
    }
    problem = nil
    retry = Retry()
    return (adopt(page, lease, &context), true)
  }

  /// Stores the page sealed beside the copy, so that an interrupted sync can continue with it.
  private mutating func storeBeside(_ changes: ChangeLogPart) -> [PageEffect] {
    guard var arrival, arrival.isKept else { return [] }
    let earlier = arrival.keys.filter { $0 != PartialSync.key }
    arrival.kept.append(changes.key)
    self.arrival = arrival
    return copy.storeBeside([arrival.piece, changes.piece], beside: earlier)
  }

  /// Replaces the last copy by the new one, which is complete.
  private mutating func adopt(
    _ page: SyncPage<Item>, _ lease: OfflineLease, _ context: inout FlowContext
  ) -> [PageEffect] {
    guard let arrival else { return [] }
    self.arrival = nil
    var known = arrival.kept
    if arrival.base == nil {
      isSuperseded = false
      replaceList(by: arrival.pages.filter { $0.lineCount > 0 })
    } else {
      known += list.parts.map { $0.key }
      for changes in arrival.pages {
        list.apply(changes) { copy.nextKey(context) }
      }
    }
    let head = OfflineCopyHead(
      cursor: page.cursor, asOf: page.asOf, lease: page.lease, seenAt: context.now,
      parts: list.parts.map { $0.key }
    )
    var pieces: [SealedRecord] = []
    var kept: [String] = []
    for part in list.parts {
      if known.contains(part.key) { kept.append(part.key) } else { pieces.append(part.piece) }
    }
    return copy.store(head, lease, pieces, kept: kept)
  }
}

public import SignInModel
import SignInWire

/// A shelf with its copy on the device and its source at the server.
///
///     opening ──nothing kept──▶ never synced ──whole──▶ items as of …
///        └──kept──▶ items as of …  ⇄  refreshing, could not refresh
///                       └──lease over──▶ sealed ──contact──▶ items as of …
///
/// What is shown is the last whole copy, and only a whole one takes its place (O-08, L-33).
public struct KeptShelf<Item: ShelfItem>: Equatable, Sendable {
  public private(set) var shelf = Shelf<Item>()
  /// What the person waits for, when they wait.
  public private(set) var syncing: Wait?
  /// Why the last sync failed.
  public private(set) var problem: Notice?

  private var copy = KeptCopy(Item.shelf)
  private var arrival: ShelfArrival?
  /// Another window keeps another copy: this one is fetched anew before it is kept again.
  private var isSuperseded = false
  private var retry = Retry()
  private var query = ""

  init() {}

  // MARK: What is shown

  public var isOpening: Bool { copy.isOpening }

  /// Set when this copy lives only as long as the page.
  public var isUnkept: Bool { copy.isUnkept }

  /// When what is shown was true; nil while there is nothing to show.
  public var asOf: Instant? { copy.head?.asOf }

  /// Whether the copy may no longer be read without seeing the server.
  public func isSealed(at now: Instant, isOffline: Bool) -> Bool {
    copy.isSealed(at: now, isInSight: !isOffline && problem == nil)
  }

  func isFor(_ id: RequestID) -> Bool { syncing?.isFor(id) ?? false }

  mutating func search(_ text: String) {
    query = text
    shelf.search(text)
  }

  // MARK: Opening

  mutating func open(_ context: FlowContext) -> [Effect] { copy.open(context) }

  mutating func handle(_ event: ShelfEvent, _ context: inout FlowContext) -> [Effect] {
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
      // What cannot be kept beside the copy is remembered until the app is closed.
      case (.aside, .full), (.aside, .refused), (.aside, .conflict), (.aside, .closed):
        arrival?.giveUpKeeping()
      case (.whole, .conflict):
        // Another window wrote meanwhile: what it has is whole, and this one fetches its own anew.
        arrival = nil
        isSuperseded = true
        sync(&context)
      case (.whole, .done), (.whole, .full), (.whole, .refused), (.whole, .closed): break
      }
      return effects
    }
  }

  private mutating func read(_ reading: ShelfReading, _ context: FlowContext) -> [Effect] {
    copy.haveNone()
    switch reading {
    case .absent, .cannotTell: return []
    case .damaged: return [copy.erasure]
    case .value(let pieces):
      if let parts = copy.take(pieces).flatMap({ ShelfPart.all($0) }) {
        shelf = Shelf(parts)
        shelf.search(query)
      } else {
        copy.haveNone()
      }
      arrival = ShelfArrival(pieces, base: copy.head?.cursor)
      guard copy.head != nil || arrival != nil else { return [copy.erasure] }
      return copy.remember(beside: arrival?.keys ?? [], context)
    }
  }

  /// Writes everything again, under the key that is in force now.
  mutating func keepAnew() -> [Effect] {
    arrival?.giveUpKeeping()
    return copy.keepAnew(shelf.parts.map { $0.piece })
  }
}

// MARK: - Syncing

extension KeptShelf {
  /// Asks for what changed since the copy, or goes on where the last try was cut off.
  mutating func sync(_ context: inout FlowContext) {
    guard syncing == nil, copy.isInUse, !copy.isOpening else { return }
    retry.stop()
    if arrival == nil { arrival = ShelfArrival(base: base) }
    ask(&context, since: context.now)
  }

  /// Asks again after a failure that was no silence, and for a new lease before this one is over.
  mutating func tick(_ context: inout FlowContext) {
    guard syncing == nil else { return }
    if problem == nil ? copy.isDue(at: context.now) : retry.isDue(at: context.now) {
      sync(&context)
    }
  }

  private var base: String? { shelf.isOvergrown || isSuperseded ? nil : copy.head?.cursor }

  private mutating func ask(_ context: inout FlowContext, since start: Instant) {
    let path = arrival?.cursor.map { Item.shelfPath + "?cursor=" + $0 } ?? Item.shelfPath
    syncing = Wait(request: context.ask(.get(path)), since: start)
  }

  /// Takes an answer to a sync; true once the whole is here.
  mutating func answered(
    _ answer: Answer, _ context: inout FlowContext
  ) -> (effects: [Effect], isWhole: Bool) {
    let since = syncing?.since ?? context.now
    syncing = nil
    if answer.status == 410 {
      arrival = ShelfArrival(base: nil)
      ask(&context, since: since)
      return ([], false)
    }
    guard let body = answer.success, let page = Item.shelfAnswer(body),
      let lease = copy.lease(page.lease)
    else {
      problem = answer.notice(at: context.now)
      retry.wait(from: context.now)
      return ([], false)
    }
    var changes = ShelfPart(key: copy.nextKey(context))
    for item in page.items { changes.add(item) }
    for id in page.removed { changes.remove(id) }
    arrival?.add(changes, upTo: page.cursor)
    guard page.isComplete else {
      ask(&context, since: since)
      return (keepAside(changes), false)
    }
    problem = nil
    retry = Retry()
    return (adopt(page, lease, &context), true)
  }

  /// The page lies sealed beside the copy: whatever cuts the sync off, it goes on from here.
  private mutating func keepAside(_ changes: ShelfPart) -> [Effect] {
    guard var arrival, arrival.isKept else { return [] }
    let earlier = arrival.keys.filter { $0 != ShelfArrival.key }
    arrival.kept.append(changes.key)
    self.arrival = arrival
    return copy.keepAside([arrival.piece, changes.piece], beside: earlier)
  }

  /// The copy is whole: it takes the place of the last one.
  private mutating func adopt(
    _ page: ShelfAnswer<Item>, _ lease: OfflineLease, _ context: inout FlowContext
  ) -> [Effect] {
    guard let arrival else { return [] }
    self.arrival = nil
    var known = arrival.kept
    if arrival.base == nil {
      isSuperseded = false
      shelf = Shelf(arrival.pages.filter { $0.lineCount > 0 })
      shelf.search(query)
    } else {
      known += shelf.parts.map { $0.key }
      for changes in arrival.pages {
        shelf.apply(changes) { copy.nextKey(context) }
      }
    }
    let head = ShelfHead(
      cursor: page.cursor, asOf: page.asOf, lease: page.lease, seenAt: context.now,
      parts: shelf.parts.map { $0.key }
    )
    var pieces: [ShelfPiece] = []
    var kept: [String] = []
    for part in shelf.parts {
      if known.contains(part.key) { kept.append(part.key) } else { pieces.append(part.piece) }
    }
    return copy.keep(head, lease, pieces, kept: kept)
  }
}

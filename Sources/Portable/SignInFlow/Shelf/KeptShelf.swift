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
  private enum Copy: Equatable, Sendable {
    case opening(since: Instant)
    case none
    case whole(ShelfHead, OfflineLease)
  }

  /// What of a sync has arrived: a broken one goes on where it was cut off.
  private struct Arrival: Equatable, Sendable {
    /// Nil for one that begins at the beginning, whose pages are the whole shelf.
    let base: String?
    var cursor: String?
    var pages: [ShelfPart] = []
  }

  public private(set) var shelf = Shelf<Item>()
  /// What the person waits for, when they wait.
  public private(set) var syncing: Wait?
  /// Why the last sync failed.
  public private(set) var problem: Notice?
  /// Set when this copy lives only as long as the page.
  public private(set) var isUnkept = false

  private var copy = Copy.none
  private var arrival: Arrival?
  private var place: ShelfPlace?
  /// Another window keeps another copy: this one is fetched anew before it is kept again.
  private var isSuperseded = false
  private var lastKey: Int64 = 0
  private var query = ""

  init() {}

  // MARK: What is shown

  public func isOpening(at now: Instant) -> Bool {
    if case .opening = copy { true } else { false }
  }

  /// When what is shown was true; nil while there is nothing to show.
  public var asOf: Instant? {
    if case .whole(let head, _) = copy { head.asOf } else { nil }
  }

  /// Whether the copy may no longer be read without seeing the server.
  public func isSealed(at now: Instant) -> Bool {
    guard case .whole(let head, let lease) = copy else { return false }
    let latest = head.seenAt < now ? now : head.seenAt
    return lease.expiresAt <= latest
  }

  func isFor(_ id: RequestID) -> Bool { syncing?.isFor(id) ?? false }

  mutating func search(_ text: String) {
    query = text
    shelf.search(text)
  }

  // MARK: Opening

  mutating func open(_ context: FlowContext) -> [Effect] {
    guard let owner = context.shelfOwner else { return [] }
    let place = ShelfPlace(name: Item.shelfName, owner: owner)
    self.place = place
    copy = .opening(since: context.now)
    return [.shelf(.read(place))]
  }

  mutating func handle(_ event: ShelfEvent, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .read(let reading):
      guard case .opening = copy else { return [] }
      let effects = read(reading, context)
      sync(&context)
      return effects
    case .written(.done):
      isUnkept = false
      return []
    case .written(.full), .written(.refused):
      let isNews = !isUnkept
      isUnkept = true
      return isNews ? [.announce(.notice(.shelfNotKept))] : []
    case .written(.conflict):
      // Another window wrote meanwhile: what it has is whole, and this one fetches its own anew.
      arrival = nil
      isSuperseded = true
      sync(&context)
      return []
    }
  }

  private mutating func read(_ reading: ShelfReading, _ context: FlowContext) -> [Effect] {
    copy = .none
    switch reading {
    case .absent, .cannotTell: return []
    case .damaged: return [.shelf(.erase(name: Item.shelfName))]
    case .value(let pieces):
      guard let opened = opened(pieces) else {
        return [.shelf(.erase(name: Item.shelfName))]
      }
      shelf = Shelf(opened.parts)
      shelf.search(query)
      copy = .whole(opened.head, opened.lease)
      return remember(context)
    }
  }

  /// The copy if it is whole, and of this owner; nil otherwise.
  private func opened(
    _ pieces: [ShelfPiece]
  ) -> (head: ShelfHead, lease: OfflineLease, parts: [ShelfPart])? {
    guard let piece = pieces.first(where: { $0.key == ShelfHead.key }),
      let head = ShelfHead(bytes: piece.bytes), let lease = lease(head.lease)
    else { return nil }
    var parts: [ShelfPart] = []
    for key in head.parts {
      guard let piece = pieces.first(where: { $0.key == key }),
        let part = ShelfPart(key: key, bytes: piece.bytes)
      else { return nil }
      parts.append(part)
    }
    return (head, lease, parts)
  }

  private func lease(_ token: String) -> OfflineLease? {
    guard let place, let lease = OfflineLease(reading: token), lease.shelf == place.name,
      lease.account == place.owner.account, lease.client == place.owner.client,
      lease.organization == place.owner.organization
    else { return nil }
    return lease
  }

  /// Keeps the time in mind, so that no clock set back lengthens the lease.
  private mutating func remember(_ context: FlowContext) -> [Effect] {
    guard case .whole(var head, let lease) = copy, let place, head.seenAt < context.now else {
      return []
    }
    head.seenAt = context.now
    copy = .whole(head, lease)
    return [.shelf(.write(place, pieces: [head.piece], kept: head.parts))]
  }
}

// MARK: - Syncing

extension KeptShelf {
  /// Asks for what changed since the copy, or goes on where the last try was cut off.
  mutating func sync(_ context: inout FlowContext) {
    if case .opening = copy { return }
    guard syncing == nil, place != nil else { return }
    if arrival == nil { arrival = Arrival(base: base, cursor: base) }
    ask(&context, since: context.now)
  }

  private var base: String? {
    guard case .whole(let head, _) = copy, !shelf.isOvergrown, !isSuperseded else { return nil }
    return head.cursor
  }

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
      arrival = Arrival(base: nil, cursor: nil)
      ask(&context, since: since)
      return ([], false)
    }
    guard let body = answer.success, let page = Item.shelfAnswer(body),
      let lease = lease(page.lease)
    else {
      problem = answer.notice(at: context.now)
      return ([], false)
    }
    var changes = ShelfPart(key: nextKey(context))
    for item in page.items { changes.add(item) }
    for id in page.removed { changes.remove(id) }
    arrival?.pages.append(changes)
    arrival?.cursor = page.cursor
    guard page.isComplete else {
      ask(&context, since: since)
      return ([], false)
    }
    problem = nil
    return (adopt(page, lease, &context), true)
  }

  /// The copy is whole: it takes the place of the last one.
  private mutating func adopt(
    _ page: ShelfAnswer<Item>, _ lease: OfflineLease, _ context: inout FlowContext
  ) -> [Effect] {
    guard let arrival, let place else { return [] }
    self.arrival = nil
    if arrival.base == nil { isSuperseded = false }
    let earlier = arrival.base == nil ? [] : shelf.parts.map { $0.key }
    if arrival.base == nil {
      shelf = Shelf(arrival.pages.filter { $0.lineCount > 0 })
      shelf.search(query)
    } else {
      for changes in arrival.pages {
        shelf.apply(changes) {
          lastKey += 1
          return Self.key(context, lastKey)
        }
      }
    }
    let head = ShelfHead(
      cursor: page.cursor, asOf: page.asOf, lease: page.lease, seenAt: context.now,
      parts: shelf.parts.map { $0.key }
    )
    copy = .whole(head, lease)
    var pieces = [head.piece]
    var kept: [String] = []
    for part in shelf.parts {
      if earlier.contains(part.key) {
        kept.append(part.key)
      } else {
        pieces.append(ShelfPiece(key: part.key, bytes: part.bytes))
      }
    }
    return [.shelf(.write(place, pieces: pieces, kept: kept))]
  }

  private mutating func nextKey(_ context: FlowContext) -> String {
    lastKey += 1
    return Self.key(context, lastKey)
  }

  /// No other opening of the app makes the same one, so that no window overwrites another's part.
  private static func key(_ context: FlowContext, _ number: Int64) -> String {
    context.page + "-" + String(number)
  }
}

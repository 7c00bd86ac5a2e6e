import SignInModel
import SignInWire

/// What a device keeps of one shelf: whose it is, how old it is, and until when it may be read.
///
///     opening ──nothing kept──▶ none ──whole──▶ whole
///        └──kept──▶ whole ──lease over──▶ sealed ──contact──▶ whole
///
/// What the pieces say is for whoever keeps them here: the things of a list, or one answer.
struct KeptCopy: Equatable, Sendable {
  private enum State: Equatable, Sendable {
    case opening
    case none
    case whole(ShelfHead, OfflineLease)
  }

  /// What a write was for: storage answers in the order it was asked.
  enum Write: Equatable, Sendable {
    /// A whole copy, or a new head of it.
    case whole
    /// Pages of a sync that is not whole yet.
    case aside
  }

  /// Leases are asked for no more often than this.
  static let renewalFloorSeconds: Int64 = 30

  let name: String
  /// Set when this copy lives only as long as the page.
  private(set) var isUnkept = false

  private var state = State.none
  private var place: ShelfPlace?
  private var underWay: [Write] = []
  private var lastKey: Int64 = 0
  /// Whether the server gave it since the app was opened.
  private var isFresh = false

  init(_ shelf: OfflineLease.Shelf) { name = shelf.rawValue }

  // MARK: What is known

  /// Whether there is somebody whose things can be kept.
  var isInUse: Bool { place != nil }

  var isOpening: Bool { state == .opening }

  var head: ShelfHead? {
    if case .whole(let head, _) = state { head } else { nil }
  }

  /// Whether the copy may no longer be read without seeing the server.
  ///
  /// One that a server in sight gave to this opening of the app needs no lease.
  func isSealed(at now: Instant, isInSight: Bool) -> Bool {
    guard case .whole(let head, let lease) = state, !(isFresh && isInSight) else { return false }
    let latest = head.seenAt < now ? now : head.seenAt
    return lease.expiresAt <= latest
  }

  /// Whether it is time to ask for another lease: two thirds of this one are over.
  func isDue(at now: Instant) -> Bool {
    guard case .whole(_, let lease) = state, lease.lifeSeconds > 0 else { return false }
    let seconds = max(Self.renewalFloorSeconds, lease.lifeSeconds / 3 * 2)
    return lease.issuedAt.adding(seconds: seconds) <= now
  }

  /// What a server says about this shelf of this owner; nil for anything else.
  func lease(_ token: String) -> OfflineLease? {
    guard let place, let lease = OfflineLease(reading: token), lease.shelf == place.name,
      lease.account == place.owner.account, lease.client == place.owner.client,
      lease.organization == place.owner.organization
    else { return nil }
    return lease
  }

  // MARK: Opening

  mutating func open(_ context: FlowContext) -> [Effect] {
    guard let owner = context.shelfOwner else { return [] }
    let place = ShelfPlace(name: name, owner: owner)
    self.place = place
    state = .opening
    return [.shelf(.read(place))]
  }

  /// What was opened if it is whole and of this owner: the pieces the head names, in its order.
  mutating func take(_ pieces: [ShelfPiece]) -> [ShelfPiece]? {
    guard let piece = pieces.first(where: { $0.key == ShelfHead.key }),
      let head = ShelfHead(bytes: piece.bytes), let lease = lease(head.lease),
      let parts = Self.named(head.parts, in: pieces)
    else { return nil }
    state = .whole(head, lease)
    return parts
  }

  /// The pieces of these names, in their order; nil when one is missing.
  static func named(_ keys: [String], in pieces: [ShelfPiece]) -> [ShelfPiece]? {
    var parts: [ShelfPiece] = []
    for key in keys {
      guard let piece = pieces.first(where: { $0.key == key }) else { return nil }
      parts.append(piece)
    }
    return parts
  }

  /// There is no copy, or none that is of any use.
  mutating func haveNone() { state = .none }

  var erasure: Effect { .shelf(.erase(name: name)) }

  // MARK: Keeping

  /// Takes a whole copy in place of the last one; `kept` are those of its parts that storage has
  /// already.
  mutating func keep(
    _ head: ShelfHead, _ lease: OfflineLease, _ pieces: [ShelfPiece], kept: [String]
  ) -> [Effect] {
    state = .whole(head, lease)
    isFresh = true
    // A lease of no time: this is for eyes, not for storage.
    guard lease.lifeSeconds > 0 else { return [erasure] }
    return write([head.piece] + pieces, kept: kept, .whole)
  }

  /// Keeps the time in mind, so that no clock set back lengthens the lease.
  mutating func remember(beside keys: [String], _ context: FlowContext) -> [Effect] {
    guard case .whole(var head, let lease) = state, head.seenAt < context.now else { return [] }
    head.seenAt = context.now
    state = .whole(head, lease)
    return write([head.piece], kept: head.parts + keys, .whole)
  }

  /// Writes pages of what is not whole yet, beside the copy that is.
  mutating func keepAside(_ pieces: [ShelfPiece], beside keys: [String]) -> [Effect] {
    let known = head.map { [ShelfHead.key] + $0.parts } ?? []
    return write(pieces, kept: known + keys, .aside)
  }

  /// Writes the copy again, under the key that is in force now.
  mutating func keepAnew(_ pieces: [ShelfPiece]) -> [Effect] {
    guard case .whole(let head, let lease) = state, lease.lifeSeconds > 0 else { return [] }
    return write([head.piece] + pieces, kept: [], .whole)
  }

  private mutating func write(
    _ pieces: [ShelfPiece], kept: [String], _ kind: Write
  ) -> [Effect] {
    guard let place else { return [] }
    underWay.append(kind)
    return [.shelf(.write(place, pieces: pieces, kept: kept))]
  }

  /// Which write storage has answered; the person hears once when there is no room.
  mutating func written(_ outcome: ShelfWriting) -> (write: Write, effects: [Effect]) {
    let write = underWay.isEmpty ? Write.whole : underWay.removeFirst()
    guard write == .whole else { return (write, []) }
    switch outcome {
    case .done:
      isUnkept = false
      return (write, [])
    case .full, .refused:
      let isNews = !isUnkept
      isUnkept = true
      return (write, isNews ? [.announce(.notice(.shelfNotKept))] : [])
    case .conflict, .closed: return (write, [])
    }
  }

  /// A name for a part that no other opening of the app makes, so that no window overwrites
  /// another's.
  mutating func nextKey(_ context: FlowContext) -> String {
    lastKey += 1
    return context.page + "-" + String(lastKey)
  }
}

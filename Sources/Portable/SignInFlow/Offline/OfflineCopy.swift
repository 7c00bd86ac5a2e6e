import SignInEngine
import SignInModel
import SignInWire

/// The offline copy of one list or of one answer: its owner, its age, and its lease.
///
///     opening ──no copy──▶ none ──complete──▶ whole
///        └──copy──▶ whole ──lease expires──▶ expired ──contact──▶ whole
///
/// The user of this type gives the records their meaning: the items of a list, or one answer.
struct OfflineCopy: Equatable, Sendable {
  private enum State: Equatable, Sendable {
    case opening
    case none
    case whole(OfflineCopyHead, OfflineLease)
  }

  /// What a write is for.
  ///
  /// Storage answers the writes in their order.
  enum Write: Equatable, Sendable {
    /// A complete copy, or a new head of it.
    case whole
    /// Pages of a sync that is not complete.
    case aside
  }

  /// The shortest time between two requests for a lease.
  static let renewalFloorSeconds: Int64 = 30

  let name: String
  /// Whether the copy is in memory only, because it could not be stored.
  private(set) var isMemoryOnly = false

  private var state = State.none
  private var place: OfflineCopyName?
  private var inProgress: [Write] = []
  private var lastKey: Int64 = 0
  /// Whether the copy came from the server in this run of the app.
  private var isFresh = false

  init(_ list: OfflineLease.List) { name = list.rawValue }

  // MARK: State

  /// Whether there is an owner, so that data can be stored.
  var isInUse: Bool { place != nil }

  var isOpening: Bool { state == .opening }

  var head: OfflineCopyHead? {
    if case .whole(let head, _) = state { head } else { nil }
  }

  /// Whether the organization allows that the copy is stored.
  var isStorable: Bool {
    if case .whole(_, let lease) = state { lease.lifeSeconds > 0 } else { false }
  }

  /// Whether the copy cannot be read until the server answers.
  ///
  /// If the server can be reached and has sent the copy in this run of the app, no lease is needed.
  func isSealed(at now: Instant, isServerReachable: Bool) -> Bool {
    guard case .whole(let head, let lease) = state, !(isFresh && isServerReachable) else {
      return false
    }
    let latest = head.seenAt < now ? now : head.seenAt
    return lease.expiresAt <= latest
  }

  /// Whether to request another lease: two thirds of this one have passed.
  func isDue(at now: Instant) -> Bool {
    guard case .whole(_, let lease) = state, lease.lifeSeconds > 0 else { return false }
    let seconds = max(Self.renewalFloorSeconds, lease.lifeSeconds / 3 * 2)
    return lease.issuedAt.adding(seconds: seconds) <= now
  }

  /// Reads a lease of this copy and this owner; `nil` for anything else.
  func lease(_ token: String) -> OfflineLease? {
    guard let place, let lease = OfflineLease(reading: token), lease.list == place.name,
      lease.account == place.owner.account, lease.client == place.owner.client,
      lease.organization == place.owner.organization
    else { return nil }
    return lease
  }

  // MARK: Opening

  mutating func open(_ context: FlowContext) -> [PageEffect] {
    guard let owner = context.copyOwner else { return [] }
    let place = OfflineCopyName(name: name, owner: owner)
    self.place = place
    state = .opening
    return [.engine(.offlineCopy(.read(place)))]
  }

  /// Adopts a stored copy if it is complete and belongs to this owner.
  ///
  /// Returns the parts that the head names, in the order of the head.
  mutating func take(_ pieces: [SealedRecord]) -> [SealedRecord]? {
    guard let piece = pieces.first(where: { $0.key == OfflineCopyHead.key }),
      let head = OfflineCopyHead(bytes: piece.bytes), let lease = lease(head.lease),
      let parts = Self.named(head.parts, in: pieces)
    else { return nil }
    state = .whole(head, lease)
    return parts
  }

  /// The records with these keys, in this order; `nil` if one is missing.
  static func named(_ keys: [String], in pieces: [SealedRecord]) -> [SealedRecord]? {
    var parts: [SealedRecord] = []
    for key in keys {
      guard let piece = pieces.first(where: { $0.key == key }) else { return nil }
      parts.append(piece)
    }
    return parts
  }

  /// Records that there is no copy, or none that can be used.
  mutating func setEmpty() { state = .none }

  var erasure: PageEffect { .engine(.offlineCopy(.erase(name: name))) }

  // MARK: Writing

  /// Replaces the last copy by a complete one; `kept` are the parts that storage already has.
  mutating func store(
    _ head: OfflineCopyHead, _ lease: OfflineLease, _ pieces: [SealedRecord], kept: [String]
  ) -> [PageEffect] {
    state = .whole(head, lease)
    isFresh = true
    // With a lease of zero seconds, the data may be shown, but not stored.
    guard lease.lifeSeconds > 0 else { return [erasure] }
    return write([head.piece] + pieces, kept: kept, .whole)
  }

  /// Stores the current time, so that setting the clock back extends no lease.
  mutating func remember(beside keys: [String], _ context: FlowContext) -> [PageEffect] {
    guard case .whole(var head, let lease) = state, head.seenAt < context.now else { return [] }
    head.seenAt = context.now
    state = .whole(head, lease)
    return write([head.piece], kept: head.parts + keys, .whole)
  }

  /// Writes pages of an incomplete sync beside the complete copy.
  mutating func storeBeside(_ pieces: [SealedRecord], beside keys: [String]) -> [PageEffect] {
    let known = head.map { [OfflineCopyHead.key] + $0.parts } ?? []
    return write(pieces, kept: known + keys, .aside)
  }

  /// Writes the copy again, under the current key.
  mutating func storeAgain(_ pieces: [SealedRecord]) -> [PageEffect] {
    guard case .whole(let head, let lease) = state, lease.lifeSeconds > 0 else { return [] }
    return write([head.piece] + pieces, kept: [], .whole)
  }

  private mutating func write(
    _ pieces: [SealedRecord], kept: [String], _ kind: Write
  ) -> [PageEffect] {
    guard let place else { return [] }
    inProgress.append(kind)
    return [.engine(.offlineCopy(.write(place, pieces: pieces, kept: kept)))]
  }

  /// Returns which write storage has answered.
  ///
  /// If there is no space, this announces it once.
  mutating func written(_ outcome: OfflineCopyWriting) -> (write: Write, effects: [PageEffect]) {
    let write = inProgress.isEmpty ? Write.whole : inProgress.removeFirst()
    guard write == .whole else { return (write, []) }
    switch outcome {
    case .done:
      isMemoryOnly = false
      return (write, [])
    case .full, .refused:
      let isNew = !isMemoryOnly
      isMemoryOnly = true
      return (write, isNew ? [.report(.notice(.copyNotStored))] : [])
    case .conflict, .closed: return (write, [])
    }
  }

  /// Makes a key for a part.
  ///
  /// No other run and no other tab of the app makes the same one, so that tabs do not overwrite
  /// each other's parts.
  mutating func nextKey(_ context: FlowContext) -> String {
    lastKey += 1
    return context.runName + "-" + String(lastKey)
  }
}

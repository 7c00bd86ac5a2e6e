public import JSONText
public import SignInModel
public import SignInWire

/// What an app opens with, read from the server whole each time.
public protocol HomeAnswer: Equatable, Sendable {
  static var path: String { get }
  /// Its shelf in leases and in storage.
  static var shelf: OfflineLease.Shelf { get }

  /// Nil when it is not as it must be.
  init?(json: JSON)
  var json: JSON { get }
  /// What whoever does not look at the screen hears of it.
  var announcement: Announcement { get }
}

/// An answer that is shown until a newer one is known, and kept for when there is no server to ask.
///
/// It is read at sign-in, on every return to the foreground and when the network is back (O-08).
public struct KeptAnswer<Value: HomeAnswer>: Equatable, Sendable {
  public private(set) var fetched = Fetched<Value>(Value.path)
  private var copy = KeptCopy(Value.shelf)
  /// Whether the person asked for it, and waits to hear what came of it.
  private var isWished = false
  /// The last time the person asked for newer data it could not be read (O-08).
  public private(set) var isRefreshFailed = false

  init() {}

  public var value: Value? { fetched.value }

  /// Whether storage has not said yet what it keeps.
  public var isOpening: Bool { copy.isOpening }

  /// Set when this copy lives only as long as the page.
  public var isUnkept: Bool { copy.isUnkept }

  /// Whether what is kept may no longer be read without seeing the server.
  public func isSealed(at now: Instant) -> Bool {
    copy.isSealed(at: now, isInSight: fetched.problem == nil)
  }

  mutating func open(_ context: inout FlowContext) -> [Effect] {
    fetched.load(&context)
    return copy.open(context)
  }

  /// Nil for what concerns something else.
  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect]? {
    switch event {
    case .home(.shelf(.read(let reading))): return read(reading, context)
    case .home(.shelf(.written(let outcome))): return copy.written(outcome).effects
    case .answered(let id, let answer) where fetched.isFor(id): return answered(answer, context)
    case .buttonPressed(.refresh) where fetched.loading == nil:
      isWished = true
      fetched.load(&context)
      return [.announce(.updatingJobs)]
    case .device(.shown):
      fetched.load(&context)
      return []
    case .networkReturned:
      fetched.networkReturned(&context)
      return []
    case .ticked:
      if fetched.problem == nil, copy.isDue(at: context.now) { fetched.load(&context) }
      return fetched.tick(&context)
    case .started, .storageRead, .fieldEdited, .buttonPressed, .passwordRevealToggled,
      .bannerDismissed, .verifierMade, .answered, .renewalClaimed, .sessionSaveRefused, .device,
      .home:
      return nil
    }
  }

  private mutating func answered(_ answer: Answer, _ context: FlowContext) -> [Effect] {
    let wasWished = isWished
    isWished = false
    guard let body = answer.success, let value = Value(json: body) else {
      return failed(answer, wasWished: wasWished, context)
    }
    isRefreshFailed = false
    let isNews = fetched.value != value || fetched.problem != nil || wasWished
    let announcements: [Effect] =
      fetched.wasShown && isNews ? [.announce(value.announcement)] : []
    fetched.adopt(value, context)
    return announcements + keep(value, body["lease"]?.text, context)
  }

  /// The last good copy stays, and only what the person asked for is said to have failed (O-08);
  /// that the server is out of reach is a state, and told as such (O-01).
  private mutating func failed(
    _ answer: Answer, wasWished: Bool, _ context: FlowContext
  ) -> [Effect] {
    let (hadCopy, wasOutOfReach) = (value != nil, fetched.isOutOfReach)
    let spoken = fetched.fail(answer, context)
    guard hadCopy else { return spoken }
    isRefreshFailed = isRefreshFailed || wasWished
    if fetched.isOutOfReach, !wasOutOfReach { return [.announce(.offlineMode)] }
    return wasWished ? [.announce(.refreshFailed)] : []
  }

  // MARK: The copy

  private mutating func read(_ reading: ShelfReading, _ context: FlowContext) -> [Effect] {
    // The server was quicker than storage.
    guard copy.isOpening else { return [] }
    copy.haveNone()
    switch reading {
    case .absent, .cannotTell: return []
    case .damaged: return [copy.erasure]
    case .value(let pieces):
      guard let parts = copy.take(pieces), parts.count == 1, let value = Self.read(parts[0]),
        let asOf = copy.head?.asOf
      else {
        copy.haveNone()
        return [copy.erasure]
      }
      fetched.recall(value, asOf: asOf)
      return copy.remember(beside: [], context)
    }
  }

  private static func read(_ piece: ShelfPiece) -> Value? {
    do throws(JSONMalformed) { return Value(json: try JSONReader.read(piece.bytes)) } catch {
      return nil
    }
  }

  private mutating func keep(
    _ value: Value, _ token: String?, _ context: FlowContext
  ) -> [Effect] {
    // Whatever storage has is older than this.
    if copy.isOpening { copy.haveNone() }
    guard let token, let lease = copy.lease(token), let asOf = fetched.asOf else { return [] }
    let piece = ShelfPiece(key: copy.nextKey(context), bytes: value.json.utf8)
    let head = ShelfHead(
      cursor: "", asOf: asOf, lease: token, seenAt: context.now, parts: [piece.key]
    )
    return copy.keep(head, lease, [piece], kept: [])
  }

  /// Changes what is known, which is no newer for that.
  mutating func amend(_ value: Value, _ context: FlowContext) -> [Effect] {
    fetched.amend(value)
    return keep(value, copy.head?.lease, context)
  }

  /// Writes the copy again, under the key that is in force now.
  mutating func keepAnew() -> [Effect] {
    guard let value, let key = copy.head?.parts.first else { return [] }
    return copy.keepAnew([ShelfPiece(key: key, bytes: value.json.utf8)])
  }
}

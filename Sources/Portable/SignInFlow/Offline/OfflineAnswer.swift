public import JSONText
public import SignInEngine
public import SignInModel
public import SignInWire

/// The data that a home screen shows, read from the server completely each time.
public protocol HomeAnswer: Equatable, Sendable {
  /// How the people of an app with this home sign in.
  associatedtype PasswordSignIn: PasswordSignInForm = TechnicianSignIn
  where PasswordSignIn.Page == PageEvent
  associatedtype PhoneSignIn: PhoneSignInForm = AbsentSignIn
  where PhoneSignIn.Page == PageEvent

  static var endpoint: Endpoint { get }
  /// The name of the data in leases and in storage.
  static var list: OfflineLease.List { get }

  /// `nil` if the JSON is malformed.
  init?(json: JSON)
  var json: JSON { get }
  /// What a screen reader says about it.
  var announcement: Announcement { get }
}

/// An answer that is shown until a newer one is known, and stored for use without a network.
///
/// It is read at sign-in, at each return to the foreground, and when the network changes (O-08).
public struct OfflineAnswer<Value: HomeAnswer>: EventHandler, Equatable, Sendable {
  public private(set) var fetched = FetchedValue<Value>(Value.endpoint)
  private var copy = OfflineCopy(Value.list)
  /// Whether the person requested the running read and waits for its result.
  private var isRequested = false
  /// Whether the last refresh that the person requested has failed (O-08).
  public private(set) var isRefreshFailed = false

  init() {}

  public var value: Value? { fetched.value }

  /// Whether storage has not answered yet.
  public var isOpening: Bool { copy.isOpening }

  /// Whether the copy is in memory only, because it could not be stored.
  public var isMemoryOnly: Bool { copy.isMemoryOnly }

  /// Whether the offline copy cannot be read until the server answers.
  public func isSealed(at now: Instant) -> Bool {
    copy.isSealed(at: now, isServerReachable: fetched.problem == nil)
  }

  mutating func open(_ context: inout FlowContext) -> [PageEffect] {
    fetched.load(&context)
    return copy.open(context)
  }

  mutating func handle(_ event: PageEvent, _ context: inout FlowContext) -> [PageEffect] {
    guard case .buttonPressed(.refresh) = event, fetched.loading == nil else { return [] }
    isRequested = true
    fetched.load(&context)
    return [.announce(.updatingJobs)]
  }

  mutating func handle(_ event: HomeEvent, _ context: inout FlowContext) -> [PageEffect] {
    switch event {
    case .offlineCopy(.read(let reading)): return read(reading, context)
    case .offlineCopy(.written(let outcome)): return copy.written(outcome).effects
    // Without a network it fails, so that the page says at once that its data is old.
    case .networkChanged: fetched.load(&context)
    case .itemPressed, .rowsShown, .placeOpened, .screenStateRead, .requestMade, .tokenAsked: break
    }
    return []
  }

  mutating func handle(_ event: DeviceEvent, _ context: inout FlowContext) -> [PageEffect] {
    switch event {
    case .shown: fetched.load(&context)
    case .networkReturned: fetched.networkReturned(&context)
    case .hidden, .used, .userActiveInOtherTab: break
    }
    return []
  }

  mutating func tick(_ context: inout FlowContext) -> [PageEffect] {
    if fetched.problem == nil, copy.isDue(at: context.now) { fetched.load(&context) }
    return fetched.tick(&context).inApp()
  }

  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
    fetched.isFor(id) ? answered(answer, context) : []
  }

  private mutating func answered(_ answer: Answer, _ context: FlowContext) -> [PageEffect] {
    let wasRequested = isRequested
    isRequested = false
    guard let body = answer.success, let value = Value(json: body) else {
      return failed(answer, wasRequested: wasRequested, context)
    }
    isRefreshFailed = false
    let hasChanged = fetched.value != value || fetched.problem != nil || wasRequested
    let announcements: [PageEffect] =
      fetched.wasShown && hasChanged ? [.announce(value.announcement)] : []
    fetched.adopt(value, context)
    return announcements + store(value, OfflineLease.token(in: body), context)
  }

  /// Keeps the last good copy.
  ///
  /// A failure is announced only if the person requested newer data (O-08).
  ///
  /// If the server cannot be reached, offline mode is announced instead, because that is a state
  /// (O-01).
  private mutating func failed(
    _ answer: Answer, wasRequested: Bool, _ context: FlowContext
  ) -> [PageEffect] {
    let (hadCopy, wasOutOfReach) = (value != nil, fetched.isOutOfReach)
    let spoken: [PageEffect] = fetched.fail(answer, context).inApp()
    guard hadCopy else { return spoken }
    isRefreshFailed = isRefreshFailed || wasRequested
    if fetched.isOutOfReach, !wasOutOfReach { return [.announce(.offlineMode)] }
    return wasRequested ? [.announce(.refreshFailed)] : []
  }

  // MARK: Offline copy

  private mutating func read(_ reading: OfflineCopyReading, _ context: FlowContext) -> [PageEffect]
  {
    // The server answered before storage did.
    guard copy.isOpening else { return [] }
    copy.setEmpty()
    switch reading {
    case .absent, .temporarilyUnreadable: return []
    case .damaged: return [copy.erasure]
    case .value(let pieces):
      guard let parts = copy.take(pieces), parts.count == 1, let value = Self.read(parts[0]),
        let asOf = copy.head?.asOf
      else {
        copy.setEmpty()
        return [copy.erasure]
      }
      fetched.restore(value, asOf: asOf)
      return copy.remember(beside: [], context)
    }
  }

  private static func read(_ piece: SealedRecord) -> Value? {
    do throws(JSONMalformed) { return Value(json: try JSONReader.read(piece.bytes)) } catch {
      return nil
    }
  }

  private mutating func store(
    _ value: Value, _ token: String?, _ context: FlowContext
  ) -> [PageEffect] {
    // The copy in storage is older than this answer.
    if copy.isOpening { copy.setEmpty() }
    guard let token, let lease = copy.lease(token), let asOf = fetched.asOf else { return [] }
    let piece = SealedRecord(key: copy.nextKey(context), bytes: value.json.utf8)
    let head = OfflineCopyHead(
      cursor: "", asOf: asOf, lease: token, seenAt: context.now, parts: [piece.key]
    )
    return copy.store(head, lease, [piece], kept: [])
  }

  /// Changes the value, but not its time.
  ///
  /// An older value that is being read does not replace it.
  mutating func amend(_ value: Value, _ context: inout FlowContext) -> [PageEffect] {
    fetched.restart(&context)
    fetched.amend(value)
    return store(value, copy.head?.lease, context)
  }

  /// Writes the copy again, under the current key.
  mutating func storeAgain() -> [PageEffect] {
    guard let value, let key = copy.head?.parts.first else { return [] }
    return copy.storeAgain([SealedRecord(key: key, bytes: value.json.utf8)])
  }
}

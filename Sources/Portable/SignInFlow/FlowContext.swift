import JSONText
public import SignInModel
import SignInWire

/// What every flow shares: the time, the requests under way, and where the focus goes.
public struct FlowContext: Equatable, Sendable {
  private struct CallUnderWay: Equatable, Sendable {
    let id: RequestID
    var call: Call
    var isRepeated: Bool
  }

  /// The server's time as best known.
  public private(set) var now = Instant(milliseconds: 0)
  public private(set) var focus: FocusRequest?
  public private(set) var reader = Reader()
  public private(set) var wallClock = WallClock()
  public private(set) var app = AppProfile.technician

  /// Whose things are shown, once somebody is signed in.
  private(set) var shelfOwner: ShelfOwner?
  /// Whether this device can prove who its owner is; nil until it has said.
  public private(set) var isLockPossible: Bool?

  /// Since when nobody is known to have been at this session, while nothing of the app can be seen.
  private(set) var hiddenAt: Presence.Sighting?

  /// The session that what is kept belongs to.
  private(set) var sessionName = ""

  /// A random name for this opening of the app.
  private(set) var page = ""

  /// The calling code that the server's configuration fills in; nil until it was told.
  private(set) var callingCode: String?
  private var isAboutAppAsked = false
  private var aboutApp: RequestID?

  /// The invitation whose link opened the app, until it is used.
  private(set) var invitation: Secret?

  /// The device's own clock, right or wrong.
  private var device = Instant(milliseconds: 0)
  /// A clock nobody can move, in milliseconds since the app was opened; nil where there is none.
  private var steady: Int64?
  /// How far the server's time is ahead of the steady clock, in milliseconds: an answer that was
  /// long on its way says less than is true, so the most is nearest.
  private var serverAheadOfSteady: Int64?
  private var before = Instant(milliseconds: 0)
  private var clock = ServerClock()
  private var underWay: [CallUnderWay] = []
  private var lastRequest: Int64 = 0
  private var asked: [Asked] = []

  /// A request nobody has sent yet, and the number its answer will have.
  struct Asked: Equatable, Sendable {
    let id: RequestID
    let apiRequest: APIRequest
  }

  init() {}

  mutating func arrive(at device: Instant, steady: Int64? = nil) {
    before = now
    self.device = device
    self.steady = steady
    now = clock.now(at: device)
  }

  mutating func stand(_ app: AppProfile, page: String) {
    self.app = app
    self.page = page
  }

  mutating func meet(_ reader: Reader, _ wallClock: WallClock) {
    self.reader = reader
    self.wallClock = wallClock
  }

  mutating func speak(_ language: Language) { reader.choose(language) }

  mutating func serve(_ owner: ShelfOwner?) { shelfOwner = owner }

  var sighting: Presence.Sighting {
    Presence.Sighting(
      device: device, server: anchored ?? now, steady: steady, isTold: isTimeLearned)
  }

  /// The server's time by a clock that nobody can move, once it was told since the app was opened.
  private var anchored: Instant? {
    guard let steady, let serverAheadOfSteady else { return nil }
    return Instant(milliseconds: steady + serverAheadOfSteady)
  }

  /// Whether the server itself has told the time since the app was opened, and no device has had
  /// a hand in it since.
  var isTimeLearned: Bool { steady == nil ? clock.isLearned : anchored != nil }

  /// Starts from the time an earlier run of the app has learned.
  mutating func recall(_ presence: Presence) {
    guard let ahead = presence.serverAheadMilliseconds else { return }
    clock.recall(offsetMilliseconds: ahead)
    now = clock.now(at: device)
  }

  /// Whether the moment lies between the last event and this one.
  func hasJustPassed(_ moment: Instant) -> Bool { before < moment && moment <= now }

  mutating func moveFocus(to target: FocusTarget) {
    focus = FocusRequest(target: target, serial: (focus?.serial ?? 0) + 1)
  }

  /// Whether nothing of the app can be seen now, in whatever stage it is.
  var isHidden: Bool { hiddenAt != nil }

  mutating func watch(_ event: DeviceEvent) {
    switch event {
    case .hidden: hiddenAt = hiddenAt ?? sighting
    case .shown: hiddenAt = nil
    case .usedElsewhere: hideAnew()
    case .invited(let invitation): self.invitation = invitation
    default: break
    }
  }

  mutating func forgetInvitation() { invitation = nil }

  /// Somebody was there just now, though not in sight of this window.
  mutating func hideAnew() { if isHidden { hiddenAt = sighting } }

  mutating func name(session: String) { sessionName = session }

  mutating func learnLock(isPossible: Bool) { isLockPossible = isPossible }

  // MARK: Requests

  mutating func start(_ call: Call) -> (id: RequestID, effect: Effect) {
    let id = nextRequest()
    return (id, start(call, as: id))
  }

  mutating func start(_ call: Call, as id: RequestID) -> Effect {
    var call = call
    call.issuedAt = now.seconds
    underWay.append(CallUnderWay(id: id, call: call, isRepeated: false))
    return .call(id, call)
  }

  /// The first call of a way in; the credentials are what one app differs from another in.
  ///
  /// `challenge` is the S256 of a verifier only this device knows (RFC 7636, section 4.3).
  mutating func startSignIn(
    challenge: String, _ credentials: [Form.Field]
  ) -> (id: RequestID, effect: Effect) {
    let fields: [Form.Field] = [
      .init("response_type", "code"),
      .init("client_id", app.clientID),
      .init("scope", app.scope),
      .init("code_challenge", challenge),
      .init("code_challenge_method", "S256"),
      .init("ui_locales", reader.uiLocales),
    ]
    return start(.post(Endpoint.challenge, Form(fields + credentials), .proof))
  }

  /// Asks once what the server tells everyone about this app.
  mutating func askAboutApp() -> [Effect] {
    guard !isAboutAppAsked else { return [] }
    isAboutAppAsked = true
    let path = Endpoint.app(app.clientID)
    let (id, effect) = start(.probe(path, seconds: APIRequest.usualTimeoutSeconds))
    aboutApp = id
    return [effect]
  }

  /// Whether this was the answer to `askAboutApp`; without a network what is known stays.
  mutating func takeAboutApp(_ id: RequestID, _ answer: Answer) -> Bool {
    guard id == aboutApp else { return false }
    aboutApp = nil
    if let code = answer.success?["default_country"]?.text { callingCode = code }
    return true
  }

  private mutating func nextRequest() -> RequestID {
    lastRequest += 1
    return RequestID(lastRequest)
  }

  // MARK: Requests

  /// Asks for something in the name of whoever is signed in; the session sends it.
  mutating func ask(_ apiRequest: APIRequest) -> RequestID {
    let id = nextRequest()
    asked.append(Asked(id: id, apiRequest: apiRequest))
    return id
  }

  mutating func takeAsked() -> [Asked] {
    defer { asked = [] }
    return asked
  }

  /// A key no other request of this app has, or will have after it was opened again.
  mutating func makeIdempotencyKey() -> String {
    page + "-" + String(now.milliseconds) + "-" + String(nextRequest().number)
  }

  /// What to do with an answer: nobody waits for it, or it must be asked again, or it counts.
  enum Arrival { case late, repeated(Effect), counts }

  /// Takes the server's time from the answer.
  ///
  /// A proof refused once is made again with the time just learnt: only the device's clock was
  /// wrong (RFC 9449, section 11.1).
  mutating func receive(_ id: RequestID, _ answer: Answer, at device: Instant) -> Arrival {
    guard let index = underWay.firstIndex(where: { $0.id == id }) else { return .late }
    var waiting = underWay.remove(at: index)
    if case .received(_, _, let serverSeconds?) = answer {
      clock.learn(serverSeconds: serverSeconds, at: device)
      now = clock.now(at: device)
      if let steady {
        let ahead = Instant(seconds: serverSeconds).milliseconds - steady
        if ahead > serverAheadOfSteady ?? .min { serverAheadOfSteady = ahead }
      }
    }
    guard answer.refusal == .invalidProof, !waiting.isRepeated else { return .counts }
    waiting.isRepeated = true
    waiting.call.issuedAt = now.seconds
    underWay.append(waiting)
    return .repeated(.call(id, waiting.call))
  }

  /// Nobody waits for this answer any more.
  mutating func forget(_ id: RequestID) {
    underWay.removeAll { $0.id == id }
    asked.removeAll { $0.id == id }
  }

  /// Whatever is still under way belongs to the past: its answers will be late.
  ///
  /// Only a farewell goes on, for it belongs to nobody who is signed in.
  mutating func forgetCalls() {
    underWay.removeAll { $0.call.path != Endpoint.revoke }
    asked = []
  }
}

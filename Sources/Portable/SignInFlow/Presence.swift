import JSONText
import SignInModel

/// When the person was last seen, on every clock there is (L-31).
///
/// A device's clock can be moved, and a steady one stops with the app. So what the device's clock
/// says may lock the app, which the person can undo; only what no device can alter, the steady
/// clock and the server's, ends a session.
struct Presence: Equatable, Sendable {
  /// What is stored is at most this old, so that a killed app loses no more.
  static let storeSeconds: Int64 = 15
  /// Clocks that are set right by this much have not been moved.
  static let toleranceMilliseconds: Int64 = 2000

  /// A steady clock that lags behind the server by more has stopped, as when a machine sleeps;
  /// by less, an answer may only have been long on its way.
  static let sleepMilliseconds: Int64 = 60_000

  /// One moment, on three clocks.
  struct Sighting: Equatable, Sendable {
    let device: Instant
    let server: Instant
    let steady: Int64?
    /// Whether the server has told its time, or it was only worked out from the device's.
    let isTold: Bool
  }

  /// How much time has passed.
  struct Elapsed: Equatable, Sendable {
    /// As long as any clock says; the longest there is when the device's clock was put back.
    let suspectedMilliseconds: Int64
    /// As long as the clocks say that nobody on the device can move.
    let certainMilliseconds: Int64

    func isSuspected(seconds: Int64) -> Bool { suspectedMilliseconds >= seconds * 1000 }
    func isCertain(seconds: Int64) -> Bool { certainMilliseconds >= seconds * 1000 }
  }

  /// Whose session it was stored beside; nil in what earlier versions have stored.
  private var session: SessionID?
  /// When the app could last be seen; nil when nobody knows.
  private(set) var shown: Sighting?
  /// When the person last did something; nil when nobody knows.
  private(set) var used: Sighting?
  private(set) var isHidden = false
  /// Since when it is out of sight, if it was opened so: this app's own clock tells it, where what
  /// was stored before may not.
  private var hiddenAt: Sighting?
  private var storedAt: Sighting?

  init(_ context: FlowContext) {
    shown = context.sighting
    used = context.sighting
  }

  private init() {}

  /// Nothing tells when the person was last seen.
  static let unknown = Presence()

  func sinceShown(_ context: FlowContext) -> Elapsed {
    let stored = Self.elapsed(from: shown, context)
    guard let hiddenAt else { return stored }
    // Another window may have been in sight: the server, or nobody, is certain of more.
    let suspected = Self.elapsed(from: hiddenAt, context).suspectedMilliseconds
    return Elapsed(
      suspectedMilliseconds: max(stored.suspectedMilliseconds, suspected),
      certainMilliseconds: stored.certainMilliseconds
    )
  }

  func sinceUsed(_ context: FlowContext) -> Elapsed { Self.elapsed(from: used, context) }

  static func elapsed(from past: Sighting?, _ context: FlowContext) -> Elapsed {
    guard let past else { return Elapsed(suspectedMilliseconds: .max, certainMilliseconds: 0) }
    let here = context.sighting
    var certain: Int64 = 0
    let server = here.server.milliseconds - past.server.milliseconds
    let isTold = past.isTold && here.isTold
    if let before = past.steady, let now = here.steady {
      certain = now - before
      // Either alone may be wrong, by a clock that was set or an answer that was late.
      let device = here.device.milliseconds - past.device.milliseconds
      let slept = (device < server ? device : server) - sleepMilliseconds
      if isTold, slept > certain { certain = slept }
    } else if isTold, server > 0 {
      certain = server
    }
    let device = here.device.milliseconds - past.device.milliseconds
    if device < -toleranceMilliseconds {
      return Elapsed(suspectedMilliseconds: .max, certainMilliseconds: certain)
    }
    var suspected = certain
    if device > suspected { suspected = device }
    if server > suspected { suspected = server }
    return Elapsed(suspectedMilliseconds: suspected, certainMilliseconds: certain)
  }

  // MARK: Seen

  /// The app is out of sight from now on, if it was not before.
  mutating func hide(_ context: FlowContext) {
    if !isHidden { show(context) }
    isHidden = true
  }

  /// It was in sight until then, told by the server's time as it is known now.
  mutating func see(at moment: Sighting, _ context: FlowContext) {
    let here = context.sighting
    guard !moment.isTold, here.isTold, let before = moment.steady, let now = here.steady else {
      shown = moment
      return
    }
    let device = here.device.milliseconds - moment.device.milliseconds
    shown = Sighting(
      device: moment.device, server: here.server.adding(milliseconds: -max(now - before, device)),
      steady: before, isTold: true
    )
  }

  /// It is opened out of sight, where it has been since then.
  mutating func beginHidden(since moment: Sighting) {
    isHidden = true
    hiddenAt = moment
  }

  /// The app is in sight at this moment.
  mutating func show(_ context: FlowContext) {
    isHidden = false
    hiddenAt = nil
    shown = context.sighting
  }

  mutating func use(_ context: FlowContext) {
    used = context.sighting
    show(context)
  }

  /// What is to be stored now beside this session, if anything.
  mutating func store(
    _ context: FlowContext, of session: SessionID, force: Bool = false
  ) -> [Effect] {
    guard let shown, let used else { return [] }
    let here = context.sighting
    if !force, let last = storedAt {
      let passed = here.device.milliseconds - last.device.milliseconds
      if passed >= 0, passed < Self.storeSeconds * 1000 { return [] }
    }
    storedAt = here
    let json = JSON.members([
      JSONMember("version", Self.version), JSONMember("session", session.text),
      JSONMember("shown", shown.json), JSONMember("used", used.json),
    ])
    return [.keepSeen(Secret(String(decoding: json.utf8, as: UTF8.self)))]
  }

  /// The person is there, in another window of this app.
  mutating func useElsewhere(_ context: FlowContext) {
    used = context.sighting
    shown = context.sighting
    hiddenAt = nil
  }

  // MARK: Another's session

  /// Nobody knows when the person of the session that took this one's place was last seen.
  mutating func forget() {
    shown = nil
    forgetUse()
  }

  mutating func forgetUse() { used = nil }

  var isKnown: Bool { shown != nil && used != nil }

  /// The same, if it is about this session: one that storage would not part with may have been
  /// left there while somebody was at work in another.
  func known(of session: SessionID) -> Presence {
    var presence = self
    if let own = self.session, own != session { presence.forget() }
    return presence
  }

  /// Takes what another window has stored of this session, where that is later than what is known
  /// here.
  mutating func learn(_ stored: Presence?, of session: SessionID, _ context: FlowContext) {
    guard let stored, stored.session == session else { return }
    shown = Self.later(shown, stored.shown, context)
    used = Self.later(used, stored.used, context)
  }

  private static func later(
    _ own: Sighting?, _ other: Sighting?, _ context: FlowContext
  ) -> Sighting? {
    let (here, there) = (elapsed(from: own, context), elapsed(from: other, context))
    return there.suspectedMilliseconds < here.suspectedMilliseconds ? other : own
  }

  // MARK: Stored

  static let version: Int64 = 1

  /// What an earlier run of the app has left; nil when there is nothing, or it is damaged.
  init?(text: String?) {
    guard let text, let json = SessionRecord.parse(text), json["version"]?.count == Self.version,
      let shown = Sighting(json: json["shown"]), let used = Sighting(json: json["used"])
    else { return nil }
    session = json["session"]?.text.map { SessionID($0) }
    self.shown = shown
    self.used = used
  }

  /// How far the server's clock was ahead of the device's.
  var serverAheadMilliseconds: Int64? {
    shown.map { $0.server.milliseconds - $0.device.milliseconds }
  }
}

extension Presence.Sighting {
  var json: JSON {
    .members([
      JSONMember("device", device.milliseconds), JSONMember("server", server.milliseconds),
      JSONMember("told", isTold),
    ])
  }

  init?(json: JSON?) {
    guard let device = json?["device"]?.unixMilliseconds,
      let server = json?["server"]?.unixMilliseconds
    else { return nil }
    self.device = Instant(milliseconds: device)
    self.server = Instant(milliseconds: server)
    steady = nil
    // Earlier versions did not say; what they wrote was nearly always told.
    isTold = json?["told"]?.flag ?? true
  }
}

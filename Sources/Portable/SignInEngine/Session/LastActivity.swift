import JSONText
import SignInModel

/// When the app was last visible and last used, on three clocks (L-31).
///
/// A person can set the device's clock, and the monotonic clock stops with the app. So the device's
/// clock can only lock the app, which the person can undo. Only the monotonic clock and the
/// server's time end a session, because they cannot be set on the device.
struct LastActivity: Equatable, Sendable {
  /// The longest time between two writes, in seconds.
  ///
  /// A killed app loses no more than this.
  static let storeSeconds: Int64 = 15
  /// The largest backward step of the device's clock that counts as an automatic correction.
  static let toleranceMilliseconds: Int64 = 2000

  /// If the monotonic clock is behind the server by more than this, it has stopped, as when a
  /// machine sleeps.
  ///
  /// A smaller difference may come from a slow answer.
  static let sleepMilliseconds: Int64 = 60_000

  /// One moment on three clocks.
  struct ClockReadings: Equatable, Sendable {
    let device: Instant
    let server: Instant
    let steady: Int64?
    /// Whether the server has sent its time; otherwise `server` is an estimate from the device's
    /// clock.
    let isTimeLearned: Bool
  }

  /// How much time has passed.
  struct Elapsed: Equatable, Sendable {
    /// The longest time that a clock shows; `Int64.max` if the device's clock was set back or the
    /// earlier time is not known.
    let suspectedMilliseconds: Int64
    /// The time by the clocks that cannot be set on the device.
    let certainMilliseconds: Int64

    func isSuspected(seconds: Int64) -> Bool { suspectedMilliseconds >= seconds * 1000 }
    func isCertain(seconds: Int64) -> Bool { certainMilliseconds >= seconds * 1000 }
  }

  /// The session that the times were stored for; `nil` if an earlier version stored them, or if
  /// they were not read from storage.
  private var session: SessionID?
  /// When the app was last visible; `nil` if it is not known.
  private(set) var shown: ClockReadings?
  /// Whether `shown` was read from storage.
  ///
  /// Another tab may have stored a later time since.
  private(set) var isShownStored = false
  /// When the person last did something; `nil` if it is not known.
  private(set) var used: ClockReadings?
  private var storedAt: ClockReadings?

  init(_ context: FlowContext) {
    shown = context.clockReadings
    used = context.clockReadings
  }

  private init() {}

  /// It is not known when the person last used the app.
  static let unknown = LastActivity()

  func sinceShown(_ context: FlowContext) -> Elapsed { Self.elapsed(from: shown, context) }

  /// How long the person was away from an open app.
  ///
  /// An app that was opened in the background has only a stored time, without one on the monotonic
  /// clock. Another tab may have been visible since. So the time since the app is hidden is only
  /// suspected.
  func away(_ context: FlowContext) -> Elapsed {
    let stored = sinceShown(context)
    guard let hiddenAt = context.time.visibility.hiddenAt else { return stored }
    let suspected = Self.elapsed(from: hiddenAt, context).suspectedMilliseconds
    return Elapsed(
      suspectedMilliseconds: max(stored.suspectedMilliseconds, suspected),
      certainMilliseconds: stored.certainMilliseconds
    )
  }

  func sinceUsed(_ context: FlowContext) -> Elapsed { Self.elapsed(from: used, context) }

  static func elapsed(from past: ClockReadings?, _ context: FlowContext) -> Elapsed {
    guard let past else { return Elapsed(suspectedMilliseconds: .max, certainMilliseconds: 0) }
    let here = context.clockReadings
    var certain: Int64 = 0
    let server = here.server.milliseconds - past.server.milliseconds
    let isTimeLearned = past.isTimeLearned && here.isTimeLearned
    if let before = past.steady, let now = here.steady {
      certain = now - before
      // One of the two may be too long, because a clock was set or an answer was slow. So the
      // shorter one counts.
      let device = here.device.milliseconds - past.device.milliseconds
      let slept = (device < server ? device : server) - sleepMilliseconds
      if isTimeLearned, slept > certain { certain = slept }
    } else if isTimeLearned, server > 0 {
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

  // MARK: Visibility and use

  /// Records that the app was visible until now, if it was hidden just now.
  mutating func hide(_ context: FlowContext) {
    if context.time.visibility.hiddenAt == context.clockReadings { show(context) }
  }

  /// Records that the app was visible until `moment`, unless another tab was visible later.
  mutating func see(at moment: ClockReadings, _ context: FlowContext) {
    let corrected = Self.corrected(moment, context)
    guard Self.isLater(corrected, than: shown, context) else { return }
    (shown, isShownStored) = (corrected, false)
  }

  /// The moment in the server's time as known now.
  ///
  /// If the device's clock shows a much longer time than the monotonic clock, the device slept or
  /// its clock was set. The clocks cannot distinguish the two cases. So the server's time of
  /// `moment` stays an estimate, and the absence is only suspected.
  private static func corrected(_ moment: ClockReadings, _ context: FlowContext) -> ClockReadings {
    let here = context.clockReadings
    guard !moment.isTimeLearned, here.isTimeLearned, let before = moment.steady,
      let now = here.steady
    else { return moment }
    let passed = now - before
    let device = here.device.milliseconds - moment.device.milliseconds
    return ClockReadings(
      device: moment.device, server: here.server.adding(milliseconds: -max(passed, device)),
      steady: before, isTimeLearned: device <= passed + Self.sleepMilliseconds
    )
  }

  /// Records that the app is visible at this moment.
  mutating func show(_ context: FlowContext) {
    (shown, isShownStored) = (context.clockReadings, false)
  }

  mutating func use(_ context: FlowContext) {
    used = context.clockReadings
    show(context)
  }

  /// Stores the times beside this session, if they must be stored now.
  mutating func store(
    _ context: FlowContext, of session: SessionID, force: Bool = false
  ) -> [Effect] {
    guard let shown, let used else { return [] }
    let here = context.clockReadings
    if !force, let last = storedAt {
      let passed = here.device.milliseconds - last.device.milliseconds
      if passed >= 0, passed < Self.storeSeconds * 1000 { return [] }
    }
    storedAt = here
    let json = JSON.members([
      JSONMember("version", Self.version), JSONMember("session", session.text),
      JSONMember("shown", shown.json), JSONMember("used", used.json),
    ])
    return [.saveLastSeen(Secret(json))]
  }

  // MARK: Other sessions

  /// Clears the times, because another session replaced this one and its last use is not known.
  mutating func forget() {
    shown = nil
    forgetUse()
  }

  mutating func forgetUse() { used = nil }

  var isKnown: Bool { shown != nil && used != nil }

  /// The same times if they belong to this session, otherwise unknown times.
  ///
  /// Storage may return an old session that it failed to delete, beside the times of a newer one.
  func known(of session: SessionID) -> LastActivity {
    var lastActivity = self
    if let own = self.session, own != session { lastActivity.forget() }
    return lastActivity
  }

  /// Adopts the times that another tab stored for this session, if they are later.
  mutating func learn(_ stored: LastActivity?, of session: SessionID, _ context: FlowContext) {
    guard let stored, stored.session == session else { return }
    if Self.isLater(stored.shown, than: shown, context) {
      (shown, isShownStored) = (stored.shown, true)
    }
    if Self.isLater(stored.used, than: used, context) { used = stored.used }
  }

  private static func isLater(
    _ other: ClockReadings?, than own: ClockReadings?, _ context: FlowContext
  ) -> Bool {
    let (here, there) = (elapsed(from: own, context), elapsed(from: other, context))
    return there.suspectedMilliseconds < here.suspectedMilliseconds
  }

  // MARK: Storage

  static let version: Int64 = 1

  /// Reads what an earlier run of the app stored; `nil` if there is nothing, or if it is damaged.
  init?(text: Secret?) {
    guard let text, let json = JSON(storedText: text), json.count("version") == Self.version,
      let shown = ClockReadings(json: json["shown"]), let used = ClockReadings(json: json["used"])
    else { return nil }
    session = json.text("session").map { SessionID($0) }
    self.shown = shown
    isShownStored = true
    self.used = used
  }

  /// How far the server's clock was ahead of the device's clock, in milliseconds.
  var serverAheadMilliseconds: Int64? {
    shown.map { $0.server.milliseconds - $0.device.milliseconds }
  }
}

extension LastActivity.ClockReadings {
  var json: JSON {
    .members([
      JSONMember("device", device.milliseconds), JSONMember("server", server.milliseconds),
      JSONMember("told", isTimeLearned),
    ])
  }

  init?(json: JSON?) {
    guard let device = json?.unixMilliseconds("device"),
      let server = json?.unixMilliseconds("server")
    else { return nil }
    self.device = Instant(milliseconds: device)
    self.server = Instant(milliseconds: server)
    steady = nil
    // Earlier versions did not store this. Their times almost always came from the server.
    isTimeLearned = json?.flag("told") ?? true
  }
}

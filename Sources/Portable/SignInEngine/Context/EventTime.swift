import SignInModel

/// The time of the current event, on the clocks of the device and as the server sees it.
struct EventTime: Equatable, Sendable {
  /// The best estimate of the server's time.
  private(set) var now = Instant(milliseconds: 0)
  /// The device's own clock, which may be wrong.
  private var device = Instant(milliseconds: 0)
  /// A monotonic clock in milliseconds, which a person cannot set; `nil` if the platform has none.
  private var steady: Int64?
  /// How far the server's time is ahead of the monotonic clock, in milliseconds.
  ///
  /// A slow answer makes this value too small, so the largest value is the best one.
  private var serverAheadOfSteady: Int64?
  /// The time of the event before.
  private var before = Instant(milliseconds: 0)
  private var clock = ServerClock()

  mutating func set(at device: Instant, steady: Int64?) {
    before = now
    self.device = device
    self.steady = steady
    now = clock.now(at: device)
  }

  /// Starts with the time difference that an earlier run of the app learned.
  mutating func restore(aheadMilliseconds: Int64) {
    clock.restore(offsetMilliseconds: aheadMilliseconds)
    now = clock.now(at: device)
  }

  /// Learns the server's time from the `Date` of its answer.
  mutating func learn(serverSeconds: Int64) {
    clock.learn(serverSeconds: serverSeconds, at: device)
    now = clock.now(at: device)
    guard let steady else { return }
    let ahead = Instant(seconds: serverSeconds).milliseconds - steady
    if ahead > serverAheadOfSteady ?? .min { serverAheadOfSteady = ahead }
  }

  var readings: LastActivity.ClockReadings {
    LastActivity.ClockReadings(
      device: device, server: serverTimeFromMonotonicClock ?? now, steady: steady,
      isTimeLearned: isLearned)
  }

  /// The server's time by the monotonic clock; `nil` until the server has sent its time in this
  /// run.
  private var serverTimeFromMonotonicClock: Instant? {
    guard let steady, let serverAheadOfSteady else { return nil }
    return Instant(milliseconds: steady + serverAheadOfSteady)
  }

  /// Whether the server has sent its time in this run of the app.
  ///
  /// If there is a monotonic clock, changes of the device's clock since then have no influence.
  private var isLearned: Bool {
    steady == nil ? clock.isLearned : serverTimeFromMonotonicClock != nil
  }

  /// How far the server's time is ahead of the device's clock, as known now.
  var serverAheadMilliseconds: Int64 { now.milliseconds - device.milliseconds }

  /// Whether the moment is after the last event, and not after this one.
  func hasJustPassed(_ moment: Instant) -> Bool { before < moment && moment <= now }
}

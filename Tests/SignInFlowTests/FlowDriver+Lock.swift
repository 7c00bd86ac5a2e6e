import EngineTesting
import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

/// Steps to a locked app, and to an app that confirms its session with the server.
extension AppDriver {
  static var card: String {
    "{\"version\":1,\"name\":\"Tess Technician\",\"organization\":\"north\"}"
  }

  var lock: AppLock? {
    if case .locked(let lock) = flow.stage { lock } else { nil }
  }

  var confirming: SessionConfirmation? {
    if case .confirming(let confirming) = flow.stage { confirming } else { nil }
  }

  var seen: String? {
    for effect in effects.reversed() {
      if case .saveLastSeen(let text) = effect { return text.revealed }
    }
    return nil
  }

  static func appLocked() -> Self {
    var driver = opened()
    driver.handle(.storage(.read(.locked(card: Secret(card)))))
    return driver
  }

  static func unlocking() -> Self {
    var driver = appLocked()
    driver.press(.unlock)
    return driver
  }

  /// Signed in with a lock, while the steady clock runs.
  static func unlocked() -> Self {
    var driver = unlocking()
    driver.steady = 0
    driver.handle(.session(.unlocked(.value(stored(1, expiresIn: 3600)))))
    driver.answerJobs()
    return driver
  }

  /// Signed in to an organization that requires a lock, on a device without one.
  static func withoutLock() -> Self {
    var driver = opened()
    driver.steady = 0
    driver.handle(.storage(.read(.value(stored(1, expiresIn: 3600, unlock: "biometric")))))
    driver.answerJobs()
    return driver
  }

  /// Opened again: 400 seconds later by the device's clock, at once by the monotonic clock.
  static func confirming() -> Self {
    var before = withoutLock()
    before.handle(.device(.hidden))
    let seen = before.seen
    var driver = Self()
    driver.time = startTime.adding(seconds: 400)
    driver.steady = 0
    driver.handle(.started(utcOffsetSeconds: 0))
    let stored = stored(1, expiresIn: 3600, unlock: "biometric")
    driver.handle(.storage(.read(.value(stored), seen: seen)))
    return driver
  }

  /// Signed in, and about to confirm the prompt of a new lock.
  static func settingLock() -> Self {
    var driver = atJobs()
    driver.handle(.session(.lockSupportChecked(true)))
    driver.press(.setLock)
    return driver
  }

  mutating func hide() { handle(.device(.hidden)) }

  mutating func show() { handle(.device(.shown)) }
}

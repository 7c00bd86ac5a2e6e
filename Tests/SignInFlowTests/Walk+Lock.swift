import SignInFlow
import SignInModel
import SignInWire

/// Steps to a locked app, and to an app that confirms its session with the server.
extension Walk {
  static let card = "{\"version\":1,\"name\":\"Tess Technician\",\"organization\":\"north\"}"

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

  static func appLocked() -> Walk {
    var walk = opened()
    walk.happen(.storageRead(.locked(card: card)))
    return walk
  }

  static func unlocking() -> Walk {
    var walk = appLocked()
    walk.press(.unlock)
    return walk
  }

  /// Signed in with a lock, while the steady clock runs.
  static func unlocked() -> Walk {
    var walk = unlocking()
    walk.steady = 0
    walk.happen(.device(.unlocked(.value(stored(1, expiresIn: 3600)))))
    walk.answerJobs()
    return walk
  }

  /// Signed in to an organization that requires a lock, on a device without one.
  static func withoutLock() -> Walk {
    var walk = opened()
    walk.steady = 0
    walk.happen(.storageRead(.value(stored(1, expiresIn: 3600, unlock: "biometric"))))
    walk.answerJobs()
    return walk
  }

  /// Opened again: 400 seconds later by the device's clock, at once by the monotonic clock.
  static func confirming() -> Walk {
    var before = withoutLock()
    before.happen(.device(.hidden))
    let seen = before.seen
    var walk = Walk()
    walk.time = noon.adding(seconds: 400)
    walk.steady = 0
    walk.happen(.started(utcOffsetSeconds: 0))
    let stored = stored(1, expiresIn: 3600, unlock: "biometric")
    walk.happen(.storageRead(.value(stored), seen: seen))
    return walk
  }

  /// Signed in, and about to confirm the prompt of a new lock.
  static func settingLock() -> Walk {
    var walk = atJobs()
    walk.happen(.device(.lockSupportChecked(true)))
    walk.press(.setLock)
    return walk
  }

  mutating func hide() { happen(.device(.hidden)) }

  mutating func show() { happen(.device(.shown)) }
}

import SignInFlow
import SignInModel
import SignInWire

/// Ways to a locked app, and to one that asks the server whether its session stands.
extension Walk {
  static let card = "{\"version\":1,\"name\":\"Tess Technician\",\"organization\":\"north\"}"

  var lock: AppLock? {
    if case .locked(let lock) = flow.stage { lock } else { nil }
  }

  var confirming: Confirming? {
    if case .confirming(let confirming) = flow.stage { confirming } else { nil }
  }

  var seen: String? {
    for effect in effects.reversed() {
      if case .keepSeen(let text) = effect { return text.revealed }
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

  /// Signed in with a lock, the steady clock running.
  static func unlocked() -> Walk {
    var walk = unlocking()
    walk.steady = 0
    walk.happen(.device(.unlocked(.value(stored(1, expiresIn: 3600)))))
    walk.answerJobs()
    return walk
  }

  /// Signed in where the organization asks for a lock, on a device that has none.
  static func withoutLock() -> Walk {
    var walk = opened()
    walk.steady = 0
    walk.happen(.storageRead(.value(stored(1, expiresIn: 3600, unlock: "biometric"))))
    walk.answerJobs()
    return walk
  }

  /// Opened again after an hour and a day by the device's clock.
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

  /// Signed in, and answering the prompt of a new lock.
  static func settingLock() -> Walk {
    var walk = atJobs()
    walk.happen(.device(.lockPossible(true)))
    walk.press(.setLock)
    return walk
  }

  mutating func hide() { happen(.device(.hidden)) }

  mutating func show() { happen(.device(.shown)) }
}

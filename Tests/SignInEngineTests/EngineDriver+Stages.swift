import EngineTesting
import JSONText
import SignInEngine
import SignInModel
import Testing

@testable import SignInWire

/// Drivers whose app is in a stage that a test begins with.
extension EngineDriver {
  static func opened(_ app: AppProfile = app) -> Self {
    var driver = Self()
    driver.handle(.started(utcOffsetSeconds: 3600, app: app))
    return driver
  }

  /// The app was opened, and storage contains this.
  static func opened(_ reading: StorageReading) -> Self {
    var driver = opened()
    driver.handle(.storage(.read(reading)))
    return driver
  }

  static func signedOut(_ app: AppProfile = app) -> Self {
    var driver = opened(app)
    driver.handle(.storage(.read(.absent)))
    return driver
  }

  static func submitting() -> Self {
    var driver = signedOut()
    driver.signIn()
    return driver
  }

  static func atCode() -> Self {
    var driver = submitting()
    driver.sendCode()
    return driver
  }

  static func checking() -> Self {
    var driver = atCode()
    driver.submit(code: "123456")
    return driver
  }

  static func resending() -> Self {
    var driver = atCode()
    driver.pass(seconds: 60)
    driver.resend()
    return driver
  }

  static func redeeming() -> Self {
    var driver = checking()
    driver.answer(200, .members([JSONMember("authorization_code", "code-1")]))
    return driver
  }

  static func signedIn() -> Self {
    var driver = redeeming()
    driver.answer(200, tokens(1, expiresIn: 300).json)
    return driver
  }

  /// Signed in, and the first requests were answered.
  static func active() -> Self {
    var driver = signedIn()
    driver.answerRequests()
    return driver
  }

  // MARK: The app lock

  static var card: String {
    #"{"version":1,"name":"Tess Technician","organization":"north"}"#
  }

  static func appLocked() -> Self { opened(.locked(card: Secret(card))) }

  static func unlocking() -> Self {
    var driver = appLocked()
    driver.unlock()
    return driver
  }

  /// Signed in with a lock, while the steady clock runs.
  static func unlocked() -> Self {
    var driver = unlocking()
    driver.steady = 0
    driver.handle(.session(.unlocked(.value(stored(1, expiresIn: 3600)))))
    driver.answerRequests()
    return driver
  }

  /// Signed in to an organization that requires a lock, on a device without one.
  static func withoutLock() -> Self {
    var driver = opened()
    driver.steady = 0
    driver.handle(.storage(.read(.value(stored(1, expiresIn: 3600, unlock: "biometric")))))
    driver.answerRequests()
    return driver
  }

  /// Opened again: 400 seconds later by the device's clock, at once by the monotonic clock.
  static func confirming() -> Self {
    var before = withoutLock()
    before.hide()
    var driver = Self()
    driver.time = startTime.adding(seconds: 400)
    driver.steady = 0
    driver.handle(.started(utcOffsetSeconds: 0, app: app))
    let stored = stored(1, expiresIn: 3600, unlock: "biometric")
    driver.handle(.storage(.read(.value(stored), seen: before.seen)))
    return driver
  }

  /// Signed in, and about to confirm the prompt of a new lock.
  static func settingLock() -> Self {
    var driver = active()
    driver.handle(.session(.lockSupportChecked(true)))
    driver.setLock()
    return driver
  }
}

extension EngineDriver {
  static var address: EmailAddress {
    guard let address = EmailAddress(typed: "tech@example.com") else { preconditionFailure() }
    return address
  }
}

import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine

/// The lockouts that a device remembers after the run of the app that learned them.
@Suite("Known lockouts")
struct KnownLockoutTests {
  private static let minutes: Int64 = 15

  private static func lockedOut(_ app: AppProfile = EngineDriver.app) throws -> EngineDriver {
    var driver = EngineDriver.signedOut(app)
    if app.signInKind == .phoneCode { driver.sendCode(to: try phone()) } else { driver.signIn() }
    driver.lockOut(minutes: minutes)
    return driver
  }

  private static func phone() throws -> PhoneNumber { try PhoneNumber(parsing: "+919812345678") }

  private static func address(_ text: String) throws -> EmailAddress {
    try EmailAddress(parsing: text)
  }

  /// Opens the app again, or in another tab, with the stored lockouts.
  ///
  /// The device's clock shows a time that is ahead of the server's.
  private func reopened(
    _ stored: Secret?, _ app: AppProfile = EngineDriver.app, after seconds: Int64 = 30,
    clockAheadSeconds: Int64 = 0
  ) -> EngineDriver {
    var driver = EngineDriver()
    driver.time = EngineDriver.startTime.adding(seconds: seconds + clockAheadSeconds)
    driver.serverAheadSeconds = -clockAheadSeconds
    driver.handle(.started(utcOffsetSeconds: 3600, app: app, page: "another run"))
    driver.handle(.storage(.read(.absent)))
    driver.handle(.storage(.lockoutsRead(stored)))
    return driver
  }

  @Test("T-05 after a restart or in another tab the app knows a lockout, and sends nothing")
  func restart() throws {
    let stored = try #require(Self.lockedOut().storedLockouts)
    var driver = reopened(stored)

    driver.signIn(email: try Self.address("TECH@example.com"))

    #expect(!driver.isCalling)
    #expect(driver.lockEnd == EngineDriver.startTime.adding(seconds: 900))
    driver.pass(seconds: 900 - 30 - 1)
    #expect(driver.lockEnd != nil)
    driver.pass(seconds: 1)
    #expect(driver.lockEnd == nil)

    var colleague = reopened(stored)
    colleague.signIn(email: try Self.address("colleague@example.com"))
    #expect(colleague.isCalling)
  }

  @Test("T-05 R-04 an app that people sign in to with a number remembers its lockout")
  func number() throws {
    let stored = try #require(Self.lockedOut(EngineDriver.phoneApp).storedLockouts)
    var driver = reopened(stored, EngineDriver.phoneApp)

    driver.sendCode(to: try Self.phone())
    #expect(!driver.isCalling)
    #expect(driver.lockEnd != nil)

    driver.sendCode(to: try PhoneNumber(parsing: "+919812345679"))
    #expect(driver.isCalling)
  }

  @Test("T-05 what is stored of a lockout has no address and no number")
  func concealed() throws {
    let email = try #require(Self.lockedOut().storedLockouts)
    let phone = try #require(Self.lockedOut(EngineDriver.phoneApp).storedLockouts)

    #expect(!email.revealed.contains("tech"))
    #expect(!phone.revealed.contains("9812345678"))
    // Each device has a key of its own.
    var other = EngineDriver()
    other.handle(.started(utcOffsetSeconds: 3600, app: EngineDriver.app, page: "other device"))
    other.handle(.storage(.read(.absent)))
    other.signIn()
    other.lockOut(minutes: Self.minutes)
    let name = { (text: Secret) in
      JSON(storedText: text)?.elements("lockouts")?.first?.text("account")
    }
    let another = try #require(other.storedLockouts)
    #expect(name(email) != nil && name(email) != name(another))
  }

  @Test("T-05 L-29 a wrong clock of the device changes no lockout", arguments: [-7200, 7200])
  func wrongClock(ahead: Int64) throws {
    var first = EngineDriver()
    first.time = first.time.adding(seconds: ahead)
    first.serverAheadSeconds = -ahead
    first.handle(.started(utcOffsetSeconds: 3600, app: EngineDriver.app))
    first.handle(.storage(.read(.absent)))
    first.signIn()
    first.lockOut(minutes: Self.minutes)
    let stored = try #require(first.storedLockouts)

    var before = reopened(stored, after: 899, clockAheadSeconds: ahead)
    before.signIn()
    #expect(!before.isCalling)
    before.pass(seconds: 1)
    #expect(before.lockEnd == nil)

    var after = reopened(stored, after: 900, clockAheadSeconds: ahead)
    after.signIn()
    #expect(after.isCalling)
  }

  @Test("T-05 if the clock was set back after a lockout, the server decides")
  func setBack() throws {
    let stored = try #require(Self.lockedOut().storedLockouts)

    var unsure = reopened(stored, clockAheadSeconds: -31)
    unsure.signIn()
    #expect(unsure.isCalling)

    var exact = reopened(stored, clockAheadSeconds: -30)
    exact.signIn()
    #expect(!exact.isCalling)
    #expect(exact.lockEnd != nil)
  }

  @Test("T-05 an out-of-date estimate of the server's time does not lengthen a lockout")
  func staleEstimate() throws {
    let stored = try #require(Self.lockedOut().storedLockouts)
    // Before the lockout the clock was a day ahead, and then it was corrected.
    let day: Int64 = 86_400_000
    let start = EngineDriver.startTime.milliseconds
    let moment = JSON.members([
      JSONMember("device", start + day), JSONMember("server", start), JSONMember("told", true),
    ])
    let seen = JSON.members([
      JSONMember("version", 1), JSONMember("shown", moment), JSONMember("used", moment),
    ])
    for (seconds, isKnown) in [(899, true), (900, false)] as [(Int64, Bool)] {
      var driver = EngineDriver()
      driver.time = EngineDriver.startTime.adding(seconds: seconds)
      driver.handle(.started(utcOffsetSeconds: 3600, app: EngineDriver.app))
      driver.handle(.storage(.read(.absent, seen: Secret(seen))))
      driver.handle(.storage(.lockoutsRead(stored)))
      driver.signIn()
      #expect((driver.lockEnd != nil) == isKnown, "\(seconds)")
    }
  }

  @Test("T-05 a clock that was set back a little locks only until the server sends its time")
  func learnedTime() throws {
    let stored = try #require(Self.lockedOut().storedLockouts)
    // 850 seconds have passed, and the device's clock shows 100.
    var driver = EngineDriver()
    driver.time = EngineDriver.startTime.adding(seconds: 100)
    driver.serverAheadSeconds = 750
    driver.handle(.started(utcOffsetSeconds: 3600, app: EngineDriver.app))
    driver.handle(.storage(.read(.absent)))
    driver.handle(.storage(.lockoutsRead(stored)))
    driver.signIn()
    #expect(driver.lockEnd != nil)

    // The answer to a colleague's request has the server's time.
    driver.signIn(email: try Self.address("colleague@example.com"))
    driver.refuse(.invalidCredentials)
    driver.signIn()
    driver.pass(seconds: 49)
    #expect(driver.lockEnd != nil)
    driver.pass(seconds: 1)
    #expect(driver.lockEnd == nil)
  }

  @Test("T-05 while the app is open, a clock that is set back does not lengthen a lockout")
  func setBackWhileOpen() throws {
    var driver = EngineDriver.signedOut()
    driver.steady = 0
    driver.signIn()
    driver.lockOut(minutes: Self.minutes)
    driver.time = driver.time.adding(seconds: -3600)

    driver.pass(seconds: 900)

    #expect(driver.lockEnd == nil)
  }

  @Test("T-05 a lockout that another tab learned closes the code screen of the same account")
  func otherTab() throws {
    let stored = try #require(Self.lockedOut().storedLockouts)

    var driver = EngineDriver.atCode()
    driver.handle(.storage(.lockoutsRead(stored)))
    #expect(driver.lockEnd != nil)
    #expect(driver.effects.contains(.erasePendingSignIn))

    var colleague = EngineDriver.signedOut()
    colleague.signIn(email: try Self.address("colleague@example.com"))
    colleague.sendCode()
    colleague.handle(.storage(.lockoutsRead(stored)))
    #expect(colleague.code != nil)
  }

  @Test("T-05 T-11 a reset that set the password clears the lockout in every tab")
  func reset() throws {
    var driver = try Self.lockedOut()
    var other = reopened(driver.storedLockouts)
    other.signIn()
    #expect(other.lockEnd != nil)

    driver.send(.requestPasswordReset(of: EngineDriver.address))
    driver.sendResetCode()
    driver.send(.setPassword(Secret("new-Password-1"), code: Secret("123456")))
    driver.answer(204, .null)

    #expect(driver.effects.contains(.saveLockouts(nil)))
    driver.signIn()
    #expect(driver.isCalling)
    other.handle(.storage(.lockoutsRead(nil)))
    #expect(other.lockEnd == nil)
  }

  @Test("T-05 T-11 a reset whose password takes effect later leaves the lockout")
  func waitingReset() throws {
    var driver = try Self.lockedOut()
    driver.send(.requestPasswordReset(of: EngineDriver.address))
    driver.sendResetCode()
    driver.send(.setPassword(Secret("new-Password-1"), code: Secret("123456")))
    let waiting = WaitingPasswordAnswer(availableAt: driver.time.adding(seconds: 3600))
    driver.answer(202, waiting.json)

    driver.signIn()

    #expect(driver.lockEnd != nil)
  }

  @Test("T-05 T-11 after wrong reset codes no reset is requested either, also after a restart")
  func lockedReset() throws {
    var driver = EngineDriver.signedOut()
    driver.send(.requestPasswordReset(of: EngineDriver.address))
    driver.sendResetCode()
    driver.send(.setPassword(Secret("new-Password-1"), code: Secret("123456")))
    driver.lockOut(minutes: Self.minutes)
    let stored = try #require(driver.storedLockouts)
    var again = reopened(stored)

    again.send(.requestPasswordReset(of: EngineDriver.address))
    #expect(!again.isCalling)
    #expect(again.lockEnd == EngineDriver.startTime.adding(seconds: 900))

    // Wrong passwords do not stop a reset.
    var other = reopened(try Self.lockedOut().storedLockouts)
    other.send(.requestPasswordReset(of: EngineDriver.address))
    #expect(other.isCalling)
  }

  @Test("T-05 a complete sign-in clears the lockout of its account only")
  func completed() throws {
    let stored = try #require(Self.lockedOut().storedLockouts)
    var own = EngineDriver.signedOut()
    own.signIn()
    let sent = own.effects
    own.handle(.storage(.lockoutsRead(stored)))
    own.effects = sent
    own.sendCode()
    own.submit(code: "123456")
    own.answer(200, .members([JSONMember("authorization_code", "code-1")]))
    own.answer(200, EngineDriver.tokens(1, expiresIn: 300).json)
    #expect(own.effects.contains(.saveLockouts(nil)))

    var colleague = reopened(stored)
    colleague.signIn(email: try Self.address("colleague@example.com"))
    colleague.sendCode()
    colleague.submit(code: "123456")
    colleague.answer(200, .members([JSONMember("authorization_code", "code-1")]))
    colleague.answer(200, EngineDriver.tokens(1, expiresIn: 300).json)
    colleague.answerRequests()
    colleague.signOut()
    colleague.signIn()
    #expect(!colleague.isCalling)
    #expect(colleague.lockEnd != nil)
  }

  @Test("T-05 a device remembers eight lockouts, and a ninth replaces the oldest")
  func limit() throws {
    var driver = EngineDriver.signedOut()
    var stored: Secret?
    for number in 0...KnownLockouts.countLimit {
      driver.signIn(email: try Self.address("person-\(number)@example.com"))
      driver.lockOut(minutes: Self.minutes)
      stored = driver.storedLockouts
    }

    for number in 0...KnownLockouts.countLimit {
      var again = reopened(stored)
      again.signIn(email: try Self.address("person-\(number)@example.com"))
      #expect(again.isCalling == (number == 0), "\(number)")
    }
  }

  @Test("T-05 a damaged text contains no lockout")
  func damaged() throws {
    let stored = try #require(Self.lockedOut().storedLockouts).revealed
    for text in ["", "{}", "x", stored.replacing("\"version\":1", with: "\"version\":9")] {
      var driver = reopened(Secret(text))
      driver.signIn()
      #expect(driver.isCalling, "\(text)")
    }
  }

  @Test("SipHash-2-4 gives the values of its authors")
  func hash() {
    let (k0, k1): (UInt64, UInt64) = (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)

    #expect(SipHash.hash([], k0, k1) == 0x726f_db47_dd0e_0e31)
    #expect(SipHash.hash((0..<15).map { $0 }, k0, k1) == 0xa129_ca61_49be_45e5)
  }
}

extension EngineDriver {
  /// The lockouts that the last effects store.
  fileprivate var storedLockouts: Secret? {
    for effect in effects.reversed() {
      if case .saveLockouts(let text) = effect { return text }
    }
    return nil
  }

  fileprivate var lockEnd: Instant? { signedOut?.lockedUntil }
}

import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine

/// A sign-in that waits for a code survives the end of the app.
@Suite("Pending codes")
struct PendingCodeTests {
  /// Opens the app again with what storage contains.
  private func reopened(
    _ stored: Secret?, _ app: AppProfile = EngineDriver.app,
    beside reading: StorageReading = .absent, after seconds: Int64 = 30,
    clockAheadSeconds: Int64 = 0
  ) -> EngineDriver {
    var driver = EngineDriver()
    driver.time = driver.time.adding(seconds: seconds + clockAheadSeconds)
    driver.serverAheadSeconds = -clockAheadSeconds
    driver.handle(.started(utcOffsetSeconds: 3600, app: app))
    driver.handle(.storage(.read(reading, pending: stored)))
    return driver
  }

  @Test("P-12 a stored code sign-in is erased if a session is open after a restart")
  func completed() throws {
    let stored = try #require(EngineDriver.atCode().storedSignIn())
    let record = SessionRecord(EngineDriver.tokens(1, expiresIn: 300), at: EngineDriver.startTime)

    let open = reopened(stored, beside: .value(record.text))
    #expect(open.signedIn != nil)
    #expect(open.effects.contains(.erasePendingSignIn))

    let unknown = reopened(stored, beside: .temporarilyUnreadable)
    #expect(!unknown.effects.contains(.erasePendingSignIn))
  }

  @Test(
    "L-47 the code screen returns until the server has forgotten the sign-in",
    arguments: [(30 * 60 - 1, true), (30 * 60, false), (30 * 60 + 1, false)] as [(Int64, Bool)])
  func openUntil(seconds: Int64, returns: Bool) throws {
    let stored = try #require(EngineDriver.atCode().storedSignIn())

    let driver = reopened(stored, after: seconds)

    #expect((driver.code != nil) == returns)
    #expect(driver.effects.contains(.erasePendingSignIn) != returns)
  }

  @Test("L-47 a wrong clock of the device does not end the sign-in", arguments: [-7200, 7200])
  func wrongClock(ahead: Int64) throws {
    var first = EngineDriver()
    first.time = first.time.adding(seconds: ahead)
    first.serverAheadSeconds = -ahead
    first.handle(.started(utcOffsetSeconds: 3600, app: EngineDriver.app))
    first.handle(.storage(.read(.absent)))
    first.signIn()
    first.sendCode()
    let stored = try #require(first.storedSignIn())

    let driver = reopened(stored, clockAheadSeconds: ahead)

    let expiresAt = try #require(first.code).prompt.expiresAt
    #expect(driver.code?.prompt.expiresAt == expiresAt)
    #expect(driver.flow.context.now == EngineDriver.startTime.adding(seconds: 30))
  }

  @Test("L-47 a code of another app, or damaged text, is erased")
  func foreign() throws {
    let stored = try #require(EngineDriver.atCode().storedSignIn())
    let texts = [
      "{}", "x", stored.revealed.replacing("\"prompt\"", with: "\"other\""),
      stored.revealed.replacing("\"email\"", with: "\"mail\""),
    ]
    for text in texts {
      let driver = reopened(Secret(text))
      #expect(driver.code == nil)
      #expect(driver.effects.contains(.erasePendingSignIn), "\(text)")
    }

    let other = reopened(stored, EngineDriver.phoneApp)
    #expect(other.code == nil)
    #expect(other.effects.contains(.erasePendingSignIn))
  }

  @Test("L-47 leaving the code, a new code and a lockout change what is stored")
  func changes() throws {
    var driver = EngineDriver.atCode()
    driver.send(.cancel)
    #expect(driver.effects.contains(.erasePendingSignIn))

    driver = EngineDriver.resending()
    let before = try #require(EngineDriver.atCode().storedSignIn())
    driver.sendCode()
    #expect(driver.storedSignIn(after: before) != before)
    #expect(driver.storedSignIn() != nil)

    driver = EngineDriver.checking()
    driver.lockOut(minutes: 15)
    #expect(driver.effects.contains(.erasePendingSignIn))
  }
}

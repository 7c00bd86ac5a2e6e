import EngineTesting
import JSONText
import SignInEngine
import SignInModel
import SignInWire
import Testing

@Suite("Absence in one tab, and sessions that began in another tab")
struct AbsenceTests {
  private static func stored(_ session: String, number: Int64 = 1) -> String {
    EngineDriver.stored(number, expiresIn: 3600, session: session, unlock: "biometric")
  }

  private static func tokens(_ number: Int64, session: String = "session-1") -> TokenAnswer {
    EngineDriver.tokens(
      number, expiresIn: 3600, terms: EngineDriver.terms(of: session, unlock: "biometric"))
  }

  /// The stored record of when this session was last seen, at that time.
  private static func seen(in session: String, at time: Instant) -> String? {
    var driver = EngineDriver.opened()
    driver.time = time
    driver.handle(.storage(.read(.value(stored(session)))))
    driver.answerRequests()
    driver.hide()
    return driver.seen
  }

  /// An app that asks the server about its session, which has a long time left.
  private static func confirming() -> EngineDriver {
    var driver = EngineDriver.confirming()
    driver.serverAheadSeconds = -399
    driver.handle(.storage(.renewalClaimed(.value(stored("session-1")))))
    driver.answer(200, tokens(2).json)
    return driver
  }

  @Test("L-31 a session is confirmed by the server if the stored time of use is another session's")
  func leftThere() {
    var driver = EngineDriver.opened()

    driver.handle(
      .storage(
        .read(
          .value(Self.stored("session-1")),
          seen: Self.seen(in: "session-2", at: EngineDriver.startTime))
      ))

    #expect(driver.confirming != nil)
    #expect(driver.signedIn == nil)
  }

  @Test("L-31 a session without a stored time of last use is confirmed by the server")
  func notSeen() {
    var flow = EngineDriver.opened().flow

    _ = flow.handle(
      .storage(.read(.value(Self.stored("session-1")))), at: EngineDriver.startTime, steady: 0)

    guard case .confirming = flow.stage else {
      Issue.record("\(flow.stage)")
      return
    }
  }

  @Test("L-31 a hidden tab's absence does not count for a session that began in another tab")
  func adoptedOutOfSight() {
    var driver = EngineDriver.withoutLock()
    driver.request()
    driver.answer(200, .null)
    driver.hide()
    driver.elapse(seconds: 400)
    driver.handle(.storage(.sessionChanged(.value(Self.stored("session-2")))))
    driver.elapse(seconds: 10)

    driver.show()

    #expect(driver.signedOut == nil)
    #expect(driver.confirming != nil)
    #expect(driver.call(to: Endpoint.revoke.path) == nil)
  }

  @Test("L-31 the absence that another tab stored is checked before its session is shown here")
  func storedElsewhere() {
    for (seconds, isOver) in [(Int64(10), false), (400, true)] {
      var driver = Self.confirming()
      driver.handle(.storage(.sessionChanged(.value(Self.stored("session-2", number: 3)))))
      let began = driver.time
      driver.serverAheadSeconds = 0
      driver.time = driver.time.adding(seconds: seconds)

      driver.answer(200, EngineDriver.account.json)

      #expect(driver.effects.contains(.readSession), "\(seconds)")
      #expect(driver.signedIn == nil, "\(seconds)")
      driver.handle(
        .storage(
          .read(
            .value(Self.stored("session-2", number: 3)), seen: Self.seen(in: "session-2", at: began)
          )))
      #expect((driver.signedOut?.notice == .session(.awayTooLong)) == isOver, "\(seconds)")
      #expect((driver.signedIn != nil) == !isOver, "\(seconds)")
    }
  }

  @Test("S-06 a lock that was set while storage could not tell is found before anything is shown")
  func lockSetElsewhere() {
    var driver = Self.confirming()
    let asked = driver.effects
    driver.handle(.storage(.sessionChanged(.temporarilyUnreadable)))
    driver.effects = asked
    driver.answer(200, EngineDriver.account.json)
    #expect(driver.effects == [.readSession])

    driver.handle(.storage(.read(.temporarilyUnreadable)))
    #expect(driver.confirming != nil)
    driver.pass(seconds: 1)
    #expect(driver.effects.contains(.readSession))
    driver.handle(.storage(.read(.locked(card: Secret(EngineDriver.card)))))

    #expect(driver.lock != nil)
  }

  @Test("L-31 a hidden tab does not overwrite the time of last use that a visible tab stored")
  func hiddenStoresNothing() {
    var driver = EngineDriver.withoutLock()
    driver.hide()
    #expect(driver.seen != nil)

    driver.pass(seconds: 60)

    #expect(driver.seen == nil)
  }

  @Test(
    "L-31 S-06 a session confirmed in a hidden tab was last seen when the tab was hidden",
    arguments: [(299, true), (300, false)] as [(Int64, Bool)])
  func confirmedOutOfSight(_ seconds: Int64, _ isShown: Bool) {
    var driver = Self.confirming()
    let asked = driver.effects
    driver.hide()
    driver.effects = asked
    driver.answer(200, EngineDriver.account.json)
    driver.handle(.storage(.read(.value(Self.stored("session-1")))))
    #expect(driver.signedIn != nil)
    driver.elapse(seconds: seconds)

    driver.show()

    #expect((driver.signedIn != nil) == isShown)
    #expect((driver.signedOut?.notice == .session(.awayTooLong)) == !isShown)
  }

  @Test(
    "L-31 S-06 a hidden tab that opens another tab's session was last seen when it was hidden",
    arguments: [(299, true), (300, false)] as [(Int64, Bool)])
  func followedOutOfSight(_ seconds: Int64, _ isShown: Bool) {
    var driver = EngineDriver.signedOut()
    let seen = Self.seen(in: "session-1", at: driver.time)
    driver.steady = 0
    driver.elapse(seconds: 200)
    driver.handle(.storage(.sessionChanged(.value(Self.stored("session-1")))))
    #expect(driver.effects.contains(.readSession))
    driver.hide()
    driver.handle(.storage(.read(.value(Self.stored("session-1")), seen: seen)))
    #expect(driver.signedIn != nil)
    driver.elapse(seconds: seconds)

    driver.show()

    #expect((driver.signedIn != nil) == isShown)
    #expect((driver.signedOut?.notice == .session(.awayTooLong)) == !isShown)
  }

  @Test("S-06 an app that was opened in the background does not count as seen")
  func openedInBackground() {
    var driver = EngineDriver.opened()
    let seen = Self.seen(in: "session-1", at: driver.time)
    driver.steady = 0
    driver.elapse(seconds: 200)
    driver.hide()
    driver.handle(.storage(.read(.value(Self.stored("session-1")), seen: seen)))
    #expect(driver.signedIn != nil)
    driver.elapse(seconds: 100)

    driver.show()

    #expect(driver.signedIn == nil)
  }

  @Test(
    "S-06 leaving during the server check and returning after the time-out ends the session",
    arguments: [(299, true), (300, false)] as [(Int64, Bool)])
  func leftWhileConfirming(_ seconds: Int64, _ isShown: Bool) {
    var driver = Self.confirming()
    let asked = driver.effects
    driver.hide()
    driver.elapse(seconds: seconds)
    driver.show()
    driver.effects = asked

    driver.answer(200, EngineDriver.account.json)
    driver.handle(.storage(.read(.value(Self.stored("session-1")))))

    #expect((driver.signedIn != nil) == isShown)
    #expect((driver.signedOut?.notice == .session(.awayTooLong)) == !isShown)
  }

  @Test("S-07 activity in another tab counts while this tab asks the server")
  func userActiveInOtherTab() {
    var driver = EngineDriver.confirming()
    driver.handle(.storage(.renewalClaimed(.value(Self.stored("session-1")))))
    driver.answer(200, Self.tokens(2).json)
    let asked = driver.effects
    driver.handle(.device(.userActiveInOtherTab))
    driver.effects = asked

    driver.answer(200, EngineDriver.account.json)
    driver.handle(.storage(.read(.value(Self.stored("session-1")))))

    #expect(driver.signedIn != nil)
  }

  @Test(
    "S-06 a tab hidden while storage was read asks the server, even if the clock was changed",
    arguments: [(299, true), (300, false)] as [(Int64, Bool)])
  func hiddenWhileRead(_ seconds: Int64, _ isShown: Bool) {
    let seen = Self.seen(in: "session-1", at: EngineDriver.startTime)
    var driver = EngineDriver.opened()
    driver.steady = 0
    driver.hide()
    driver.elapse(seconds: seconds)
    // The clock is set back, so that the stored time seems to be now.
    driver.time = EngineDriver.startTime
    driver.handle(.storage(.read(.value(Self.stored("session-1")), seen: seen)))

    driver.show()

    #expect((driver.signedIn != nil) == isShown)
    #expect((driver.confirming != nil) == !isShown)
  }

  @Test("S-07 unlocking in one tab unlocks the others")
  func unlockedElsewhere() {
    var driver = Self.confirming()
    let asked = driver.effects
    driver.hide()
    driver.elapse(seconds: 400)
    driver.show()
    driver.effects = asked
    driver.elapse(seconds: 10)
    let since = driver.time.adding(seconds: -5)

    driver.answer(200, EngineDriver.account.json)
    driver.handle(
      .storage(.read(.value(Self.stored("session-1")), seen: Self.seen(in: "session-1", at: since)))
    )

    #expect(driver.signedIn != nil)
  }

  @Test("L-31 a tab hidden before the first server time uses that time for its absence later")
  func hiddenBeforeServerTime() {
    var driver = EngineDriver.confirming()
    driver.serverAheadSeconds = -399
    let asked = driver.effects
    driver.hide()
    driver.elapse(seconds: 10)
    driver.effects = asked
    driver.handle(.storage(.renewalClaimed(.value(Self.stored("session-1")))))
    driver.answer(200, Self.tokens(2).json)
    driver.answer(200, EngineDriver.account.json)

    driver.handle(.storage(.read(.value(Self.stored("session-1")))))

    let hiddenAt = driver.serverNow.adding(seconds: -10).milliseconds
    #expect(driver.seen?.contains(#""server":\#(hiddenAt),"told":true},"used""#) == true)
  }
}

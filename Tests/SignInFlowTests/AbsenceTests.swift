import SignInFlow
import SignInModel
import SignInWire
import Testing

@Suite("Absence in one tab, and sessions that began in another tab")
struct AbsenceTests {
  private static func stored(_ session: String, number: Int64 = 1) -> String {
    Walk.stored(number, expiresIn: 3600, session: session, unlock: "biometric")
  }

  private static func tokens(_ number: Int64, session: String = "session-1") -> TokenAnswer {
    Walk.tokens(
      number, expiresIn: 3600, terms: Walk.terms(of: session, unlock: "biometric"))
  }

  /// The stored record of when this session was last seen, at that time.
  private static func seen(in session: String, at time: Instant) -> String? {
    var walk = Walk.opened()
    walk.time = time
    walk.happen(.storageRead(.value(stored(session))))
    walk.answerJobs()
    walk.hide()
    return walk.seen
  }

  /// An app that asks the server about its session, which has a long time left.
  private static func confirming() -> Walk {
    var walk = Walk.confirming()
    walk.serverAheadSeconds = -399
    walk.happen(.renewalClaimed(.value(stored("session-1"))))
    walk.answer(200, tokens(2).json)
    return walk
  }

  @Test("L-31 a session is confirmed by the server if the stored time of use is another session's")
  func leftThere() {
    var walk = Walk.opened()

    walk.happen(
      .storageRead(
        .value(Self.stored("session-1")), seen: Self.seen(in: "session-2", at: Walk.noon)))

    #expect(walk.confirming != nil)
    #expect(walk.signedIn == nil)
  }

  @Test("L-31 a session without a stored time of last use is confirmed by the server")
  func notSeen() {
    var flow = Walk.opened().flow

    _ = flow.handle(
      .storageRead(.value(Self.stored("session-1")), seen: nil), at: Walk.noon, steady: 0)

    guard case .confirming = flow.stage else {
      Issue.record("\(flow.stage)")
      return
    }
  }

  @Test("L-31 a hidden tab's absence does not count for a session that began in another tab")
  func adoptedOutOfSight() {
    var walk = Walk.withoutLock()
    walk.press(.refresh)
    walk.answer(200, walk.jobsBody)
    walk.hide()
    walk.elapse(seconds: 400)
    walk.happen(.device(.sessionChanged(.value(Self.stored("session-2")))))
    walk.elapse(seconds: 10)

    walk.show()

    #expect(walk.signIn == nil)
    #expect(walk.confirming != nil)
    #expect(walk.call(to: Endpoint.revoke) == nil)
  }

  @Test("L-31 the absence that another tab stored is checked before its session is shown here")
  func storedElsewhere() {
    for (seconds, isOver) in [(Int64(10), false), (400, true)] {
      var walk = Self.confirming()
      walk.happen(.device(.sessionChanged(.value(Self.stored("session-2", number: 3)))))
      let began = walk.time
      walk.serverAheadSeconds = 0
      walk.time = walk.time.adding(seconds: seconds)

      walk.answer(200, Walk.account.json)

      #expect(walk.effects.contains(.readSession), "\(seconds)")
      #expect(walk.signedIn == nil, "\(seconds)")
      walk.happen(
        .storageRead(
          .value(Self.stored("session-2", number: 3)), seen: Self.seen(in: "session-2", at: began)))
      #expect((walk.signIn?.notice == .session(.awayTooLong)) == isOver, "\(seconds)")
      #expect((walk.signedIn != nil) == !isOver, "\(seconds)")
    }
  }

  @Test("S-06 a lock that was set while storage could not tell is found before anything is shown")
  func lockSetElsewhere() {
    var walk = Self.confirming()
    let asked = walk.effects
    walk.happen(.device(.sessionChanged(.cannotTell)))
    walk.effects = asked
    walk.answer(200, Walk.account.json)
    #expect(walk.effects == [.readSession])

    walk.happen(.storageRead(.cannotTell))
    #expect(walk.confirming != nil)
    walk.pass(seconds: 1)
    #expect(walk.effects.contains(.readSession))
    walk.happen(.storageRead(.locked(card: Walk.card)))

    #expect(walk.lock != nil)
  }

  @Test("L-31 a hidden tab does not overwrite the time of last use that a visible tab stored")
  func hiddenStoresNothing() {
    var walk = Walk.withoutLock()
    walk.hide()
    #expect(walk.seen != nil)

    walk.pass(seconds: 60)

    #expect(walk.seen == nil)
  }

  @Test(
    "L-31 S-06 a session confirmed in a hidden tab was last seen when the tab was hidden",
    arguments: [(299, true), (300, false)] as [(Int64, Bool)])
  func confirmedOutOfSight(_ seconds: Int64, _ isShown: Bool) {
    var walk = Self.confirming()
    let asked = walk.effects
    walk.hide()
    walk.effects = asked
    walk.answer(200, Walk.account.json)
    walk.happen(.storageRead(.value(Self.stored("session-1"))))
    #expect(walk.signedIn != nil)
    walk.elapse(seconds: seconds)

    walk.show()

    #expect((walk.signedIn != nil) == isShown)
    #expect((walk.signIn?.notice == .session(.awayTooLong)) == !isShown)
  }

  @Test(
    "S-06 leaving during the server check and returning after the time-out ends the session",
    arguments: [(299, true), (300, false)] as [(Int64, Bool)])
  func leftWhileConfirming(_ seconds: Int64, _ isShown: Bool) {
    var walk = Self.confirming()
    let asked = walk.effects
    walk.hide()
    walk.elapse(seconds: seconds)
    walk.show()
    walk.effects = asked

    walk.answer(200, Walk.account.json)
    walk.happen(.storageRead(.value(Self.stored("session-1"))))

    #expect((walk.signedIn != nil) == isShown)
    #expect((walk.signIn?.notice == .session(.awayTooLong)) == !isShown)
  }

  @Test("S-07 activity in another tab counts while this tab asks the server")
  func userActiveInOtherTab() {
    var walk = Walk.confirming()
    walk.happen(.renewalClaimed(.value(Self.stored("session-1"))))
    walk.answer(200, Self.tokens(2).json)
    let asked = walk.effects
    walk.happen(.device(.userActiveInOtherTab))
    walk.effects = asked

    walk.answer(200, Walk.account.json)
    walk.happen(.storageRead(.value(Self.stored("session-1"))))

    #expect(walk.signedIn != nil)
  }

  @Test(
    "S-06 a tab hidden while storage was read asks the server, even if the clock was changed",
    arguments: [(299, true), (300, false)] as [(Int64, Bool)])
  func hiddenWhileRead(_ seconds: Int64, _ isShown: Bool) {
    let seen = Self.seen(in: "session-1", at: Walk.noon)
    var walk = Walk.opened()
    walk.steady = 0
    walk.hide()
    walk.elapse(seconds: seconds)
    // The clock is set back, so that the stored time seems to be now.
    walk.time = Walk.noon
    walk.happen(.storageRead(.value(Self.stored("session-1")), seen: seen))

    walk.show()

    #expect((walk.signedIn != nil) == isShown)
    #expect((walk.confirming != nil) == !isShown)
  }

  @Test("S-07 unlocking in one tab unlocks the others")
  func unlockedElsewhere() {
    var walk = Self.confirming()
    let asked = walk.effects
    walk.hide()
    walk.elapse(seconds: 400)
    walk.show()
    walk.effects = asked
    walk.elapse(seconds: 10)
    let since = walk.time.adding(seconds: -5)

    walk.answer(200, Walk.account.json)
    walk.happen(
      .storageRead(.value(Self.stored("session-1")), seen: Self.seen(in: "session-1", at: since)))

    #expect(walk.signedIn != nil)
  }

  @Test("L-31 a tab hidden before the first server time uses that time for its absence later")
  func hiddenBeforeServerTime() {
    var walk = Walk.confirming()
    walk.serverAheadSeconds = -399
    let asked = walk.effects
    walk.hide()
    walk.elapse(seconds: 10)
    walk.effects = asked
    walk.happen(.renewalClaimed(.value(Self.stored("session-1"))))
    walk.answer(200, Self.tokens(2).json)
    walk.answer(200, Walk.account.json)

    walk.happen(.storageRead(.value(Self.stored("session-1"))))

    let hiddenAt = walk.serverNow.adding(seconds: -10).milliseconds
    #expect(walk.seen?.contains(#""server":\#(hiddenAt),"told":true},"used""#) == true)
  }
}

import SignInFlow
import SignInModel
import SignInWire
import Testing

@Suite("Absence from one window, and sessions begun in another")
struct AbsenceTests {
  private static func stored(_ session: String, number: Int64 = 1) -> String {
    Walk.stored(number, expiresIn: 3600, session: session, unlock: "biometric")
  }

  private static func tokens(_ number: Int64, session: String = "session-1") -> TokenAnswer {
    Walk.tokens(
      number, expiresIn: 3600, terms: Walk.terms(of: session, unlock: "biometric"))
  }

  /// What storage holds of when the person of this session was last seen, at that time.
  private static func seen(in session: String, at time: Instant) -> String? {
    var walk = Walk.opened()
    walk.time = time
    walk.happen(.storageRead(.value(stored(session))))
    walk.answerJobs()
    walk.hide()
    return walk.seen
  }

  /// Asks the server about the session, which is there for long.
  private static func confirming() -> Walk {
    var walk = Walk.confirming()
    walk.serverAheadSeconds = -399
    walk.happen(.renewalClaimed(.value(stored("session-1"))))
    walk.answer(200, tokens(2).json)
    return walk
  }

  @Test("L-31 a session that storage would not part with is confirmed, whoever was seen since")
  func leftThere() {
    var walk = Walk.opened()

    walk.happen(
      .storageRead(
        .value(Self.stored("session-1")), seen: Self.seen(in: "session-2", at: Walk.noon)))

    #expect(walk.confirming != nil)
    #expect(walk.signedIn == nil)
  }

  @Test("L-31 a session that nothing tells about when it was used is confirmed by the server")
  func notSeen() {
    var flow = Walk.opened().flow

    _ = flow.handle(
      .storageRead(.value(Self.stored("session-1")), seen: nil), at: Walk.noon, steady: 0)

    guard case .confirming = flow.stage else {
      Issue.record("\(flow.stage)")
      return
    }
  }

  @Test("L-31 a window out of sight carries no absence into a session begun in another window")
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

  @Test("L-31 what another window has stored of its session decides before it is shown here")
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
  func lockUnheardOf() {
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

  @Test("L-31 a window out of sight stores nothing over what the one in sight has stored")
  func hiddenStoresNothing() {
    var walk = Walk.withoutLock()
    walk.hide()
    #expect(walk.seen != nil)

    walk.pass(seconds: 60)

    #expect(walk.seen == nil)
  }

  @Test(
    "L-31 S-06 a session confirmed out of sight was last seen when its window went out of sight",
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
    "S-06 whoever leaves while the server is asked, and comes back too late, is not let in",
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

  @Test("S-07 who is at work in another window is not away while this one asks the server")
  func usedElsewhere() {
    var walk = Walk.confirming()
    walk.happen(.renewalClaimed(.value(Self.stored("session-1"))))
    walk.answer(200, Self.tokens(2).json)
    let asked = walk.effects
    walk.happen(.device(.usedElsewhere))
    walk.effects = asked

    walk.answer(200, Walk.account.json)
    walk.happen(.storageRead(.value(Self.stored("session-1"))))

    #expect(walk.signedIn != nil)
  }

  @Test(
    "S-06 a window hidden while storage was read is asked after, whatever its clock was set to",
    arguments: [(299, true), (300, false)] as [(Int64, Bool)])
  func hiddenWhileRead(_ seconds: Int64, _ isShown: Bool) {
    let seen = Self.seen(in: "session-1", at: Walk.noon)
    var walk = Walk.opened()
    walk.steady = 0
    walk.hide()
    walk.elapse(seconds: seconds)
    // Somebody set the clock back: what is stored seems to be of just now.
    walk.time = Walk.noon
    walk.happen(.storageRead(.value(Self.stored("session-1")), seen: seen))

    walk.show()

    #expect((walk.signedIn != nil) == isShown)
    #expect((walk.confirming != nil) == !isShown)
  }

  @Test("S-07 whoever was let in at another window meanwhile is let in here")
  func letInElsewhere() {
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

  @Test("L-31 out of sight before the server has told its time is told by that time afterwards")
  func hiddenUntold() {
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

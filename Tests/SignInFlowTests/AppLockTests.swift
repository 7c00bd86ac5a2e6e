import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

/// An app that shows nothing until its owner unlocks it.
@Suite struct AppLockTests {
  @Test("S-02 a cold start of a sealed session shows the account's name and sends no request")
  func coldStart() {
    let walk = Walk.appLocked()

    #expect(walk.lock?.card.name == "Tess Technician")
    #expect(walk.lock?.card.organization == "north")
    #expect(walk.flow.phase == .locked(.unlockNeeded))
    #expect(!walk.isCalling)
    #expect(walk.focus == .unlock)
  }

  @Test("S-02 unlocking opens the app and its session")
  func opens() {
    var walk = Walk.unlocking()
    #expect(walk.effects.contains(.unlock))

    walk.happen(.device(.unlocked(.value(Walk.stored(1, expiresIn: 300)))))

    #expect(walk.signedIn?.hasLock == true)
    #expect(walk.call(to: "/api/jobs") != nil)
    #expect(walk.flow.phase == .active(offlineSince: nil))
  }

  @Test(
    "S-06 S-07 the app locks at the background timeout, before it shows anything, and not earlier")
  func backgroundLock() {
    for (seconds, isLocked) in [(Int64(299), false), (300, true), (301, true)] {
      var walk = Walk.unlocked()
      walk.hide()
      walk.elapse(seconds: seconds)

      walk.show()

      #expect((walk.lock != nil) == isLocked, "\(seconds)")
      #expect(walk.effects.contains(.lock) == isLocked)
      #expect(!isLocked || walk.lock?.card.name == "Tess Technician")
    }
  }

  @Test("S-06 the app locks while it is hidden, as soon as the time-out has passed")
  func locksWhileHidden() {
    var walk = Walk.unlocked()
    walk.hide()

    walk.pass(seconds: 300)

    #expect(walk.lock != nil)
  }

  @Test("L-31 a clock put forward locks the app; a clock put back locks it too")
  func movedClock() {
    for seconds: Int64 in [300, -3] {
      var walk = Walk.unlocked()
      walk.hide()
      walk.time = walk.time.adding(seconds: seconds)

      walk.show()

      #expect(walk.lock != nil, "\(seconds)")
    }
  }

  @Test("L-31 putting the clock back during the absence does not hide the elapsed time")
  func steadyClock() {
    var walk = Walk.unlocked()
    walk.hide()
    walk.steady = 300_000

    walk.show()

    #expect(walk.lock != nil)
  }

  @Test("L-30 the unlock prompt does not lock the app again")
  func prompt() {
    var walk = Walk.unlocking()
    walk.hide()
    walk.elapse(seconds: 600)
    walk.happen(.device(.unlocked(.value(Walk.stored(1, expiresIn: 3600)))))

    walk.show()

    #expect(walk.signedIn != nil)
  }

  @Test("L-30 a cancelled or busy prompt destroys nothing; changed biometrics need one new sign-in")
  func failures() {
    for failure in [LockFailure.cancelled, .busy] {
      var walk = Walk.unlocking()
      walk.happen(.device(.unlockFailed(failure)))
      #expect(walk.lock?.isUnlocking == false)
      #expect(walk.lock?.notice != nil)
      #expect(!walk.effects.contains(.eraseSession))
    }

    var walk = Walk.unlocking()
    walk.happen(.device(.unlockFailed(.changed)))
    #expect(walk.signIn?.notice == .session(.lockChanged))
    #expect(walk.effects.contains(.eraseSession))
  }

  private static let cardWithSession =
    #"{"version":1,"name":"Tess","organization":"north","session":"session-0"}"#

  private func lockedWithSession() -> Walk {
    var walk = Walk.opened()
    walk.happen(.storageRead(.locked(card: Self.cardWithSession)))
    return walk
  }

  @Test("S-04 S-08 signing in another way ends the locked session at the server")
  func otherWayEndsIt() throws {
    var walk = lockedWithSession()
    walk.press(.useAnotherWay)
    #expect(walk.effects.isEmpty)

    walk.signInAgain()

    guard case .saveSession(let saved)? = walk.effects.first else {
      Issue.record("not saved")
      return
    }
    #expect(saved.revealed.contains(#""left_behind":"session-0""#))
    let call = try #require(walk.call(to: "/api/sessions/session-0"))
    #expect(call.call.method == .delete)
    walk.happen(.answered(call.id, .received(status: 204, body: .null, serverSeconds: nil)))
    guard case .replaceSession(_, let kept)? = walk.effects.first else {
      Issue.record("still queued")
      return
    }
    #expect(!kept.revealed.contains("left_behind"))
  }

  @Test("L-32 a session that could not be ended stays queued over a restart and without a network")
  func leftBehindIsQueued() throws {
    var walk = lockedWithSession()
    walk.press(.useAnotherWay)
    walk.signInAgain()
    guard case .saveSession(let saved)? = walk.effects.first else {
      Issue.record("not saved")
      return
    }
    let call = try #require(walk.call(to: "/api/sessions/session-0"))
    walk.happen(.answered(call.id, .noNetwork))
    #expect(!walk.effects.contains { if case .replaceSession = $0 { true } else { false } })
    walk.happen(.networkReturned)
    #expect(walk.call(to: "/api/sessions/session-0") != nil)

    var again = Walk.opened()
    again.happen(.storageRead(.value(saved.revealed)))
    let repeated = try #require(again.call(to: "/api/sessions/session-0"))
    // An account that does not have this session gets 404, which also completes the request.
    again.happen(.answered(repeated.id, .received(status: 404, body: .null, serverSeconds: nil)))
    again.happen(.networkReturned)
    #expect(again.call(to: "/api/sessions/session-0") == nil)
  }

  @Test("L-30 L-32 the session of a lock that can never be opened is ended after the next sign-in")
  func destroyedIsQueued() throws {
    var walk = lockedWithSession()
    walk.press(.unlock)
    walk.happen(.device(.unlockFailed(.changed)))
    guard case .savePendingRevocation(let left)? = walk.effects.first else {
      Issue.record("nothing left")
      return
    }
    #expect(left.revealed == #"{"version":1,"left_behind":"session-0"}"#)

    var again = Walk.opened()
    again.happen(.storageRead(.value(left.revealed)))
    #expect(again.signIn != nil && !again.isCalling)
    again.signInAgain()

    #expect(again.call(to: "/api/sessions/session-0") != nil)
  }

  @Test("S-06 another way leads to the login screen and destroys nothing")
  func otherWay() {
    var walk = Walk.appLocked()

    walk.press(.useAnotherWay)

    #expect(walk.signIn != nil)
    #expect(walk.effects.isEmpty)
  }

  @Test("P-07 a lock is offered after signing in if the device supports it, and set on request")
  func offered() throws {
    var walk = Walk.signedIn()
    walk.happen(.device(.lockSupportChecked(true)))
    #expect(walk.signedIn?.sheet == .lockOffered)

    walk.press(.setLock)
    guard case .setLock(let session, let card)? = walk.effects.first else {
      Issue.record("not set")
      return
    }
    #expect(session.revealed.contains("refresh-1"))
    #expect(!card.revealed.contains("refresh-1"))
    walk.happen(.device(.lockSet))

    #expect(walk.signedIn?.hasLock == true)
    #expect(walk.signedIn?.notice == .session(.lockSet))
  }

  @Test(
    "S-06 after a lock is set the token is renewed twice, so that the one stored before is invalid")
  func renewedAfterLock() throws {
    var walk = Walk.settingLock()
    walk.happen(.device(.lockSet))
    #expect(walk.effects.contains(.claimRenewal))

    for number in Int64(1)...2 {
      let stored = try #require(walk.renewingSession?.record.text.revealed)
      walk.happen(.renewalClaimed(.value(stored)))
      #expect(walk.lastCall?.call.form?["refresh_token"] == "refresh-\(number)")
      walk.answer(200, Walk.tokens(number + 1, expiresIn: 300).json)
      #expect(walk.effects.contains(.claimRenewal) == (number == 1))
    }
  }

  @Test("S-06 the renewals after a lock follow even if the account is read in between")
  func renewedBesideTheAccount() throws {
    var walk = Walk.signedIn()
    let account = try #require(walk.call(to: Endpoint.me))
    walk.happen(.device(.lockSupportChecked(true)))
    walk.press(.setLock)
    walk.happen(.device(.lockSet))
    let stored = try #require(walk.renewingSession?.record.text)
    walk.happen(
      .answered(
        account.id,
        .received(status: 200, body: Walk.account.json, serverSeconds: walk.serverNow.seconds)))

    walk.happen(.renewalClaimed(.value(stored.revealed)))

    #expect(walk.effects == [.releaseRenewal, .claimRenewal])
    walk.happen(.renewalClaimed(.value(stored.revealed)))
    #expect(walk.lastCall?.call.form?["refresh_token"] == "refresh-1")
  }

  @Test("L-25 without a network the renewals after a lock wait for the next request")
  func renewedLater() throws {
    var walk = Walk.settingLock()
    walk.happen(.device(.lockSet))
    let stored = try #require(walk.renewingSession?.record.text.revealed)
    walk.happen(.renewalClaimed(.value(stored)))

    walk.fail()

    #expect(walk.effects == [.releaseRenewal])
    walk.press(.refresh)
    #expect(walk.effects.contains(.claimRenewal))
  }

  @Test("P-07 Not now ends the offer; the menu still offers the lock")
  func declined() {
    var walk = Walk.signedIn()
    walk.happen(.device(.lockSupportChecked(true)))

    walk.press(.notNow)
    walk.happen(.device(.lockSupportChecked(true)))

    #expect(walk.signedIn?.sheet == nil)
    walk.press(.setLock)
    #expect(!walk.effects.isEmpty)
  }

  @Test("S-04 signing out replaces session and lock by a pending revocation in one step")
  func signOut() {
    var walk = Walk.unlocked()

    walk.press(.signOut)

    guard case .savePendingRevocation(let text)? = walk.effects.first else {
      Issue.record("no tombstone")
      return
    }
    #expect(PendingRevocation(text: text.revealed) != nil)
  }

  @Test("L-22 a tab without the key locks when another tab has set a lock")
  func otherTabSetLock() {
    var walk = Walk.opened()
    walk.happen(.storageRead(.value(Walk.stored(1, expiresIn: 0))))

    walk.happen(.renewalClaimed(.locked(card: Walk.card)))

    #expect(walk.lock != nil)
    #expect(walk.effects.first == .releaseRenewal)
    #expect(walk.effects.contains(.lock), "what is in memory is forgotten")
  }

  // MARK: The organization requires a lock that the device does not have

  @Test("S-06 without a lock, the background timeout ends the session and says why")
  func awayTooLong() {
    for (seconds, isOver) in [(Int64(299), false), (300, true), (301, true)] {
      var walk = Walk.withoutLock()
      walk.hide()
      walk.elapse(seconds: seconds)

      walk.show()

      #expect((walk.signIn?.notice == .session(.awayTooLong)) == isOver, "\(seconds)")
    }
  }

  @Test("L-31 a time-out by the device's clock alone is confirmed by the server before a sign-out")
  func onlyTheClock() {
    var walk = Walk.withoutLock()
    walk.hide()
    walk.time = walk.time.adding(seconds: 300)

    walk.show()

    #expect(walk.confirming != nil)
    #expect(walk.flow.phase == .locked(.confirmationNeeded))
  }

  @Test("L-29 L-31 a clock put forward after the server gave its time ends no session")
  func clockAfterAnswer() {
    for seconds: Int64 in [-7200, 7200] {
      var walk = Walk.withoutLock()
      walk.press(.refresh)
      walk.answer(200, walk.jobsBody)
      walk.time = walk.time.adding(seconds: seconds)

      walk.happen(.ticked)

      #expect(walk.signIn == nil, "\(seconds)")
      #expect(walk.confirming != nil, "\(seconds)")
    }
  }

  @Test("L-31 sleep of the device is recognized by the server's time, to a minute")
  func slept() {
    for (seconds, isOver) in [(Int64(359), false), (360, true)] {
      var walk = Walk.withoutLock()
      walk.press(.refresh)
      walk.answer(200, walk.jobsBody)
      walk.press(.refresh)
      let asked = walk.effects
      walk.hide()
      // The steady clock has stopped.
      walk.time = walk.time.adding(seconds: seconds)
      walk.effects = asked
      walk.answer(200, walk.jobsBody)

      walk.show()

      #expect((walk.signIn?.notice == .session(.awayTooLong)) == isOver, "\(seconds)")
    }
  }

  @Test("L-31 killed and opened again after the time-out, the server's time decides")
  func killedAndOpened() throws {
    for (ahead, isOver) in [(Int64(0), true), (-399, false)] {
      var walk = Walk.confirming()
      #expect(walk.confirming != nil)
      #expect(!walk.isCalling)
      walk.serverAheadSeconds = ahead
      let stored = Walk.stored(1, expiresIn: 3600, unlock: "biometric")
      walk.happen(.renewalClaimed(.value(stored)))
      let tokens = Walk.tokens(
        2, expiresIn: 3600, terms: Walk.terms(of: "session-1", unlock: "biometric"))
      walk.answer(200, tokens.json)
      walk.answer(200, Walk.account.json)
      walk.happen(.storageRead(.value(stored)))

      #expect((walk.signIn?.notice == .session(.awayTooLong)) == isOver, "\(ahead)")
      #expect((walk.signedIn != nil) == !isOver, "\(ahead)")
    }
  }

  @Test(
    "L-20 without a network the device's clock alone signs no session out, and nothing is shown")
  func confirmingOffline() {
    var walk = Walk.confirming()
    walk.happen(.renewalClaimed(.value(Walk.stored(1, expiresIn: 3600, unlock: "biometric"))))

    walk.fail(.noNetwork)

    #expect(walk.confirming?.account.problem == .noConnection)
    walk.press(.tryAgain)
    #expect(walk.effects.contains(.claimRenewal))
  }

  @Test("S-06 a device that cannot lock says so after signing in")
  func impossible() {
    var walk = Walk.redeeming()
    let terms = Walk.terms(of: "session-1", unlock: "biometric")
    walk.answer(200, Walk.tokens(1, expiresIn: 300, terms: terms).json)

    walk.happen(.device(.lockSupportChecked(false)))

    #expect(walk.signedIn?.notice == .session(.lockImpossible))
  }

  // MARK: Idle

  @Test("S-07 a warning comes a minute before the end, and one press keeps the session")
  func idleWarning() {
    var walk = Walk.unlocked()
    stay(&walk, seconds: 3539)
    #expect(walk.signedIn?.sheet == nil)
    stay(&walk, seconds: 1)
    #expect(walk.signedIn?.sheet == .idleWarning(until: walk.serverNow.adding(seconds: 60)))

    walk.happen(.device(.used))
    #expect(walk.signedIn?.sheet != nil)
    walk.press(.staySignedIn)

    #expect(walk.signedIn?.sheet == nil)
    stay(&walk, seconds: 100)
    #expect(walk.signedIn != nil)
  }

  @Test("S-07 the session ends after the idle timeout, to the second, and says why")
  func idleEnd() {
    var walk = Walk.unlocked()
    stay(&walk, seconds: 3599)
    #expect(walk.signedIn != nil)

    stay(&walk, seconds: 1)

    #expect(walk.signIn?.notice == .session(.idleTooLong))
    #expect(walk.call(to: "/oauth/revoke") != nil)
  }

  @Test("L-31 a cold start after the idle timeout asks the server before it shows anything")
  func idleAtColdStart() {
    var before = Walk.unlocked()
    before.hide()
    var walk = Walk.opened()
    walk.time = walk.time.adding(seconds: 3600)

    walk.happen(.storageRead(.value(Walk.stored(1, expiresIn: 300)), seen: before.seen))

    #expect(walk.confirming != nil)
    #expect(!walk.isCalling)
  }

  @Test("S-07 activity in another tab of the app keeps this tab from being idle")
  func otherTab() {
    var walk = Walk.withoutLock()
    walk.hide()
    for _ in 0..<40 {
      walk.pass(seconds: 100)
      walk.happen(.device(.userActiveInOtherTab))
    }
    #expect(walk.signedIn != nil)

    walk.show()

    #expect(walk.signedIn != nil)
  }

  @Test("S-07 an app that was hidden longer than the idle timeout asks the server first")
  func idleWhileHidden() {
    var walk = Walk.atJobs()
    walk.steady = 0
    walk.hide()
    walk.pass(seconds: 3600)
    #expect(walk.signedIn != nil)

    walk.show()

    #expect(walk.confirming != nil)
  }

  /// Passes time in sight, second by second, without activity.
  private func stay(_ walk: inout Walk, seconds: Int64) {
    for _ in 0..<seconds { walk.pass(seconds: 1) }
  }
}

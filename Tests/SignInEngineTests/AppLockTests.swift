import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine

/// An app that shows nothing until its owner unlocks it.
@Suite struct AppLockTests {
  @Test("S-02 a cold start of a sealed session shows the account's name and sends no request")
  func coldStart() {
    let driver = EngineDriver.appLocked()

    #expect(driver.lock?.card.name == "Tess Technician")
    #expect(driver.lock?.card.organization == "north")
    #expect(driver.flow.phase == .locked(.unlockNeeded))
    #expect(!driver.isCalling)
    #expect(driver.shownPart == .unlock)
  }

  @Test("S-02 unlocking opens the app and its session")
  func opens() {
    var driver = EngineDriver.unlocking()
    #expect(driver.effects.contains(.unlock))

    driver.handle(.session(.unlocked(.value(EngineDriver.stored(1, expiresIn: 300)))))

    #expect(driver.signedIn?.hasLock == true)
    #expect(driver.call(to: Endpoint.me.path) != nil)
    #expect(driver.flow.phase == .active(offlineSince: nil))
  }

  @Test("S-02 S-05 a locked app shows the name of the organization, never its identifier")
  func organizationName() throws {
    var driver = EngineDriver.unlocking()
    driver.handle(.session(.unlocked(.value(EngineDriver.stored(1, expiresIn: 3600)))))
    #expect(driver.signedIn?.lockCard.organization == "", "its name is not known yet")

    let account = AccountAnswer(
      id: AccountID("a1"), name: "Tess Technician", email: nil, phone: nil, role: "technician",
      organizations: [
        OrganizationEntry(id: OrganizationID("south"), name: "South"),
        OrganizationEntry(id: OrganizationID("north"), name: "North Region"),
      ],
      session: EngineDriver.terms)
    let asked = try #require(driver.call(to: Endpoint.me.path))
    driver.handle(
      .answered(
        asked.id,
        .received(status: 200, body: account.json, serverSeconds: driver.serverNow.seconds)))

    #expect(driver.signedIn?.lockCard.organization == "North Region")
    let stored = driver.effects.compactMap { effect -> AppLock.LockedContent? in
      guard case .saveAccountSummary(let text) = effect else { return nil }
      return AppLock.LockedContent(text: text.revealed)
    }
    #expect(stored.last?.organization == "North Region")
    // The next run of the app knows it without a network, and only for this organization.
    let record = try #require(driver.renewingSession?.record)
    var next = EngineDriver.unlocking()
    next.handle(.session(.unlocked(.value(record.text))))
    #expect(next.signedIn?.lockCard.organization == "North Region")
    var other = record
    other.terms = EngineDriver.terms(of: "session-1", organization: "south")
    next = EngineDriver.unlocking()
    next.handle(.session(.unlocked(.value(other.text))))
    #expect(next.signedIn?.lockCard.organization == "")
  }

  @Test("S-04 P-07 a sign-out remembers that the passkey of the lock remains on the device")
  func passkeyLeft() {
    var driver = EngineDriver.unlocked()
    driver.signOut()
    #expect(driver.flow.context.hasLeftPasskey)

    var without = EngineDriver.active()
    without.signOut()
    #expect(!without.flow.context.hasLeftPasskey)
  }

  @Test(
    "S-06 S-07 the app locks at the background timeout, before it shows anything, and not earlier")
  func backgroundLock() {
    for (seconds, isLocked) in [(Int64(299), false), (300, true), (301, true)] {
      var driver = EngineDriver.unlocked()
      driver.hide()
      driver.elapse(seconds: seconds)

      driver.show()

      #expect((driver.lock != nil) == isLocked, "\(seconds)")
      #expect(driver.effects.contains(.lock) == isLocked)
      #expect(!isLocked || driver.lock?.card.name == "Tess Technician")
    }
  }

  @Test("S-06 the app locks while it is hidden, as soon as the time-out has passed")
  func locksWhileHidden() {
    var driver = EngineDriver.unlocked()
    driver.hide()

    driver.pass(seconds: 300)

    #expect(driver.lock != nil)
  }

  @Test("L-31 a clock put forward locks the app; a clock put back locks it too")
  func movedClock() {
    for seconds: Int64 in [300, -3] {
      var driver = EngineDriver.unlocked()
      driver.hide()
      driver.time = driver.time.adding(seconds: seconds)

      driver.show()

      #expect(driver.lock != nil, "\(seconds)")
    }
  }

  @Test("L-31 putting the clock back during the absence does not hide the elapsed time")
  func steadyClock() {
    var driver = EngineDriver.unlocked()
    driver.hide()
    driver.steady = 300_000

    driver.show()

    #expect(driver.lock != nil)
  }

  @Test("L-30 the unlock prompt does not lock the app again")
  func prompt() {
    var driver = EngineDriver.unlocking()
    driver.hide()
    driver.elapse(seconds: 600)
    driver.handle(.session(.unlocked(.value(EngineDriver.stored(1, expiresIn: 3600)))))

    driver.show()

    #expect(driver.signedIn != nil)
  }

  @Test("L-30 a cancelled or busy prompt destroys nothing; changed biometrics need one new sign-in")
  func failures() {
    for failure in [LockFailure.cancelled, .busy] {
      var driver = EngineDriver.unlocking()
      driver.handle(.session(.unlockFailed(failure)))
      #expect(driver.lock?.isUnlocking == false)
      #expect(driver.lock?.notice != nil)
      #expect(!driver.effects.contains(.eraseSession))
    }

    var driver = EngineDriver.unlocking()
    driver.handle(.session(.unlockFailed(.changed)))
    #expect(driver.signedOut?.notice == .session(.lockChanged))
    #expect(driver.effects.contains(.eraseSession))
  }

  private static let cardWithSession =
    #"{"version":1,"name":"Tess","organization":"north","session":"session-0"}"#

  private func lockedWithSession() -> EngineDriver {
    EngineDriver.opened(.locked(card: Secret(Self.cardWithSession)))
  }

  @Test("S-04 S-08 signing in another way ends the locked session at the server")
  func otherWayEndsIt() throws {
    var driver = lockedWithSession()
    driver.signInInstead()
    #expect(driver.effects.isEmpty)

    driver.completeSignIn()

    guard case .saveSession(let saved)? = driver.effects.first else {
      Issue.record("not saved")
      return
    }
    #expect(saved.revealed.contains(#""left_behind":"session-0""#))
    let call = try #require(driver.call(to: "/api/sessions/session-0"))
    #expect(call.call.method == .delete)
    driver.handle(.answered(call.id, .received(status: 204, body: .null, serverSeconds: nil)))
    guard case .replaceSession(_, let kept)? = driver.effects.first else {
      Issue.record("still queued")
      return
    }
    #expect(!kept.revealed.contains("left_behind"))
  }

  @Test("L-32 a session that could not be ended stays queued over a restart and without a network")
  func leftBehindIsQueued() throws {
    var driver = lockedWithSession()
    driver.signInInstead()
    driver.completeSignIn()
    guard case .saveSession(let saved)? = driver.effects.first else {
      Issue.record("not saved")
      return
    }
    let call = try #require(driver.call(to: "/api/sessions/session-0"))
    driver.handle(.answered(call.id, .noNetwork))
    #expect(!driver.effects.contains { if case .replaceSession = $0 { true } else { false } })
    driver.handle(.device(.networkReturned))
    #expect(driver.call(to: "/api/sessions/session-0") != nil)

    var again = EngineDriver.opened()
    again.handle(.storage(.read(.value(saved.revealed))))
    let repeated = try #require(again.call(to: "/api/sessions/session-0"))
    // An account that does not have this session gets 404, which also completes the request.
    again.handle(.answered(repeated.id, .received(status: 404, body: .null, serverSeconds: nil)))
    again.handle(.device(.networkReturned))
    #expect(again.call(to: "/api/sessions/session-0") == nil)
  }

  @Test("L-30 L-32 the session of a lock that can never be opened is ended after the next sign-in")
  func destroyedIsQueued() throws {
    var driver = lockedWithSession()
    driver.unlock()
    driver.handle(.session(.unlockFailed(.changed)))
    guard case .savePendingRevocation(let left)? = driver.effects.first else {
      Issue.record("nothing left")
      return
    }
    #expect(left.revealed == #"{"version":1,"left_behind":"session-0"}"#)

    var again = EngineDriver.opened()
    again.handle(.storage(.read(.value(left.revealed))))
    #expect(again.signedOut != nil && !again.isCalling)
    again.completeSignIn()

    #expect(again.call(to: "/api/sessions/session-0") != nil)
  }

  @Test("S-06 another way leads to the login screen and destroys nothing")
  func otherWay() {
    var driver = EngineDriver.appLocked()

    driver.signInInstead()

    #expect(driver.signedOut != nil)
    #expect(driver.effects.isEmpty)
  }

  @Test("P-07 a lock is offered after signing in if the device supports it, and set on request")
  func offered() throws {
    var driver = EngineDriver.signedIn()
    driver.handle(.session(.lockSupportChecked(true)))
    #expect(driver.signedIn?.sheet == .lockOffered)

    driver.setLock()
    guard case .setLock(let session, let card)? = driver.effects.first else {
      Issue.record("not set")
      return
    }
    #expect(session.revealed.contains("refresh-1"))
    #expect(!card.revealed.contains("refresh-1"))
    driver.handle(.session(.lockSet))

    #expect(driver.signedIn?.hasLock == true)
    #expect(driver.signedIn?.notice == .session(.lockSet))
  }

  @Test("S-04 signing out replaces session and lock by a pending revocation in one step")
  func signOut() {
    var driver = EngineDriver.unlocked()

    driver.signOut()

    guard case .savePendingRevocation(let text)? = driver.effects.first else {
      Issue.record("no tombstone")
      return
    }
    #expect(PendingRevocations(text: text) != nil)
  }

  @Test("L-22 a tab without the key locks when another tab has set a lock")
  func otherTabSetLock() {
    var driver = EngineDriver.opened(.value(EngineDriver.stored(1, expiresIn: 0)))

    driver.handle(.storage(.renewalClaimed(.locked(card: Secret(EngineDriver.card)))))

    #expect(driver.lock != nil)
    #expect(driver.effects.first == .releaseRenewal)
    #expect(driver.effects.contains(.lock), "what is in memory is forgotten")
  }

  // MARK: The organization requires a lock that the device does not have

  @Test("S-06 without a lock, the background timeout ends the session and says why")
  func awayTooLong() {
    for (seconds, isOver) in [(Int64(299), false), (300, true), (301, true)] {
      var driver = EngineDriver.withoutLock()
      driver.hide()
      driver.elapse(seconds: seconds)

      driver.show()

      #expect((driver.signedOut?.notice == .session(.awayTooLong)) == isOver, "\(seconds)")
    }
  }

  @Test("L-31 a time-out by the device's clock alone is confirmed by the server before a sign-out")
  func onlyTheClock() {
    var driver = EngineDriver.withoutLock()
    driver.hide()
    driver.time = driver.time.adding(seconds: 300)

    driver.show()

    #expect(driver.confirming != nil)
    #expect(driver.flow.phase == .locked(.confirmationNeeded))
  }

  @Test("L-29 L-31 a clock put forward after the server gave its time ends no session")
  func clockAfterAnswer() {
    for seconds: Int64 in [-7200, 7200] {
      var driver = EngineDriver.withoutLock()
      driver.request()
      driver.answer(200, .null)
      driver.time = driver.time.adding(seconds: seconds)

      driver.handle(.ticked)

      #expect(driver.signedOut == nil, "\(seconds)")
      #expect(driver.confirming != nil, "\(seconds)")
    }
  }

  @Test("L-31 sleep of the device is recognized by the server's time, to a minute")
  func slept() {
    for (seconds, isOver) in [(Int64(359), false), (360, true)] {
      var driver = EngineDriver.withoutLock()
      driver.request()
      driver.answer(200, .null)
      driver.request()
      let asked = driver.effects
      driver.hide()
      // The steady clock has stopped.
      driver.time = driver.time.adding(seconds: seconds)
      driver.effects = asked
      driver.answer(200, .null)

      driver.show()

      #expect((driver.signedOut?.notice == .session(.awayTooLong)) == isOver, "\(seconds)")
    }
  }

  @Test("L-31 killed and opened again after the time-out, the server's time decides")
  func killedAndOpened() throws {
    for (ahead, isOver) in [(Int64(0), true), (-399, false)] {
      var driver = EngineDriver.confirming()
      #expect(driver.confirming != nil)
      #expect(!driver.isCalling)
      driver.serverAheadSeconds = ahead
      let stored = EngineDriver.stored(1, expiresIn: 3600, unlock: "biometric")
      driver.handle(.storage(.renewalClaimed(.value(stored))))
      let tokens = EngineDriver.tokens(
        2, expiresIn: 3600, terms: EngineDriver.terms(of: "session-1", unlock: "biometric"))
      driver.answer(200, tokens.json)
      driver.answer(200, EngineDriver.account.json)
      driver.handle(.storage(.read(.value(stored))))

      #expect((driver.signedOut?.notice == .session(.awayTooLong)) == isOver, "\(ahead)")
      #expect((driver.signedIn != nil) == !isOver, "\(ahead)")
    }
  }

  @Test(
    "L-20 without a network the device's clock alone signs no session out, and nothing is shown")
  func confirmingOffline() {
    var driver = EngineDriver.confirming()
    driver.handle(
      .storage(
        .renewalClaimed(.value(EngineDriver.stored(1, expiresIn: 3600, unlock: "biometric")))))

    driver.fail(.noNetwork)

    #expect(driver.confirming?.account.problem == .noConnection)
    driver.tryAgain()
    #expect(driver.effects.contains(.claimRenewal))
  }

  @Test("S-06 a device that cannot lock says so after signing in")
  func impossible() {
    var driver = EngineDriver.redeeming()
    let terms = EngineDriver.terms(of: "session-1", unlock: "biometric")
    driver.answer(200, EngineDriver.tokens(1, expiresIn: 300, terms: terms).json)

    driver.handle(.session(.lockSupportChecked(false)))

    #expect(driver.signedIn?.notice == .session(.lockImpossible))
  }

  // MARK: Idle

  @Test("S-07 a warning comes a minute before the end, and one press keeps the session")
  func idleWarning() {
    var driver = EngineDriver.unlocked()
    stay(&driver, seconds: 3539)
    #expect(driver.signedIn?.sheet == nil)
    stay(&driver, seconds: 1)
    #expect(driver.signedIn?.sheet == .idleWarning(until: driver.serverNow.adding(seconds: 60)))

    driver.handle(.device(.used))
    #expect(driver.signedIn?.sheet != nil)
    driver.staySignedIn()

    #expect(driver.signedIn?.sheet == nil)
    stay(&driver, seconds: 100)
    #expect(driver.signedIn != nil)
  }

  @Test("S-07 the session ends after the idle timeout, to the second, and says why")
  func idleEnd() {
    var driver = EngineDriver.unlocked()
    stay(&driver, seconds: 3599)
    #expect(driver.signedIn != nil)

    stay(&driver, seconds: 1)

    #expect(driver.signedOut?.notice == .session(.idleTooLong))
    #expect(driver.call(to: "/oauth/revoke") != nil)
  }

  @Test("L-31 a cold start after the idle timeout asks the server before it shows anything")
  func idleAtColdStart() {
    var before = EngineDriver.unlocked()
    before.hide()
    var driver = EngineDriver.opened()
    driver.time = driver.time.adding(seconds: 3600)

    driver.handle(
      .storage(.read(.value(EngineDriver.stored(1, expiresIn: 300)), seen: before.seen)))

    #expect(driver.confirming != nil)
    #expect(!driver.isCalling)
  }

  @Test("S-07 activity in another tab of the app keeps this tab from being idle")
  func otherTab() {
    var driver = EngineDriver.withoutLock()
    driver.hide()
    for _ in 0..<40 {
      driver.pass(seconds: 100)
      driver.handle(.device(.userActiveInOtherTab))
    }
    #expect(driver.signedIn != nil)

    driver.show()

    #expect(driver.signedIn != nil)
  }

  @Test("S-07 an app that was hidden longer than the idle timeout asks the server first")
  func idleWhileHidden() {
    var driver = EngineDriver.active()
    driver.steady = 0
    driver.hide()
    driver.pass(seconds: 3600)
    #expect(driver.signedIn != nil)

    driver.show()

    #expect(driver.confirming != nil)
  }

  /// Passes time while the app is visible, second by second, without activity.
  private func stay(_ driver: inout EngineDriver, seconds: Int64) {
    for _ in 0..<seconds { driver.pass(seconds: 1) }
  }
}

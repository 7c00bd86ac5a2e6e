import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine

/// Storing, renewing and ending a session.
@Suite struct SessionStorageTests {
  private func renewing(_ number: Int64 = 1) -> EngineDriver {
    var driver = EngineDriver.opened(.value(EngineDriver.stored(number, expiresIn: 0)))
    driver.handle(.storage(.renewalClaimed(.value(EngineDriver.stored(number, expiresIn: 0)))))
    return driver
  }

  private static let told = EndReason.allCases.filter { $0.told == $0 }

  @Test("S-08 S-03 each reason has its own notice", arguments: told)
  func reasons(_ reason: EndReason) {
    var driver = renewing()

    driver.refuse(.invalidGrant) { $0.reason = reason.rawValue }

    #expect(driver.signedOut?.notice == reason.notice)
    #expect(driver.flow.phase == .signedOut(reason.notice))
    #expect(driver.erasesWhatItHeld)
    let others = Self.told.filter { $0 != reason && $0.notice == reason.notice }
    #expect(others.isEmpty)
  }

  @Test("S-03 an unknown reason still ends the session")
  func unknownReason() {
    var driver = renewing()

    driver.refuse(.invalidGrant) { $0.reason = "moon_phase" }

    #expect(driver.signedOut?.notice == .sessionEnded)
  }

  @Test("L-02 the session of a locked account pauses and is not signed out")
  func rests() throws {
    var driver = renewing()
    let renewal = driver.effects
    driver.request(ticket: 7)
    driver.effects = renewal
    let until = driver.serverNow.adding(seconds: 900)

    driver.refuse(.accountLocked) { $0.lockedUntil = until }

    let reason = driver.takeAnswers()[7]?.notice(at: driver.serverNow)
    #expect(reason == .session(.lockedOut(until: until)))
    #expect(driver.signedIn != nil)
    #expect(!driver.erasesWhatItHeld)
  }

  @Test("L-23 if the new token could not be stored, the token before it is renewed again")
  func saveFailed() throws {
    var driver = renewing()
    driver.answer(200, EngineDriver.tokens(2, expiresIn: 60).json)
    driver.answerRequests()
    driver.handle(.storage(.saveFailed))
    #expect(driver.signedIn?.notice == nil)
    driver.elapse(seconds: 60)
    driver.request()

    driver.handle(.storage(.renewalClaimed(.value(EngineDriver.stored(1, expiresIn: 0)))))
    driver.handle(.storage(.renewalClaimed(.value(EngineDriver.stored(1, expiresIn: 0)))))

    #expect(driver.lastCall?.call.form?["refresh_token"] == "refresh-1")
  }

  @Test("L-23 storage that cannot be read after a failed save is read again later")
  func saveFailedThenUnreadable() {
    var driver = renewing()
    driver.answer(200, EngineDriver.tokens(2, expiresIn: 0).json)
    driver.handle(.storage(.saveFailed))

    driver.handle(.storage(.renewalClaimed(.temporarilyUnreadable)))

    #expect(driver.effects == [.releaseRenewal])
  }

  @Test("L-24 a renewed token never replaces a session that another tab has stored since")
  func storedSince() {
    var driver = renewing()
    driver.answer(200, EngineDriver.tokens(2, expiresIn: 300).json)
    let other = EngineDriver.stored(9, expiresIn: 300, session: "session-9")

    driver.handle(.storage(.sessionChanged(.value(other))))

    #expect(driver.renewingSession?.record.terms.id == SessionID("session-9"))
    #expect(driver.signedIn?.account.value == nil)
    #expect(
      driver.call(to: Endpoint.me.path)?.call.authorization == .proofWithToken(Secret("access-9")))
  }

  @Test("L-24 S-04 a renewal does not undo a sign-out in another tab")
  func signedOutSince() {
    var driver = renewing()
    driver.answer(200, EngineDriver.tokens(2, expiresIn: 300).json)

    driver.handle(
      .storage(.sessionChanged(.value(PendingRevocations([Secret("refresh-1")]).text.revealed))))

    #expect(driver.signedOut?.notice == .signedOut)
    #expect(!driver.erasesWhatItHeld)
  }

  @Test("S-04 a session that a late pending revocation replaced also ends at the server")
  func lateRevocation() {
    var driver = EngineDriver.opened(.value(EngineDriver.stored(1, expiresIn: 300)))
    let late = PendingRevocations(
      [Secret("refresh-00"), Secret("refresh-0")])

    driver.handle(.storage(.sessionChanged(.value(late.text.revealed))))

    #expect(driver.signedOut?.notice == .signedOut)
    let both = PendingRevocations(
      [Secret("refresh-00"), Secret("refresh-0"), Secret("refresh-1")])
    #expect(driver.effects.first == .replaceSession(late.text, with: both.text))
    let revoked = driver.effects.compactMap { effect in
      if case .call(_, let call) = effect { call.form?["token"] } else { nil }
    }
    #expect(revoked == ["refresh-00", "refresh-0", "refresh-1"])
  }

  @Test("S-04 a session that a sign-out replaced also ends at the server")
  func replacedBySignOut() {
    var driver = EngineDriver.opened(.value(EngineDriver.stored(1, expiresIn: 300)))
    driver.signOut()
    let newer = EngineDriver.stored(7, expiresIn: 300, session: "session-7")

    driver.handle(.storage(.storedSessionReplaced(.value(newer))))

    let both = PendingRevocations(
      [Secret("refresh-1"), Secret("refresh-7")])
    #expect(
      driver.effects.first
        == .replaceSession(PendingRevocations([Secret("refresh-1")]).text, with: both.text))
    #expect(driver.call(to: Endpoint.revoke.path)?.call.form?["token"] == "refresh-7")
  }

  @Test(
    "S-04 a pending revocation that replaced nothing new sends nothing more",
    arguments: [
      .absent, .temporarilyUnreadable, .value(EngineDriver.stored(1, expiresIn: 300)),
      .value("damaged"),
    ] as [StorageReading])
  func nothingNewReplaced(_ replaced: StorageReading) {
    var driver = EngineDriver.opened(.value(EngineDriver.stored(1, expiresIn: 300)))
    driver.signOut()

    driver.handle(.storage(.storedSessionReplaced(replaced)))

    #expect(driver.effects.isEmpty)
  }

  @Test("S-08 an older record in storage does not end a session that has a newer token")
  func refusedTwice() {
    var driver = EngineDriver.active()
    driver.request()
    let body = JSON.members([
      JSONMember("code", "session_ended"), JSONMember("reason", "signed_out"),
    ])
    driver.answer(401, body)
    #expect(driver.effects.contains(.claimRenewal))
    let older = EngineDriver.stored(0, expiresIn: 3600, session: "session-0")
    driver.handle(.storage(.renewalClaimed(.value(older))))
    let asked = driver.effects

    driver.effects = asked
    driver.answer(401, body)

    // Only a renewal proves an end. The refused request was sent again with another token.
    #expect(driver.signedOut == nil)
  }

  @Test("L-22 a claim that is granted after the sign-out is released")
  func lateClaim() {
    var driver = EngineDriver.opened(.value(EngineDriver.stored(1, expiresIn: 0)))
    driver.signOut()

    driver.handle(.storage(.renewalClaimed(.absent)))

    #expect(driver.effects == [.releaseRenewal])
    #expect(driver.signedOut != nil)
  }

  @Test("S-08 a session that the server ended ends at the next request, with its reason")
  func endedAtTheNextCall() throws {
    var driver = EngineDriver.active()
    driver.request()
    let body = JSON.members([
      JSONMember("code", "session_ended"), JSONMember("reason", "password_changed"),
    ])

    driver.answer(401, body)
    // Only a renewal can tell whether this device has a later session that replaced this one.
    #expect(driver.effects.contains(.claimRenewal))
    driver.grantClaim()
    driver.refuse(.invalidGrant) { $0.reason = "password_changed" }

    #expect(driver.signedOut?.notice == .session(.passwordChangedElsewhere))
    #expect(driver.erasesWhatItHeld)
  }

  @Test("L-25 offline is a state with its start time, and only an answer of the server ends it")
  func offline() {
    var driver = EngineDriver.active()
    let heard = driver.serverNow
    driver.elapse(seconds: 10)
    driver.request()

    driver.fail(.unreachable)
    #expect(driver.flow.phase == .active(offlineSince: heard))

    driver.request()
    driver.fail(.onDevice)
    #expect(driver.flow.phase == .active(offlineSince: heard))

    driver.handle(.device(.networkReturned))
    driver.request()
    driver.answer(200, .null)
    #expect(driver.flow.phase == .active(offlineSince: nil))
  }

  @Test(
    "S-08 the phase is waiting before storage has answered, and while it is temporarily unreadable")
  func waiting() {
    var driver = EngineDriver.opened()
    #expect(driver.flow.phase == .waiting)

    driver.handle(.storage(.read(.temporarilyUnreadable)))

    #expect(driver.flow.phase == .waiting)
  }

  @Test(
    "L-29 the server's time survives a restart, so that a wrong clock is known before a request")
  func timeIsRecalled() throws {
    var before = EngineDriver.redeeming()
    before.serverAheadSeconds = 7200
    before.answer(200, EngineDriver.tokens(1, expiresIn: 300).json)
    let seen = before.seen
    var driver = EngineDriver.opened()

    driver.handle(.storage(.read(.value(EngineDriver.stored(1, expiresIn: 9000)), seen: seen)))

    let issued = try #require(driver.call(to: Endpoint.me.path)).call.issuedAt
    #expect(issued == driver.time.adding(seconds: 7200).seconds)
  }

  @Test("L-26 a record of version 1 is read, and its session continues")
  func versionOne() throws {
    let text =
      #"{"version":1,"access_token":"a-1","access_expires_at":1700000300,"refresh_token":"r-1","#
      + #""session":{"id":"s-1","expires_at":1702592000,"idle_timeout":604800,"#
      + #""background_timeout":300,"unlock":"none","organization":"north"}}"#

    let record = try #require(SessionRecord(text: Secret(text)))

    #expect(record.refreshToken == Secret("r-1"))
    #expect(record.accessExpiresAt == Instant(seconds: 1_700_000_300))
    #expect(record.terms.organization == OrganizationID("north"))
    #expect(record.person == nil)
    let driver = EngineDriver.opened(.value(text))
    #expect(driver.signedIn != nil)
    // The first change of the session would find another text in storage.
    #expect(driver.effects.first == .replaceSession(Secret(text), with: record.text))
  }

  @Test("L-26 a record of version 2 is read")
  func versionTwo() throws {
    let text =
      #"{"version":2,"access_token":"a-1","access_expires_at":1700000300,"refresh_token":"r-1","#
      + #""session":{"id":"s-1","expires_at":1702592000,"idle_timeout":604800,"#
      + #""background_timeout":300,"unlock":"biometric","organization":null},"#
      + #""account":{"id":"a-7","name":"Tess Technician"}}"#

    let record = try #require(SessionRecord(text: Secret(text)))

    #expect(record.person?.name == "Tess Technician")
    #expect(record.terms.needsLock)
    #expect(record.text.revealed == text)
  }

  @Test("L-26 pending revocations of version 1 are read")
  func pendingRevocations() {
    #expect(
      PendingRevocations(text: Secret(#"{"version":1,"revoke":"r-1"}"#))?.tokens == [Secret("r-1")])
    let left = PendingRevocations(text: Secret(#"{"version":1,"left_behind":"s-1"}"#))
    #expect(left == PendingRevocations(unreadableSession: SessionID("s-1")))
    #expect(PendingRevocations(text: Secret(#"{"version":2,"revoke":"r-1"}"#)) == nil)
  }

  @Test("L-26 The field `left_behind` of a version 2 record is read, and a renewal stores it again")
  func versionTwoLeftBehind() throws {
    let text =
      #"{"version":2,"access_token":"a-1","access_expires_at":1700000000,"refresh_token":"r-1","#
      + #""session":{"id":"s-1","expires_at":1702592000,"idle_timeout":604800,"#
      + #""background_timeout":300,"unlock":"none","organization":null},"left_behind":"s-0"}"#
    var driver = EngineDriver.opened(.value(text))
    driver.handle(.storage(.renewalClaimed(.value(text))))

    driver.answer(200, EngineDriver.tokens(2, expiresIn: 300).json)

    guard case .replaceSession(_, let kept)? = driver.effects.first else {
      Issue.record("not kept")
      return
    }
    #expect(kept.revealed.contains(#""left_behind":"s-0""#))
  }

  @Test("L-34 a session that was never stored stays open when storage is empty")
  func memoryOnly() {
    var driver = EngineDriver.signedIn()
    driver.handle(.storage(.saveFailed))

    driver.handle(.storage(.sessionChanged(.absent)))

    #expect(driver.signedIn != nil)
  }
}

import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine

@Suite struct SessionTests {
  private func reopened(_ number: Int64, expiresIn: Int64) -> EngineDriver {
    EngineDriver.opened(.value(EngineDriver.stored(number, expiresIn: expiresIn)))
  }

  @Test("S-02 a waiting screen comes before any login screen")
  func waitsForStorage() {
    let driver = EngineDriver.opened()

    #expect(driver.flow.stage == .readingStorage(since: driver.time))
    #expect(driver.effects == [.readSession, .startTicking])
  }

  @Test("S-08 a damaged stored session leads to the sign-in, which says so")
  func damaged() {
    let readings: [StorageReading] = [
      .damaged, .value(""), .value("{"), .value("{}"), .value("{\"version\":2}"),
      .value("{\"version\":0}"),
    ]
    for reading in readings {
      // Only the apps of this repository have an offline copy.
      var driver = EngineDriver.opened(.technician)
      driver.handle(.storage(.read(reading)))

      #expect(driver.signedOut?.notice == .session(.damaged), "\(reading)")
      #expect(driver.reports == [.notice(.session(.damaged))])
      #expect(driver.effects.contains(.offlineCopy(.erase(name: "jobs"))))
      // The stored session stays until a new session replaces it.
      #expect(!driver.effects.contains(.eraseSession))

      driver.completeSignIn()
      #expect(driver.signedIn != nil)
      driver.handle(.storage(.storedSessionReplaced(reading)))
      #expect(driver.call(to: Endpoint.revoke.path) == nil)
    }
  }

  @Test("S-08 a phone number's app reports a damaged session at its own sign-in")
  func damagedPhone() {
    var driver = EngineDriver.opened(EngineDriver.phoneApp)
    driver.handle(.storage(.read(.damaged)))

    guard case .riderSignedOut(let signIn) = driver.flow.stage else {
      Issue.record("not at the sign-in")
      return
    }
    #expect(signIn.notice == .session(.damaged))
  }

  @Test("S-08 an open app continues if its stored session is damaged, and renews automatically")
  func damagedWhileOpen() {
    for reading in [StorageReading.damaged, .value("{")] {
      var driver = reopened(1, expiresIn: 0)

      driver.handle(.storage(.renewalClaimed(reading)))
      #expect(driver.call(to: "/oauth/token")?.call.form?["refresh_token"] == "refresh-1")
      driver.answer(200, EngineDriver.tokens(2, expiresIn: 300).json)

      #expect(driver.call(to: Endpoint.me.path) != nil)
      #expect(driver.signedIn?.notice == .sessionNotKept)
    }
  }

  @Test("P-06 an expired token is renewed automatically: claim, request, save, release, then read")
  func renews() throws {
    var driver = reopened(1, expiresIn: 30)
    #expect(driver.effects.contains(.claimRenewal))
    #expect(!driver.isCalling)

    driver.handle(.storage(.renewalClaimed(.value(EngineDriver.stored(1, expiresIn: 30)))))
    let call = try #require(driver.lastCall).call
    #expect(call.path == "/oauth/token")
    #expect(call.form?["grant_type"] == "refresh_token")
    #expect(call.form?["refresh_token"] == "refresh-1")
    #expect(call.form?["client_id"] == "orders-app")

    driver.answer(200, EngineDriver.tokens(2, expiresIn: 300).json)
    guard case .replaceSession(let old, let record)? = driver.effects.first else {
      Issue.record("saved first")
      return
    }
    #expect(old.revealed.contains("refresh-1"))
    #expect(record.revealed.contains("refresh-2"))
    #expect(driver.effects[1] == .releaseRenewal)
    #expect(
      driver.call(to: Endpoint.me.path)?.call.authorization == .proofWithToken(Secret("access-2")))
  }

  @Test("P-06 a token is renewed thirty seconds before its end, not a second earlier")
  func renewalMargin() {
    #expect(reopened(1, expiresIn: 31).isCalling)
    #expect(!reopened(1, expiresIn: 30).isCalling)
  }

  @Test("S-08 a token that another tab renewed is used without a request")
  func anotherTabRenewed() {
    var driver = reopened(1, expiresIn: 0)

    driver.handle(.storage(.renewalClaimed(.value(EngineDriver.stored(2, expiresIn: 300)))))

    #expect(driver.effects.first == .releaseRenewal)
    #expect(driver.call(to: "/oauth/token") == nil)
    #expect(
      driver.call(to: Endpoint.me.path)?.call.authorization == .proofWithToken(Secret("access-2")))
  }

  @Test("L-20 L-22 a renewal waits while storage cannot be read and tries again later")
  func renewalWaitsForStorage() {
    for reading in [StorageReading.temporarilyUnreadable, .value("{\"version\":3}")] {
      var driver = reopened(1, expiresIn: 0)

      driver.handle(.storage(.renewalClaimed(reading)))
      #expect(driver.effects == [.releaseRenewal])

      driver.pass(seconds: 5)
      #expect(driver.effects.contains(.claimRenewal))
    }
  }

  @Test("L-34 a page with a session that is only in memory renews it, also after a notice")
  func renewalWithoutStorage() {
    var driver = EngineDriver.active()
    driver.handle(.storage(.saveFailed))
    #expect(driver.signedIn?.notice == .sessionNotKept)
    driver.elapse(seconds: 300)
    driver.request()

    driver.handle(.storage(.renewalClaimed(.temporarilyUnreadable)))

    #expect(driver.call(to: "/oauth/token")?.call.form?["refresh_token"] == "refresh-1")
  }

  @Test("S-04 a sign-out in another tab also signs out this one")
  func anotherTabSignedOut() {
    var driver = reopened(1, expiresIn: 0)

    driver.handle(.storage(.renewalClaimed(.absent)))

    #expect(driver.signedOut?.notice == .signedOut)
    #expect(driver.effects.contains(.releaseRenewal))
  }

  @Test("S-03 a session the server ended leads to the login screen, which says so")
  func sessionEnded() {
    var driver = reopened(1, expiresIn: 0)
    driver.handle(.storage(.renewalClaimed(.value(EngineDriver.stored(1, expiresIn: 0)))))

    driver.refuse(.invalidGrant) { $0.reason = "revoked" }

    #expect(driver.signedOut?.notice == .session(.revoked))
    #expect(driver.erasesWhatItHeld)
    #expect(driver.reports == [.notice(.session(.revoked))])
  }

  @Test("T-04 a session ended by deactivation says so")
  func sessionDeactivated() {
    var driver = reopened(1, expiresIn: 0)
    driver.handle(.storage(.renewalClaimed(.value(EngineDriver.stored(1, expiresIn: 0)))))

    driver.refuse(.invalidGrant) { $0.reason = "account_deactivated" }

    #expect(driver.signedOut?.notice == .accountDeactivated)
  }

  @Test("S-08 a failed renewal keeps the session and is tried again later")
  func renewalFails() throws {
    for answer in [
      Answer.noNetwork, .timedOut, .received(status: 503, body: .null, serverSeconds: nil),
    ] {
      var driver = reopened(1, expiresIn: 0)
      driver.request(ticket: 7)
      driver.handle(.storage(.renewalClaimed(.value(EngineDriver.stored(1, expiresIn: 0)))))
      driver.fail(answer)
      #expect(driver.takeAnswers() == [7: answer])
      #expect(driver.signedIn != nil)
      #expect(driver.effects.contains(.releaseRenewal))

      driver.pass(seconds: 4)
      #expect(driver.effects.isEmpty)
      driver.pass(seconds: 2)
      #expect(driver.effects.contains(.claimRenewal))
    }
  }

  @Test("S-08 a token refused before its expiry is renewed once and not again and again")
  func doubtedToken() throws {
    var driver = EngineDriver.signedIn()
    driver.request("/orders", ticket: 7)
    let orders = try #require(driver.call(to: "/orders"))
    let refused = Answer.received(
      status: 401, body: .members([JSONMember("code", "invalid_token")]), serverSeconds: nil
    )

    driver.handle(.answered(orders.id, refused))
    #expect(driver.effects.contains(.claimRenewal))
    driver.handle(.storage(.renewalClaimed(.value(EngineDriver.stored(1, expiresIn: 300)))))
    driver.answer(200, EngineDriver.tokens(2, expiresIn: 300).json)
    let again = try #require(driver.call(to: "/orders"))
    #expect(driver.takeAnswers().isEmpty)
    driver.handle(.answered(again.id, refused))

    #expect(!driver.effects.contains(.claimRenewal))
    #expect(driver.takeAnswers() == [7: refused])
  }

  /// The record that the first effect writes into storage.
  private func saved(_ driver: EngineDriver) -> String? {
    if case .savePendingRevocation(let record)? = driver.effects.first {
      record.revealed
    } else {
      nil
    }
  }

  @Test("S-04 signing out replaces the session first, informs the server, then erases everything")
  func signOut() throws {
    var driver = EngineDriver.active()

    driver.signOut()

    let text = try #require(saved(driver))
    #expect(!text.contains("access-1"))
    #expect(SessionRecord(text: Secret(text)) == nil)
    let call = try #require(driver.lastCall).call
    #expect(call.path == "/oauth/revoke")
    #expect(call.form?["token"] == "refresh-1")
    #expect(call.form?["client_id"] == "orders-app")
    #expect(driver.signedOut?.notice == .signedOut)

    driver.answer(200, .object([]))
    #expect(driver.effects == [.eraseSessionIfUnchanged(Secret(text))])
  }

  @Test("S-04 a sign-out without a network reaches the server as soon as possible, once")
  func signOutOffline() throws {
    var driver = EngineDriver.active()
    driver.signOut()
    let text = try #require(saved(driver))
    driver.fail(.noNetwork)
    #expect(driver.signedOut != nil)
    #expect(driver.effects == [.startTicking])

    var waiting = driver
    waiting.pass(seconds: 4)
    #expect(waiting.effects.isEmpty)
    waiting.pass(seconds: 2)
    #expect(waiting.call(to: "/oauth/revoke") != nil, "without an event of the network")
    #expect(waiting.effects.contains(.stopTicking))

    var later = driver
    later.handle(.device(.networkReturned))
    #expect(later.call(to: "/oauth/revoke") != nil)
    later.effects = []
    later.handle(.device(.networkReturned))
    #expect(!later.isCalling)

    var reopened = EngineDriver.opened()
    reopened.handle(.storage(.read(.value(text))))
    #expect(reopened.signedOut?.notice == nil)
    #expect(reopened.lastCall?.call.form?["token"] == "refresh-1")
  }

  @Test("S-04 a sign-out is still confirmed during another sign-in")
  func signOutDuringSignIn() throws {
    var driver = EngineDriver.active()
    driver.signOut()
    let revoke = try #require(driver.lastCall)
    let text = try #require(saved(driver))
    driver.signIn()
    driver.send(.cancel)

    driver.handle(
      .answered(revoke.id, .received(status: 200, body: .object([]), serverSeconds: nil)))

    #expect(driver.effects == [.eraseSessionIfUnchanged(Secret(text))])
    #expect(driver.signedOut?.isAtStart == true)
  }

  @Test("S-04 a tab recognizes another tab's sign-out by its pending revocation")
  func signOutInAnotherTab() throws {
    var other = EngineDriver.active()
    other.signOut()
    let text = try #require(saved(other))
    var driver = reopened(1, expiresIn: 0)

    driver.handle(.storage(.renewalClaimed(.value(text))))

    #expect(driver.signedOut?.notice == .signedOut)
    // The other tab may be closed before the server knows. Sending the revocation twice does no
    // harm.
    #expect(driver.lastCall?.call.form?["token"] == "refresh-1")
  }

  @Test("S-04 L-32 a tab revokes its session if another tab could not read it and signed out")
  func signOutWithoutReading() throws {
    // Why the other tab could not read it is not stored: the fingerprints may not have changed.
    let left = #"{"version":1,"left_behind":"session-1"}"#
    var driver = reopened(1, expiresIn: 0)

    driver.handle(.storage(.renewalClaimed(.value(Secret(left)))))

    #expect(driver.signedOut?.notice == .signedOut)
    #expect(driver.lastCall?.call.form?["token"] == "refresh-1")
    let stored = driver.effects.compactMap { effect in
      if case .replaceSession(Secret(left), let new) = effect { new.revealed } else { nil }
    }
    #expect(try #require(stored.first).contains(#""revoke":"refresh-1""#))
  }

  @Test(
    "L-32 every sign-out reaches the server, even two without a network and a sign-in after them")
  func twoSignOuts() throws {
    var driver = EngineDriver.active()
    driver.signOut()
    let text = try #require(saved(driver))
    var again = EngineDriver.opened()
    again.handle(.storage(.read(.value(text))))
    again.fail(.noNetwork)
    again.completeSignIn(2)
    guard case .saveSession(let kept)? = again.effects.first else {
      Issue.record("not saved")
      return
    }
    #expect(kept.revealed.contains(#""owed":["refresh-1"]"#))

    again.signOut()

    let left = try #require(saved(again))
    #expect(
      PendingRevocations(text: Secret(left))?.tokens
        == [Secret("refresh-1"), Secret("refresh-2")])
  }

  @Test("S-08 a late answer can write nothing after a sign-out")
  func lateAnswer() throws {
    var driver = EngineDriver.active()
    driver.request()
    let late = try #require(driver.lastCall)
    driver.signOut()
    let before = driver.flow.stage

    driver.handle(
      .answered(late.id, .received(status: 200, body: .null, serverSeconds: nil)))

    #expect(driver.flow.stage == before)
    #expect(driver.effects.isEmpty)
  }

  @Test("S-01 without secure storage the session is in memory, and the person is informed")
  func notKept() {
    var driver = EngineDriver.active()

    driver.handle(.storage(.saveFailed))

    #expect(driver.signedIn?.notice == .sessionNotKept)
  }

  @Test("S-01 a saved session is read again unchanged, and its description has no secrets")
  func roundTrip() throws {
    let record = SessionRecord(EngineDriver.tokens(7, expiresIn: 300), at: EngineDriver.startTime)

    #expect(SessionRecord(text: record.text) == record)
    #expect(!"\(record.text)".contains("refresh-7"))
    #expect(!"\(record)".contains("refresh-7"))
  }
}

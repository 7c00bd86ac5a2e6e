import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

@Suite struct SessionTests {
  private func reopened(_ number: Int64, expiresIn: Int64) -> Walk {
    var walk = Walk.opened()
    walk.happen(.storageRead(.value(Walk.stored(number, expiresIn: expiresIn))))
    return walk
  }

  @Test("S-02 a waiting screen comes before any login screen")
  func waitsForStorage() {
    let walk = Walk.opened()

    #expect(walk.flow.stage == .readingStorage(since: walk.time))
    #expect(walk.effects == [.readSession, .startTicking])
  }

  @Test("P-11 an app reopened with a valid token shows the jobs at once")
  func reopens() {
    let walk = reopened(1, expiresIn: 300)

    #expect(walk.renewingSession != nil)
    #expect(walk.call(to: "/api/jobs")?.call.authorization == .proofWithToken(Secret("access-1")))
  }

  @Test("S-08 a damaged stored session leads to the sign-in, which says so")
  func damaged() {
    let readings: [StorageReading] = [
      .damaged, .value(""), .value("{"), .value("{}"), .value("{\"version\":2}"),
      .value("{\"version\":0}"),
    ]
    for reading in readings {
      var walk = Walk.opened()
      walk.happen(.storageRead(reading))

      #expect(walk.signIn?.notice == .session(.damaged), "\(reading)")
      #expect(walk.announcements == [.notice(.session(.damaged))])
      #expect(walk.effects.contains(.offlineCopy(.erase(name: "jobs"))))
      // The stored session stays until a new session replaces it.
      #expect(!walk.effects.contains(.eraseSession))

      walk.signInAgain()
      #expect(walk.signedIn != nil)
      walk.happen(.device(.storedSessionReplaced(reading)))
      #expect(walk.call(to: Endpoint.revoke) == nil)
    }
  }

  @Test("S-08 a phone number's app reports a damaged session at its own sign-in")
  func damagedRider() {
    var walk = Walk()
    walk.happen(.started(utcOffsetSeconds: 0, app: .rider))
    walk.happen(.storageRead(.damaged))

    guard case .riderSignedOut(let signIn) = walk.flow.stage else {
      Issue.record("not at the sign-in")
      return
    }
    #expect(signIn.notice == .session(.damaged))
  }

  @Test("S-08 an open app continues if its stored session is damaged, and renews automatically")
  func damagedWhileOpen() {
    for reading in [StorageReading.damaged, .value("{")] {
      var walk = reopened(1, expiresIn: 0)

      walk.happen(.renewalClaimed(reading))
      #expect(walk.call(to: "/oauth/token")?.call.form?["refresh_token"] == "refresh-1")
      walk.answer(200, Walk.tokens(2, expiresIn: 300).json)

      #expect(walk.call(to: "/api/jobs") != nil)
      #expect(walk.signedIn?.notice == .sessionNotKept)
    }
  }

  @Test("S-08 storage that cannot be read, or has a later version, signs no session out")
  func unreadable() {
    for reading in [
      StorageReading.cannotTell, .value("{\"version\":3}"), .value("{\"version\":99}"),
    ] {
      var walk = Walk.opened()
      walk.happen(.storageRead(reading))
      #expect(walk.flow.stage == .storageUnreadable)
      #expect(!walk.effects.contains(.eraseSession))

      walk.press(.tryAgain)
      #expect(walk.effects.contains(.readSession))
      walk.happen(.storageRead(.cannotTell))
      walk.press(.signInAgain)
      #expect(walk.signIn != nil)
    }
  }

  @Test("P-06 an expired token is renewed automatically: claim, request, save, release, then read")
  func renews() throws {
    var walk = reopened(1, expiresIn: 30)
    #expect(walk.effects.contains(.claimRenewal))
    #expect(!walk.isCalling)

    walk.happen(.renewalClaimed(.value(Walk.stored(1, expiresIn: 30))))
    let call = try #require(walk.lastCall).call
    #expect(call.path == "/oauth/token")
    #expect(call.form?["grant_type"] == "refresh_token")
    #expect(call.form?["refresh_token"] == "refresh-1")
    #expect(call.form?["client_id"] == "technician-app")

    walk.answer(200, Walk.tokens(2, expiresIn: 300).json)
    guard case .replaceSession(let old, let record)? = walk.effects.first else {
      Issue.record("saved first")
      return
    }
    #expect(old.revealed.contains("refresh-1"))
    #expect(record.revealed.contains("refresh-2"))
    #expect(walk.effects[1] == .releaseRenewal)
    #expect(walk.call(to: "/api/jobs")?.call.authorization == .proofWithToken(Secret("access-2")))
  }

  @Test("P-06 a token is renewed thirty seconds before its end, not a second earlier")
  func renewalMargin() {
    #expect(reopened(1, expiresIn: 31).isCalling)
    #expect(!reopened(1, expiresIn: 30).isCalling)
  }

  @Test("S-08 a token that another tab renewed is used without a request")
  func anotherTabRenewed() {
    var walk = reopened(1, expiresIn: 0)

    walk.happen(.renewalClaimed(.value(Walk.stored(2, expiresIn: 300))))

    #expect(walk.effects.first == .releaseRenewal)
    #expect(walk.call(to: "/oauth/token") == nil)
    #expect(walk.call(to: "/api/jobs")?.call.authorization == .proofWithToken(Secret("access-2")))
  }

  @Test("L-20 L-22 a renewal waits while storage cannot be read and tries again later")
  func renewalWaitsForStorage() {
    for reading in [StorageReading.cannotTell, .value("{\"version\":3}")] {
      var walk = reopened(1, expiresIn: 0)

      walk.happen(.renewalClaimed(reading))
      #expect(walk.effects == [.releaseRenewal])

      walk.pass(seconds: 5)
      #expect(walk.effects.contains(.claimRenewal))
    }
  }

  @Test("L-34 a page with a session that is only in memory renews it, with or without its banner")
  func renewalWithoutStorage() {
    var walk = Walk.atJobs()
    walk.happen(.sessionSaveFailed)
    walk.happen(.bannerDismissed)
    walk.elapse(seconds: 300)
    walk.press(.refresh)

    walk.happen(.renewalClaimed(.cannotTell))

    #expect(walk.call(to: "/oauth/token")?.call.form?["refresh_token"] == "refresh-1")
  }

  @Test("S-04 a sign-out in another tab also signs out this one")
  func anotherTabSignedOut() {
    var walk = reopened(1, expiresIn: 0)

    walk.happen(.renewalClaimed(.absent))

    #expect(walk.signIn?.notice == .signedOut)
    #expect(walk.effects.contains(.releaseRenewal))
  }

  @Test("S-03 a session the server ended leads to the login screen, which says so")
  func sessionEnded() {
    var walk = reopened(1, expiresIn: 0)
    walk.happen(.renewalClaimed(.value(Walk.stored(1, expiresIn: 0))))

    walk.refuse(.invalidGrant) { $0.reason = "revoked" }

    #expect(walk.signIn?.notice == .session(.revoked))
    #expect(walk.erasesWhatItHeld)
    #expect(walk.announcements == [.notice(.session(.revoked))])
  }

  @Test("T-04 a session ended by deactivation says so")
  func sessionDeactivated() {
    var walk = reopened(1, expiresIn: 0)
    walk.happen(.renewalClaimed(.value(Walk.stored(1, expiresIn: 0))))

    walk.refuse(.invalidGrant) { $0.reason = "account_deactivated" }

    #expect(walk.signIn?.notice == .accountDeactivated)
  }

  @Test("S-08 a failed renewal keeps the session and is tried again later")
  func renewalFails() throws {
    for answer in [
      Answer.noNetwork, .timedOut, .received(status: 503, body: .null, serverSeconds: nil),
    ] {
      var walk = reopened(1, expiresIn: 0)
      walk.happen(.renewalClaimed(.value(Walk.stored(1, expiresIn: 0))))
      walk.fail(answer)
      #expect(walk.jobs?.problem != nil)
      #expect(walk.effects.contains(.releaseRenewal))

      walk.pass(seconds: 4)
      #expect(walk.effects.isEmpty)
      walk.pass(seconds: 2)
      #expect(walk.effects.contains(.claimRenewal))
    }
  }

  @Test("S-08 a token refused before its expiry is renewed once and not again and again")
  func doubtedToken() throws {
    var walk = Walk.signedIn()
    let jobs = try #require(walk.call(to: "/api/jobs"))
    let refused = Answer.received(
      status: 401, body: .members([JSONMember("code", "invalid_token")]), serverSeconds: nil
    )

    walk.happen(.answered(jobs.id, refused))
    #expect(walk.effects.contains(.claimRenewal))
    walk.happen(.renewalClaimed(.value(Walk.stored(1, expiresIn: 300))))
    walk.answer(200, Walk.tokens(2, expiresIn: 300).json)
    let again = try #require(walk.call(to: "/api/jobs"))
    walk.happen(.answered(again.id, refused))

    #expect(!walk.effects.contains(.claimRenewal))
    #expect(walk.jobs?.problem == .serverFault)
  }

  @Test("T-16 the jobs and the account arrive in any order")
  func jobsAndAccount() {
    let walk = Walk.atJobs()

    #expect(walk.signedIn?.account.value?.name == "Tess Technician")
    #expect(walk.jobs?.value?.jobs.count == 1)
    #expect(walk.jobs?.loading == nil)
  }

  @Test("T-16 Refresh reads again, one request at a time, and announces the number of jobs")
  func refresh() {
    var walk = Walk.atJobs()

    walk.press(.refresh)
    #expect(walk.announcements == [.updatingJobs])
    let effects = walk.effects
    walk.press(.refresh)
    #expect(walk.effects.isEmpty)
    walk.effects = effects
    walk.answerJobs()

    #expect(walk.announcements == [.jobsListed(1)])
  }

  @Test("T-07 without a network the jobs stay, and are read again when it returns")
  func jobsOffline() {
    var walk = Walk.atJobs()
    walk.press(.refresh)

    walk.fail(.noNetwork)
    #expect(walk.jobs?.isOffline == true)
    #expect(walk.jobs?.value?.jobs.count == 1)
    walk.happen(.networkReturned)
    #expect(walk.call(to: "/api/jobs") != nil)
    walk.answerJobs()
    #expect(walk.jobs?.isOffline == false)
  }

  @Test("T-07 retries have growing pauses, up to a minute")
  func backOff() {
    var walk = Walk.atJobs()
    walk.press(.refresh)
    for wait: Int64 in [5, 10, 20, 40, 60, 60] {
      walk.fail(.noNetwork)
      walk.pass(seconds: wait - 1)
      #expect(!walk.isCalling)
      walk.pass(seconds: 1)
      #expect(walk.isCalling)
    }
  }

  /// The record that the first effect writes into storage.
  private func saved(_ walk: Walk) -> String? {
    if case .savePendingRevocation(let record)? = walk.effects.first {
      record.revealed
    } else {
      nil
    }
  }

  @Test("S-04 signing out replaces the session first, informs the server, then erases everything")
  func signOut() throws {
    var walk = Walk.atJobs()
    walk.press(.accountMenu)
    #expect(walk.signedIn?.isMenuOpen == true)

    walk.press(.signOut)

    let text = try #require(saved(walk))
    #expect(!text.contains("access-1"))
    #expect(SessionRecord(text: text) == nil)
    let call = try #require(walk.lastCall).call
    #expect(call.path == "/oauth/revoke")
    #expect(call.form?["token"] == "refresh-1")
    #expect(call.form?["client_id"] == "technician-app")
    #expect(walk.signIn?.notice == .signedOut)

    walk.answer(200, .object([]))
    #expect(walk.effects == [.eraseSessionIfUnchanged(Secret(text))])
  }

  @Test("S-04 a sign-out without a network reaches the server as soon as possible, once")
  func signOutOffline() throws {
    var walk = Walk.atJobs()
    walk.press(.signOut)
    let text = try #require(saved(walk))
    walk.fail(.noNetwork)
    #expect(walk.signIn != nil)
    #expect(walk.effects.isEmpty)

    var later = walk
    later.happen(.networkReturned)
    #expect(later.call(to: "/oauth/revoke") != nil)
    later.effects = []
    later.happen(.networkReturned)
    #expect(!later.isCalling)

    var reopened = Walk.opened()
    reopened.happen(.storageRead(.value(text)))
    #expect(reopened.signIn?.notice == nil)
    #expect(reopened.lastCall?.call.form?["token"] == "refresh-1")
    reopened.press(.forgotPassword)
    reopened.press(.back)
  }

  @Test("S-04 a sign-out is still confirmed during another sign-in")
  func signOutDuringSignIn() throws {
    var walk = Walk.atJobs()
    walk.press(.signOut)
    let revoke = try #require(walk.lastCall)
    walk.happen(.fieldEdited(.email, "tech@example.com"))
    walk.happen(.fieldEdited(.password, "x"))
    walk.submit()
    walk.press(.cancel)

    walk.happen(
      .answered(revoke.id, .received(status: 200, body: .object([]), serverSeconds: nil)))

    #expect(walk.effects.count == 1)
    #expect(walk.signIn?.step == .enteringCredentials)
  }

  @Test("S-04 a tab recognizes another tab's sign-out by its pending revocation")
  func signOutInAnotherTab() throws {
    var other = Walk.atJobs()
    other.press(.signOut)
    let text = try #require(saved(other))
    var walk = reopened(1, expiresIn: 0)

    walk.happen(.renewalClaimed(.value(text)))

    #expect(walk.signIn?.notice == .signedOut)
    // The other tab may be closed before the server knows. Sending the revocation twice does no
    // harm.
    #expect(walk.lastCall?.call.form?["token"] == "refresh-1")
  }

  @Test(
    "L-32 every sign-out reaches the server, even two without a network and a sign-in after them")
  func twoSignOuts() throws {
    var walk = Walk.atJobs()
    walk.press(.signOut)
    let text = try #require(saved(walk))
    var again = Walk.opened()
    again.happen(.storageRead(.value(text)))
    again.fail(.noNetwork)
    again.signInAgain(2)
    guard case .saveSession(let kept)? = again.effects.first else {
      Issue.record("not saved")
      return
    }
    #expect(kept.revealed.contains(#""owed":["refresh-1"]"#))

    again.press(.signOut)

    let left = try #require(saved(again))
    #expect(PendingRevocation(text: left)?.token == Secret("refresh-2"))
    #expect(PendingRevocation(text: left)?.earlierTokens == [Secret("refresh-1")])
  }

  @Test("S-08 a late answer can write nothing after a sign-out")
  func lateAnswer() throws {
    var walk = Walk.atJobs()
    walk.press(.refresh)
    let late = try #require(walk.lastCall)
    walk.press(.signOut)
    let before = walk.flow.stage

    walk.happen(.answered(late.id, .received(status: 200, body: walk.jobsBody, serverSeconds: nil)))

    #expect(walk.flow.stage == before)
    #expect(walk.effects.isEmpty)
  }

  @Test("S-01 without secure storage the session is in memory, and the person is informed")
  func notKept() {
    var walk = Walk.atJobs()

    walk.happen(.sessionSaveFailed)

    #expect(walk.signedIn?.notice == .sessionNotKept)
  }

  @Test("S-01 a saved session is read again unchanged, and its description has no secrets")
  func roundTrip() throws {
    let record = SessionRecord(Walk.tokens(7, expiresIn: 300), at: Walk.noon)

    #expect(SessionRecord(text: record.text.revealed) == record)
    #expect(!"\(record.text)".contains("refresh-7"))
    #expect(!"\(record)".contains("refresh-7"))
  }
}

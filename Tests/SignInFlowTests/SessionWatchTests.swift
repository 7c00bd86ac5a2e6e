import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

/// How an open app learns about its session, and about the person's other sessions.
@Suite struct SessionWatchTests {
  private static let path = "/api/session/events"

  private func news(_ version: String, unlock: String = "none") -> JSON {
    .members([
      JSONMember("version", version),
      JSONMember("session", Walk.terms(of: "session-1", unlock: unlock).json),
    ])
  }

  private func watching() throws -> (walk: Walk, id: RequestID) {
    let walk = Walk.signedIn()
    return (walk, try #require(walk.call(to: Self.path)).id)
  }

  private func received(_ status: Int64, _ body: JSON) -> Answer {
    .received(status: status, body: body, serverSeconds: nil)
  }

  @Test("S-08 an open app waits for news, and waits again after each answer")
  func holds() throws {
    var (walk, id) = try watching()

    walk.happen(.answered(id, received(200, news("v1"))))

    let again = try #require(walk.call(to: Self.path + "?seen=v1"))
    #expect(again.call.timeoutSeconds > 50)
  }

  private func eventBody(_ news: AccountUpdate) -> JSON {
    .object(
      [
        JSONMember("version", "v1"),
        JSONMember("session", Walk.terms(of: "session-1", unlock: "none").json),
      ] + news.members)
  }

  @Test("A waiting password is shown, and the person cancels it", arguments: [204, 404, 500])
  func waitingPassword(_ status: Int64) throws {
    var (walk, id) = try watching()
    var news = AccountUpdate()
    let moment = Walk.noon.adding(seconds: 86_400)
    news.passwordReset = AccountUpdate.PasswordReset(requestedAt: Walk.noon, availableAt: moment)

    walk.happen(.answered(id, received(200, eventBody(news))))
    #expect(walk.signedIn?.shownNews == .passwordPending(until: moment))
    #expect(walk.announcements.contains(.accountNews(.passwordPending(until: moment))))
    walk.press(.dismissNews)
    #expect(walk.call(to: "/api/password-reset") == nil)
    walk.press(.cancelNewPassword)
    let cancel = try #require(walk.call(to: "/api/password-reset"))
    #expect(cancel.call.method == .delete)
    walk.happen(.answered(cancel.id, received(status, .null)))

    #expect((walk.signedIn?.shownNews == nil) == (status != 500))
    let isDone = walk.signedIn?.notice == .session(.newPasswordCancelled)
    #expect(isDone == (status == 204))
  }

  @Test("A sign-in from a new device is shown until the person confirms it")
  func newDevice() throws {
    var (walk, id) = try watching()
    var news = AccountUpdate()
    news.notices = [AccountUpdate.Notice(id: "n-1", kind: "new_device", at: Walk.noon)]

    walk.happen(.answered(id, received(200, eventBody(news))))
    #expect(walk.signedIn?.shownNews == .newDevice(id: "n-1", at: Walk.noon))
    walk.press(.cancelNewPassword)
    walk.press(.dismissNews)
    let read = try #require(walk.call(to: "/api/notices/n-1"))
    walk.happen(.answered(read.id, received(204, .null)))

    #expect(walk.signedIn?.shownNews == nil)
  }

  @Test(
    "S-08 a session ended elsewhere is reported by the waiting request, with a text for each reason"
  )
  func ended() throws {
    for reason in EndReason.allCases {
      var (walk, id) = try watching()
      let body = JSON.members([
        JSONMember("code", "session_ended"), JSONMember("reason", reason.rawValue),
      ])

      walk.happen(.answered(id, received(401, body)))
      walk.happen(.renewalClaimed(.value(try #require(walk.renewingSession).record.text.revealed)))
      walk.refuse(.invalidGrant) { $0.reason = reason.rawValue }

      #expect(walk.signIn?.notice == reason.notice)
      #expect(walk.erasesWhatItHeld)
    }
  }

  @Test("S-05 S-08 the old session of a switch in another tab does not end the new session")
  func switchedInAnotherTab() throws {
    for isStored in [true, false] {
      var (walk, id) = try watching()
      let body = JSON.members([
        JSONMember("code", "session_ended"), JSONMember("reason", "signed_out"),
      ])
      walk.happen(.answered(id, received(401, body)))
      let south = Walk.terms(of: "session-2", organization: "south")

      if isStored {
        let other = SessionRecord(Walk.tokens(2, expiresIn: 300, terms: south), at: walk.time)
        walk.happen(.renewalClaimed(.value(other.text.revealed)))
      } else {
        walk.happen(
          .renewalClaimed(.value(try #require(walk.renewingSession).record.text.revealed)))
        walk.answer(200, Walk.tokens(2, expiresIn: 300, terms: south).json)
      }

      #expect(walk.renewingSession?.record.terms.id == SessionID("session-2"))
      #expect(walk.call(to: Self.path) != nil)
    }
  }

  @Test("S-08 a hidden app asks for no news")
  func hidden() throws {
    var (walk, id) = try watching()

    walk.hide()
    #expect(walk.effects.contains(.cancelCall(id)))
    walk.happen(.answered(id, .noNetwork))
    walk.pass(seconds: 200)
    #expect(walk.call(to: Self.path) == nil)

    walk.show()
    #expect(walk.call(to: Self.path) != nil)
  }

  @Test("L-25 a failed wait is repeated later, not at once")
  func backOff() throws {
    var (walk, id) = try watching()
    walk.happen(.answered(id, received(503, .null)))
    #expect(!walk.isCalling)

    walk.pass(seconds: 4)
    #expect(walk.call(to: Self.path) == nil)
    walk.pass(seconds: 1)

    #expect(walk.call(to: Self.path) != nil)
  }

  @Test("P-06 a wait whose token has expired continues with a new one")
  func renewed() throws {
    var (walk, id) = try watching()

    walk.happen(.answered(id, received(401, .members([JSONMember("code", "invalid_token")]))))
    #expect(walk.effects.contains(.claimRenewal))
    walk.happen(.renewalClaimed(.value(Walk.stored(1, expiresIn: 300))))
    walk.answer(200, Walk.tokens(2, expiresIn: 300).json)

    #expect(walk.call(to: Self.path)?.call.authorization == .proofWithToken(Secret("access-2")))
  }

  @Test("S-07 new times of the organization apply as soon as they arrive")
  func newTerms() throws {
    var (walk, id) = try watching()

    walk.happen(.answered(id, received(200, news("v2", unlock: "biometric"))))

    #expect(walk.renewingSession?.record.terms.needsLock == true)
    #expect(walk.effects.contains { if case .replaceSession = $0 { true } else { false } })
  }

  // MARK: Other sessions of the person

  @Test("S-08 a session elsewhere is ended by its own request, and the list is read again")
  func endsOne() throws {
    var walk = Walk.atSessions()
    #expect(walk.signedIn?.sessions?.others.count == 2)

    walk.happen(.home(.itemPressed(.endSession, item: "s2")))
    let call = try #require(walk.lastCall).call
    #expect(call.method == .delete)
    #expect(call.path == "/api/sessions/s2")
    #expect(walk.signedIn?.sessions?.isEnding("s2") == true)
    walk.answer(204, .null)

    #expect(walk.signedIn?.sessions?.notice == .session(.ended))
    #expect(walk.call(to: "/api/sessions") != nil)
  }

  @Test("S-08 all other sessions are ended, never this one")
  func endsOthers() {
    var walk = Walk.atSessions()

    walk.press(.endOtherSessions)

    #expect(walk.call(to: "/api/sessions/s2") != nil)
    #expect(walk.call(to: "/api/sessions/s3") != nil)
    #expect(walk.call(to: "/api/sessions/session-1") == nil)
    walk.happen(.home(.itemPressed(.endSession, item: "session-1")))
    #expect(!walk.isCalling)
  }

  @Test("S-08 a session that could not be ended stays in the list, and the person is informed")
  func endFails() {
    var walk = Walk.atSessions()
    walk.happen(.home(.itemPressed(.endSession, item: "s2")))

    walk.fail(.noNetwork)

    #expect(walk.signedIn?.sessions?.notice == .noConnection)
    #expect(walk.signedIn?.sessions?.isEnding("s2") == false)
  }
}

import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

@Suite struct CodeTests {
  @Test("T-10 the right password leads to the code screen, and the password is cleared")
  func codeScreen() throws {
    let walk = Walk.atCode()

    let entry = try #require(walk.entry)
    #expect(entry.prompt.destination == "***-***-1234")
    #expect(walk.signIn?.password.isEmpty == true)
    #expect(walk.focus == .code)
    #expect(walk.announcements == [.codeSent(destination: "***-***-1234")])
  }

  @Test("T-10 a pasted code loses its spaces; a code that is too long is cut")
  func paste() {
    var walk = Walk.atCode()

    walk.happen(.fieldEdited(.code, "123 456"))
    #expect(walk.entry?.text == "123456")
    #expect(walk.entry?.isComplete == true)
    walk.happen(.fieldEdited(.code, "12a34５6789"))
    #expect(walk.entry?.text == "123467")
    walk.happen(.fieldEdited(.code, "12345"))
    #expect(walk.entry?.isComplete == false)
    walk.press(.verify)
    #expect(!walk.isCalling)
  }

  @Test("T-01 the code gives tokens, then the jobs; the session is saved first")
  func signsIn() throws {
    var walk = Walk.checking()
    let check = try #require(walk.lastCall).call
    #expect(check.form?["auth_session"] == "session-1")
    #expect(check.form?["otp"] == "123456")

    walk.answer(200, .members([JSONMember("authorization_code", "code-1")]))
    let redeem = try #require(walk.lastCall).call
    #expect(redeem.path == "/oauth/token")
    #expect(redeem.form?["grant_type"] == "authorization_code")
    #expect(redeem.form?["code"] == "code-1")
    #expect(redeem.form?["code_verifier"] == "verifier")

    walk.answer(200, Walk.tokens(1, expiresIn: 300).json)
    guard case .saveSession = walk.effects.first else {
      Issue.record("the session must be saved before anything else")
      return
    }
    #expect(walk.call(to: "/api/jobs")?.call.authorization == .proofWithToken(Secret("access-1")))
    #expect(walk.call(to: "/api/me") != nil)
    #expect(walk.announcements == [.signedIn])
    #expect(walk.focus == .heading)
  }

  @Test("T-06 a wrong code clears the field, stays on the screen and shows the attempts left")
  func wrongCode() throws {
    var walk = Walk.checking()

    walk.refuse(.invalidOTP) {
      $0.attemptsLeft = 4
      $0.authSession = "session-2"
    }
    var entry = try #require(walk.entry)
    #expect(entry.text.isEmpty)
    #expect(entry.isRefused)
    #expect(entry.attemptsLeftToShow == nil)
    #expect(walk.focus == .code)
    #expect(walk.announcements == [.codeRefused(attemptsLeft: nil)])

    walk.happen(.fieldEdited(.code, "000000"))
    #expect(walk.entry?.isRefused == false)
    walk.press(.verify)
    #expect(walk.lastCall?.call.form?["auth_session"] == "session-2")
    walk.refuse(.invalidOTP) { $0.attemptsLeft = 2 }
    entry = try #require(walk.entry)
    #expect(entry.attemptsLeftToShow == 2)
  }

  @Test("T-06 after the last attempt the login screen comes back")
  func lastTry() {
    var walk = Walk.checking()

    walk.refuse(.invalidOTP) { $0.attemptsLeft = 0 }

    #expect(walk.signIn?.step == .enteringCredentials)
    #expect(walk.signIn?.notice == .codeRefused)
    #expect(walk.signIn?.email == "tech@example.com")
  }

  @Test("T-06 an expired code stays on the code screen")
  func expired() {
    var walk = Walk.checking()

    let now = walk.time
    walk.refuse(.otpExpired) { $0.resendAt = now }

    #expect(walk.entry?.isRefused == true)
    #expect(walk.entry?.canResend(at: walk.time) == true)
  }

  @Test("T-08 Resend waits sixty seconds, to the second")
  func resendWaits() {
    var walk = Walk.atCode()

    walk.pass(seconds: 59)
    #expect(walk.entry?.canResend(at: walk.flow.context.now) == false)
    walk.press(.resend)
    #expect(walk.effects.isEmpty)
    walk.pass(seconds: 1)
    #expect(walk.announcements == [.resendPossible])
    #expect(walk.entry?.canResend(at: walk.flow.context.now) == true)
  }

  @Test("T-08 a resend sends one request and starts the countdown again")
  func resend() throws {
    var walk = Walk.resending()
    #expect(walk.lastCall?.call.form?["resend"] == "true")

    let prompt = walk.prompt(attemptsLeft: 3)
    walk.refuse(.insufficientAuthorization) {
      $0.authSession = "session-2"
      $0.challenge = prompt
    }

    let entry = try #require(walk.entry)
    #expect(entry.prompt.attemptsLeft == 3)
    #expect(!entry.canResend(at: walk.time))
    #expect(entry.notice == .newCodeSent)
    #expect(walk.announcements == [.newCodeSent(destination: "***-***-1234")])
  }

  @Test("T-08 a resend that is too early learns the true time")
  func resendTooSoon() {
    var walk = Walk.resending()
    let later = walk.time.adding(seconds: 20)

    walk.refuse(.resendTooSoon) {
      $0.resendAt = later
      $0.retryIn = 20
    }

    #expect(walk.entry?.prompt.resendAt == later)
    #expect(walk.entry?.notice == .codeTooSoon(until: later))
  }

  @Test("T-12 the last minute of a code is announced, and then its end")
  func expiryAnnounced() {
    var walk = Walk.atCode()

    walk.pass(seconds: 239)
    walk.pass(seconds: 1)
    #expect(walk.announcements == [.codeExpiresSoon])
    walk.pass(seconds: 60)
    #expect(walk.announcements == [.codeExpired])
  }

  @Test("T-07 a lost answer to a code keeps the code screen")
  func lostAnswer() {
    var walk = Walk.checking()

    walk.fail(.noNetwork)

    #expect(walk.entry?.notice == .noConnection)
    #expect(walk.entry?.text == "123456")
  }

  @Test("T-07 a lost token answer is requested again without another code")
  func lostTokens() {
    var walk = Walk.redeeming()

    walk.fail(.timedOut)
    #expect(walk.entry?.notice == .noAnswerInTime)
    walk.press(.verify)

    #expect(walk.lastCall?.call.form?["code"] == "code-1")
  }

  @Test("T-06 an unknown sign-in starts again and keeps the e-mail")
  func invalidSession() {
    for start in [Walk.checking(), Walk.resending(), Walk.redeeming()] {
      var walk = start
      walk.refuse(.invalidSession)
      #expect(walk.signIn?.step == .enteringCredentials)
      #expect(walk.signIn?.notice == .signInExpired)
      #expect(walk.signIn?.email == "tech@example.com")
    }
  }

  @Test("T-04 a deactivation between password and tokens ends the sign-in")
  func deactivatedBetween() {
    for start in [Walk.checking(), Walk.redeeming()] {
      var walk = start
      walk.refuse(.accountDeactivated)
      #expect(walk.signIn?.notice == .accountDeactivated)
    }
  }

  @Test("T-10 Back returns to the credentials and keeps the e-mail, at every step")
  func back() throws {
    for start in [Walk.atCode(), Walk.checking(), Walk.resending(), Walk.redeeming()] {
      var walk = start
      let call = walk.lastCall
      walk.press(.back)
      #expect(walk.signIn?.step == .enteringCredentials)
      #expect(walk.signIn?.email == "tech@example.com")
      #expect(walk.focus == .password)
      guard let call else { continue }
      let before = walk.flow.stage
      walk.happen(.answered(call.id, .received(status: 200, body: .null, serverSeconds: nil)))
      #expect(walk.flow.stage == before)
    }
  }
}

@Suite struct ClockTests {
  @Test("T-08 a wrong device clock changes no countdown")
  func wrongClock() {
    for ahead: Int64 in [-7200, 7200] {
      var walk = Walk.submitting()
      walk.serverAheadSeconds = ahead
      walk.sendCode()

      walk.pass(seconds: 59)
      #expect(walk.entry?.canResend(at: walk.flow.context.now) == false)
      walk.pass(seconds: 1)
      #expect(walk.entry?.canResend(at: walk.flow.context.now) == true)
    }
  }

  @Test("T-01 a proof refused because of the clock is made again once, with the server's time")
  func proofRetry() throws {
    var walk = Walk.submitting()
    walk.serverAheadSeconds = 7200
    let first = try #require(walk.lastCall)
    #expect(first.call.issuedAt == walk.time.seconds)

    walk.refuse(.invalidProof)
    let second = try #require(walk.lastCall)
    #expect(second.id == first.id)
    #expect(second.call.issuedAt == walk.time.seconds + 7200)
    #expect(second.call.form == first.call.form)

    walk.refuse(.invalidProof)
    #expect(!walk.isCalling)
    #expect(walk.signIn?.notice == .serverFault)
  }

  @Test("T-08 differently rounded seconds in answers move no countdown back")
  func rounding() {
    var clock = ServerClock()
    clock.learn(serverSeconds: 1000, at: Instant(milliseconds: 1_000_100))
    #expect(clock.offsetMilliseconds == -100)
    clock.learn(serverSeconds: 1000, at: Instant(milliseconds: 1_000_900))
    #expect(clock.offsetMilliseconds == -100)
    clock.learn(serverSeconds: 1002, at: Instant(milliseconds: 1_002_020))
    #expect(clock.offsetMilliseconds == -20)
    clock.learn(serverSeconds: 900, at: Instant(milliseconds: 1_003_000))
    #expect(clock.offsetMilliseconds == -103_000)
  }
}

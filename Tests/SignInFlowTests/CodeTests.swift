import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite struct CodeTests {
  @Test("T-10 the right password leads to the code screen, and the password is cleared")
  func codeScreen() throws {
    let driver = FlowDriver.atCode()

    let entry = try #require(driver.entry)
    #expect(entry.prompt.destination == "***-***-1234")
    #expect(driver.signIn?.password.isEmpty == true)
    #expect(driver.focus == .code)
    #expect(driver.announcements == [.codeSent(destination: "***-***-1234")])
  }

  @Test("T-10 a pasted code loses its spaces; a code that is too long is cut")
  func paste() {
    for (pasted, code) in [("123 456", "123456"), ("12a34５6789", "123456"), ("१२३-४५६", "123456")] {
      var driver = FlowDriver.atCode()
      driver.handle(.page(.fieldEdited(.code, Secret(pasted))))
      #expect(driver.lastCall?.call.form?["otp"] == code)
    }
    var driver = FlowDriver.atCode()
    driver.handle(.page(.fieldEdited(.code, "12345")))
    #expect(driver.entry?.isComplete == false)
    driver.press(.verify)
    #expect(!driver.isCalling)
  }

  @Test("T-09 the last digit submits the code once; while it is checked nothing is sent again")
  func lastDigit() {
    var driver = FlowDriver.atCode()
    driver.handle(.page(.fieldEdited(.code, "12345")))
    #expect(!driver.isCalling)

    driver.handle(.page(.fieldEdited(.code, "123456")))
    #expect(driver.lastCall?.call.form?["otp"] == "123456")
    #expect(driver.announcements == [.checkingCode])
    let stage = driver.flow.stage

    for event: PageEvent in [
      .fieldEdited(.code, "123456"), .fieldEdited(.code, "654321"), .buttonPressed(.verify),
      .buttonPressed(.resend),
    ] {
      driver.handle(.page(event))
      #expect(driver.effects.isEmpty && driver.flow.stage == stage)
    }
  }

  @Test("T-06 T-09 after an error only Verify submits, until another code is sent")
  func lastDigitAfterError() {
    let refuse: (inout FlowDriver) -> Void = { $0.refuse(.invalidOTP) { $0.attemptsLeft = 4 } }
    for fail in [refuse, { $0.fail(.noNetwork) }] {
      var driver = FlowDriver.checking()
      fail(&driver)
      driver.handle(.page(.fieldEdited(.code, "65432")))
      driver.handle(.page(.fieldEdited(.code, "654321")))
      #expect(!driver.isCalling)
      driver.press(.verify)
      #expect(driver.lastCall?.call.form?["otp"] == "654321")

      fail(&driver)
      driver.pass(seconds: 60)
      driver.press(.resend)
      driver.sendCode()
      driver.handle(.page(.fieldEdited(.code, "111111")))
      #expect(driver.lastCall?.call.form?["otp"] == "111111")
    }
  }

  @Test("T-09 after a refused resend only Verify submits")
  func lastDigitAfterRefusedResend() {
    var driver = FlowDriver.resending()
    driver.refuse(.resendTooSoon) { $0.retryIn = 20 }
    driver.handle(.page(.fieldEdited(.code, "123456")))
    #expect(!driver.isCalling)
  }

  @Test(
    "T-12 the last digit submits no code that has expired", arguments: [299, 300, 301] as [Int64])
  func lastDigitAfterExpiry(_ seconds: Int64) {
    var driver = FlowDriver.atCode()
    driver.elapse(seconds: seconds)
    driver.handle(.page(.fieldEdited(.code, "123456")))
    #expect(driver.isCalling == (seconds < 300))
  }

  @Test("T-11 the last digit does not submit the code of a reset, because the password follows")
  func lastDigitOfReset() {
    var driver = FlowDriver.atResetCode()
    driver.handle(.page(.fieldEdited(.newPassword, Secret(FlowDriver.newPassword))))
    driver.handle(.page(.fieldEdited(.code, "123456")))
    #expect(!driver.isCalling)
  }

  @Test("T-01 the code gives tokens, then the jobs; the session is saved first")
  func signsIn() throws {
    var driver = FlowDriver.checking()
    let check = try #require(driver.lastCall).call
    #expect(check.form?["auth_session"] == "session-1")
    #expect(check.form?["otp"] == "123456")

    driver.answer(200, .members([JSONMember("authorization_code", "code-1")]))
    let redeem = try #require(driver.lastCall).call
    #expect(redeem.path == "/oauth/token")
    #expect(redeem.form?["grant_type"] == "authorization_code")
    #expect(redeem.form?["code"] == "code-1")
    #expect(redeem.form?["code_verifier"] == "verifier")

    driver.answer(200, FlowDriver.tokens(1, expiresIn: 300).json)
    guard case .saveSession = driver.effects.first else {
      Issue.record("the session must be saved before anything else")
      return
    }
    #expect(driver.call(to: "/api/jobs")?.call.authorization == .proofWithToken(Secret("access-1")))
    #expect(driver.call(to: "/api/me") != nil)
    #expect(driver.announcements == [.signedIn])
    #expect(driver.focus == .heading)
  }

  @Test("T-06 a wrong code clears the field, stays on the screen and shows the attempts left")
  func wrongCode() throws {
    var driver = FlowDriver.checking()

    driver.refuse(.invalidOTP) {
      $0.attemptsLeft = 4
      $0.authSession = Secret("session-2")
    }
    var entry = try #require(driver.entry)
    #expect(entry.text.isEmpty)
    #expect(entry.fault == .refused(attemptsLeft: nil))
    #expect(driver.focus == .code)
    #expect(driver.announcements == [.codeRefused(attemptsLeft: nil)])

    driver.handle(.page(.fieldEdited(.code, "000000")))
    #expect(driver.entry?.fault == nil)
    driver.press(.verify)
    #expect(driver.lastCall?.call.form?["auth_session"] == "session-2")
    driver.refuse(.invalidOTP) { $0.attemptsLeft = 2 }
    entry = try #require(driver.entry)
    #expect(entry.fault == .refused(attemptsLeft: 2))
  }

  @Test("T-06 after the last attempt the login screen comes back")
  func lastTry() {
    var driver = FlowDriver.checking()

    driver.refuse(.invalidOTP) { $0.attemptsLeft = 0 }

    #expect(driver.signIn?.step == .enteringCredentials)
    #expect(driver.signIn?.notice == .codeRefused)
    #expect(driver.signIn?.email == "tech@example.com")
  }

  @Test("T-06 an expired code stays on the code screen")
  func expired() {
    var driver = FlowDriver.checking()

    let now = driver.time
    driver.refuse(.otpExpired) { $0.resendAt = now }

    #expect(driver.entry?.fault == .refused(attemptsLeft: nil))
    #expect(driver.entry?.canResend(at: driver.time) == true)
  }

  @Test("R-06 T-08 for an earlier code the field remains, and Resend waits for its time")
  func superseded() {
    var driver = FlowDriver.resending()
    driver.sendCode()
    let resendAt = driver.entry?.prompt.resendAt
    driver.handle(.page(.fieldEdited(.code, "123456")))

    driver.refuse(.otpExpired) {
      $0.resendAt = resendAt
      $0.superseded = .byNewerCode
    }

    #expect(driver.entry?.fault == .superseded)
    #expect(driver.announcements == [.codeSuperseded])
    #expect(driver.entry?.text == "")
    #expect(driver.focus == .code)
    #expect(driver.entry?.needsNewCode(at: driver.flow.context.now) == false)
    #expect(driver.entry?.canResend(at: driver.flow.context.now) == false)
    driver.press(.resend)
    #expect(!driver.isCalling)
    // The newer code is sent with its last digit.
    driver.handle(.page(.fieldEdited(.code, "654321")))
    #expect(driver.lastCall?.call.form?["otp"] == "654321")
  }

  @Test("L-11 an entered code that another device's code replaced says so, and Resend is next")
  func replacedByAnotherDevice() {
    var driver = FlowDriver.checking()
    let resendAt = driver.time.adding(seconds: 40)

    driver.refuse(.otpExpired) {
      $0.resendAt = resendAt
      $0.superseded = .byAnotherDevice
      $0.reason = SupersededCode.anotherDevice
    }

    #expect(driver.entry?.fault == .replaced)
    #expect(driver.announcements == [.codeReplaced])
    #expect(driver.entry?.needsNewCode(at: driver.flow.context.now) == true)
    #expect(driver.entry?.prompt.resendAt == resendAt)
  }

  @Test("T-08 Resend waits sixty seconds, to the second")
  func resendWaits() {
    var driver = FlowDriver.atCode()

    driver.pass(seconds: 59)
    #expect(driver.entry?.canResend(at: driver.flow.context.now) == false)
    driver.press(.resend)
    #expect(driver.effects.isEmpty)
    driver.pass(seconds: 1)
    #expect(driver.announcements == [.resendPossible])
    #expect(driver.entry?.canResend(at: driver.flow.context.now) == true)
  }

  @Test("T-08 a resend sends one request and starts the countdown again")
  func resend() throws {
    var driver = FlowDriver.resending()
    #expect(driver.lastCall?.call.form?["resend"] == "true")

    let prompt = driver.prompt(attemptsLeft: 3)
    driver.refuse(.insufficientAuthorization) {
      $0.authSession = Secret("session-2")
      $0.challenge = prompt
    }

    let entry = try #require(driver.entry)
    #expect(entry.prompt.attemptsLeft == 3)
    #expect(!entry.canResend(at: driver.time))
    #expect(entry.notice == .newCodeSent)
    #expect(driver.announcements == [.newCodeSent(destination: "***-***-1234")])
  }

  @Test("T-08 a resend that is too early learns the true time")
  func resendTooSoon() {
    var driver = FlowDriver.resending()
    let later = driver.time.adding(seconds: 20)

    driver.refuse(.resendTooSoon) {
      $0.resendAt = later
      $0.retryIn = 20
    }

    #expect(driver.entry?.prompt.resendAt == later)
    #expect(driver.entry?.notice == .codeTooSoon(until: later))
  }

  @Test("T-12 the last minute of a code is announced, and then its end")
  func expiryAnnounced() {
    var driver = FlowDriver.atCode()

    driver.pass(seconds: 239)
    driver.pass(seconds: 1)
    #expect(driver.announcements == [.codeExpiresSoon])
    driver.pass(seconds: 60)
    #expect(driver.announcements == [.codeExpired])
  }

  @Test("T-07 a lost answer to a code keeps the code screen")
  func lostAnswer() {
    var driver = FlowDriver.checking()

    driver.fail(.noNetwork)

    #expect(driver.entry?.notice == .noConnection)
    #expect(driver.entry?.text == "123456")
  }

  @Test("T-07 a lost token answer is requested again without another code")
  func lostTokens() {
    var driver = FlowDriver.redeeming()

    driver.fail(.timedOut)
    #expect(driver.entry?.notice == .noAnswerInTime)
    driver.press(.verify)

    #expect(driver.lastCall?.call.form?["code"] == "code-1")
  }

  @Test("T-06 an unknown sign-in starts again and keeps the e-mail")
  func invalidSession() {
    for start in [FlowDriver.checking(), FlowDriver.resending(), FlowDriver.redeeming()] {
      var driver = start
      driver.refuse(.invalidSession)
      #expect(driver.signIn?.step == .enteringCredentials)
      #expect(driver.signIn?.notice == .signInExpired)
      #expect(driver.signIn?.email == "tech@example.com")
    }
  }

  @Test("T-04 a deactivation between password and tokens ends the sign-in")
  func deactivatedBetween() {
    for start in [FlowDriver.checking(), FlowDriver.redeeming()] {
      var driver = start
      driver.refuse(.accountDeactivated)
      #expect(driver.signIn?.notice == .accountDeactivated)
    }
  }

  @Test("T-10 Back returns to the credentials and keeps the e-mail, at every step")
  func back() throws {
    for start in [
      FlowDriver.atCode(), FlowDriver.checking(), FlowDriver.resending(), FlowDriver.redeeming(),
    ] {
      var driver = start
      let call = driver.lastCall
      driver.press(.back)
      #expect(driver.signIn?.step == .enteringCredentials)
      #expect(driver.signIn?.email == "tech@example.com")
      #expect(driver.focus == .password)
      guard let call else { continue }
      let before = driver.flow.stage
      driver.handle(.answered(call.id, .received(status: 200, body: .null, serverSeconds: nil)))
      #expect(driver.flow.stage == before)
    }
  }
}

@Suite struct ClockTests {
  @Test("T-08 a wrong device clock changes no countdown")
  func wrongClock() {
    for ahead: Int64 in [-7200, 7200] {
      var driver = FlowDriver.submitting()
      driver.serverAheadSeconds = ahead
      driver.sendCode()

      driver.pass(seconds: 59)
      #expect(driver.entry?.canResend(at: driver.flow.context.now) == false)
      driver.pass(seconds: 1)
      #expect(driver.entry?.canResend(at: driver.flow.context.now) == true)
    }
  }

  @Test("T-01 a proof refused because of the clock is made again once, with the server's time")
  func proofRetry() throws {
    var driver = FlowDriver.submitting()
    driver.serverAheadSeconds = 7200
    let first = try #require(driver.lastCall)
    #expect(first.call.issuedAt == driver.time.seconds)

    driver.refuse(.invalidProof)
    let second = try #require(driver.lastCall)
    #expect(second.id == first.id)
    #expect(second.call.issuedAt == driver.time.seconds + 7200)
    #expect(second.call.form == first.call.form)

    driver.refuse(.invalidProof)
    #expect(!driver.isCalling)
    #expect(driver.signIn?.notice == .serverFault)
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

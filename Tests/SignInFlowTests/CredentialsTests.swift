import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite struct CredentialsTests {
  @Test("T-01 the first request has the parameters of the contract and a proof")
  func firstCall() throws {
    let driver = FlowDriver.submitting()

    let call = try #require(driver.lastCall).call
    #expect(call.path == "/oauth/challenge")
    #expect(call.method == .post)
    #expect(call.authorization == .proof)
    let form = try #require(call.form)
    #expect(form["response_type"] == "code")
    #expect(form["client_id"] == "technician-app")
    #expect(form["scope"] == "openid offline_access account jobs")
    #expect(form["code_challenge"] == "challenge")
    #expect(form["code_challenge_method"] == "S256")
    #expect(form["username"] == "tech@example.com")
    #expect(form["password"] == "demo-Technician-1")
  }

  @Test(
    "T-02 a wrong password is reported, the field cleared and focused, and no code screen appears")
  func wrongPassword() throws {
    var driver = FlowDriver.submitting()

    driver.refuse(.invalidCredentials)

    let signIn = try #require(driver.signIn)
    #expect(signIn.step == .enteringCredentials)
    #expect(signIn.notice == .invalidCredentials)
    #expect(signIn.email == "tech@example.com")
    #expect(signIn.password.isEmpty)
    #expect(driver.focus == .password)
    #expect(driver.announcements == [.notice(.invalidCredentials)])
  }

  @Test("T-04 a deactivated account learns that it is deactivated")
  func deactivated() throws {
    var driver = FlowDriver.submitting()

    driver.refuse(.accountDeactivated)

    #expect(driver.signIn?.notice == .accountDeactivated)
    #expect(driver.signIn?.password.isEmpty == true)
  }

  @Test("T-07 without a network the input stays")
  func offline() throws {
    var driver = FlowDriver.submitting()

    driver.fail(.noNetwork)

    let signIn = try #require(driver.signIn)
    #expect(signIn.notice == .noConnection)
    #expect(!signIn.password.isEmpty)
    #expect(signIn.canLogIn)
  }

  @Test("P-03 no network, no server and a server fault have different messages")
  func unreachable() {
    let answers: [(Answer, Notice)] = [
      (.noNetwork, .noConnection), (.unreachable, .serviceUnreachable),
      (.timedOut, .noAnswerInTime),
      (.received(status: 500, body: .null, serverSeconds: nil), .serverFault),
      (.received(status: 599, body: .members([]), serverSeconds: nil), .serverFault),
      (.received(status: 200, body: .null, serverSeconds: nil), .serverFault),
    ]
    for (answer, notice) in answers {
      var driver = FlowDriver.submitting()
      driver.fail(answer)
      #expect(driver.signIn?.notice == notice, "\(answer)")
      #expect(driver.signIn?.password.isEmpty == false, "\(answer)")
      #expect(driver.announcements == [.notice(notice)], "\(answer)")
    }
  }

  @Test("P-01 T-09 Login with empty fields explains each field, before any request")
  func emptyFields() {
    var driver = FlowDriver.atCredentials()

    driver.press(.login)
    #expect(driver.signIn?.missing.contains(.email) == true)
    #expect(driver.signIn?.missing.contains(.password) == true)
    #expect(
      driver.focus == .email && driver.announcements == [.fieldsMissing([.email, .password])])
    #expect(driver.output.count == 1)

    driver.handle(.page(.fieldEdited(.email, "tech@example.com")))
    #expect(driver.signIn?.missing.contains(.email) == false)
    #expect(driver.signIn?.missing.contains(.password) == true)
    driver.press(.login)
    #expect(driver.focus == .password && driver.announcements == [.fieldsMissing([.password])])
    #expect(!driver.isCalling)
    driver.handle(.page(.fieldEdited(.password, "x")))
    #expect(driver.signIn?.missing.contains(.password) == false)
  }

  @Test("P-01 a malformed address and an empty password are both explained, the address first")
  func malformedAndEmpty() {
    var driver = FlowDriver.atCredentials()
    driver.handle(.page(.fieldEdited(.email, "tech")))

    driver.press(.login)

    #expect(driver.signIn?.isEmailMalformed == true)
    #expect(driver.signIn?.missing.contains(.password) == true)
    #expect(driver.focus == .email && driver.announcements == [.emailMalformed])
  }

  @Test("T-09 Login is disabled until both fields have text")
  func loginNeedsBoth() {
    var driver = FlowDriver.atCredentials()
    #expect(driver.signIn?.canLogIn == false)

    driver.handle(.page(.fieldEdited(.email, "tech@example.com")))
    #expect(driver.signIn?.canLogIn == false)
    driver.press(.login)
    #expect(!driver.isCalling)

    driver.handle(.page(.fieldEdited(.password, "x")))
    #expect(driver.signIn?.canLogIn == true)
  }

  @Test("T-09 a malformed address is reported at its field before any request")
  func malformedEmail() {
    var driver = FlowDriver.atCredentials()
    driver.handle(.page(.fieldEdited(.email, "tech")))
    driver.handle(.page(.fieldEdited(.password, "x")))

    driver.press(.login)

    #expect(driver.signIn?.isEmailMalformed == true)
    #expect(!driver.isCalling)
    #expect(driver.focus == .email)
    #expect(driver.announcements == [.emailMalformed])

    driver.handle(.page(.fieldEdited(.email, "tech@")))
    #expect(driver.signIn?.isEmailMalformed == false)
  }

  @Test("T-09 the password can be shown and is hidden again when it is sent")
  func reveal() {
    var driver = FlowDriver.typed()

    driver.handle(.page(.passwordRevealToggled))
    #expect(driver.signIn?.isPasswordRevealed == true)

    driver.submit()
    #expect(driver.signIn?.isPasswordRevealed == false)
  }

  @Test("T-09 a banner can be dismissed")
  func dismiss() {
    var driver = FlowDriver.submitting()
    driver.refuse(.invalidCredentials)

    driver.handle(.page(.bannerDismissed))

    #expect(driver.signIn?.notice == nil)
  }

  @Test("T-09 a long wait is explained after five seconds and can be cancelled")
  func patience() throws {
    var driver = FlowDriver.submitting()
    let call = try #require(driver.lastCall)
    guard case .submittingCredentials(let wait)? = driver.signIn?.step else {
      Issue.record("not submitting")
      return
    }

    driver.pass(seconds: 4)
    #expect(wait.patience(at: driver.flow.context.now) == .usual)
    #expect(driver.announcements.isEmpty)
    driver.pass(seconds: 1)
    #expect(wait.patience(at: driver.flow.context.now) == .long)
    #expect(driver.announcements == [.takingLong])
    driver.pass(seconds: 10)
    #expect(wait.patience(at: driver.flow.context.now) == .veryLong)
    #expect(driver.announcements == [.takingVeryLong])

    driver.press(.cancel)
    #expect(driver.signIn?.step == .enteringCredentials)
    let before = driver.flow.stage
    driver.handle(.answered(call.id, .noNetwork))
    #expect(driver.flow.stage == before)
  }

  @Test("T-09 an unexpected answer is shown as a server fault, never as a blank page")
  func serverFault() {
    for status: Int64 in [200, 404, 500] {
      var driver = FlowDriver.submitting()
      driver.answer(status, .null)
      #expect(driver.signIn?.notice == .serverFault)
    }
  }

  @Test("P-03 a rate limit, a failed delivery and an overload have different messages")
  func otherRefusals() {
    let cases: [(ErrorCode, (Instant) -> Notice)] = [
      (.rateLimited, { .rateLimited(until: $0.adding(seconds: 30)) }),
      (.deliveryFailed, { .deliveryFailed(until: $0.adding(seconds: 30)) }),
      (.temporarilyUnavailable, { _ in .serviceBusy }),
      (.redirectToWeb, { _ in .signsInElsewhere }),
    ]
    for (code, notice) in cases {
      var driver = FlowDriver.submitting()
      driver.refuse(code) { $0.retryIn = 30 }
      #expect(driver.signIn?.notice == notice(driver.time))
    }
  }
}

@Suite struct LockTests {
  @Test("T-05 a lockout shows its own page, and the form comes back automatically")
  func lockAndReturn() {
    var driver = FlowDriver.locked()
    #expect(driver.signIn?.step == .locked(until: driver.time.adding(seconds: 900)))
    #expect(driver.focus == .heading)

    driver.pass(seconds: 899)
    #expect(driver.signIn?.step == .locked(until: FlowDriver.startTime.adding(seconds: 900)))
    driver.pass(seconds: 1)
    #expect(driver.signIn?.step == .enteringCredentials)
    #expect(driver.signIn?.email == "tech@example.com")
    #expect(driver.announcements == [.lockEnded])
    #expect(driver.effects.last == .stopTicking)
  }

  @Test("T-05 no request is sent for an account while its lockout is known")
  func noCallWhileLocked() {
    var driver = FlowDriver.locked()
    driver.press(.useAnotherAccount)
    #expect(driver.signIn?.email == "")

    driver.handle(.page(.fieldEdited(.email, "  TECH@example.com ")))
    driver.handle(.page(.fieldEdited(.password, "x")))
    driver.submit()

    #expect(!driver.isCalling)
    #expect(driver.signIn?.step == .locked(until: FlowDriver.startTime.adding(seconds: 900)))
  }

  @Test("T-05 another person can still sign in on the same device")
  func anotherAccount() {
    var driver = FlowDriver.locked()
    driver.press(.useAnotherAccount)
    driver.handle(.page(.fieldEdited(.email, "colleague@example.com")))
    driver.handle(.page(.fieldEdited(.password, "x")))

    driver.submit()

    #expect(driver.isCalling)
  }

  @Test("T-05 a lockout may come at every step")
  func lockAtEveryStep() {
    for start in [
      FlowDriver.submitting(), FlowDriver.checking(), FlowDriver.resending(),
      FlowDriver.redeeming(),
    ] {
      var driver = start
      driver.lockOut(minutes: 30)
      #expect(driver.signIn?.step == .locked(until: driver.time.adding(seconds: 1800)))
    }
  }
}

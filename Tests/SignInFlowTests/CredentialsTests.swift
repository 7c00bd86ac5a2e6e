import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

@Suite struct CredentialsTests {
  @Test("T-01 the first request has the parameters of the contract and a proof")
  func firstCall() throws {
    let walk = Walk.submitting()

    let call = try #require(walk.lastCall).call
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
    var walk = Walk.submitting()

    walk.refuse(.invalidCredentials)

    let signIn = try #require(walk.signIn)
    #expect(signIn.step == .enteringCredentials)
    #expect(signIn.notice == .invalidCredentials)
    #expect(signIn.email == "tech@example.com")
    #expect(signIn.password.isEmpty)
    #expect(walk.focus == .password)
    #expect(walk.announcements == [.notice(.invalidCredentials)])
  }

  @Test("T-04 a deactivated account learns that it is deactivated")
  func deactivated() throws {
    var walk = Walk.submitting()

    walk.refuse(.accountDeactivated)

    #expect(walk.signIn?.notice == .accountDeactivated)
    #expect(walk.signIn?.password.isEmpty == true)
  }

  @Test("T-07 without a network the input stays")
  func offline() throws {
    var walk = Walk.submitting()

    walk.fail(.noNetwork)

    let signIn = try #require(walk.signIn)
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
      var walk = Walk.submitting()
      walk.fail(answer)
      #expect(walk.signIn?.notice == notice, "\(answer)")
      #expect(walk.signIn?.password.isEmpty == false, "\(answer)")
      #expect(walk.announcements == [.notice(notice)], "\(answer)")
    }
  }

  @Test("P-01 T-09 Login with empty fields explains each field, before any request")
  func emptyFields() {
    var walk = Walk.atCredentials()

    walk.press(.login)
    #expect(walk.signIn?.missing.contains(.email) == true)
    #expect(walk.signIn?.missing.contains(.password) == true)
    #expect(walk.focus == .email && walk.announcements == [.fieldsMissing([.email, .password])])
    #expect(walk.effects.count == 1)

    walk.happen(.fieldEdited(.email, "tech@example.com"))
    #expect(walk.signIn?.missing.contains(.email) == false)
    #expect(walk.signIn?.missing.contains(.password) == true)
    walk.press(.login)
    #expect(walk.focus == .password && walk.announcements == [.fieldsMissing([.password])])
    #expect(!walk.isCalling)
    walk.happen(.fieldEdited(.password, "x"))
    #expect(walk.signIn?.missing.contains(.password) == false)
  }

  @Test("P-01 a malformed address and an empty password are both explained, the address first")
  func malformedAndEmpty() {
    var walk = Walk.atCredentials()
    walk.happen(.fieldEdited(.email, "tech"))

    walk.press(.login)

    #expect(walk.signIn?.isEmailMalformed == true)
    #expect(walk.signIn?.missing.contains(.password) == true)
    #expect(walk.focus == .email && walk.announcements == [.emailMalformed])
  }

  @Test("T-09 Login is disabled until both fields have text")
  func loginNeedsBoth() {
    var walk = Walk.atCredentials()
    #expect(walk.signIn?.canLogIn == false)

    walk.happen(.fieldEdited(.email, "tech@example.com"))
    #expect(walk.signIn?.canLogIn == false)
    walk.press(.login)
    #expect(!walk.isCalling)

    walk.happen(.fieldEdited(.password, "x"))
    #expect(walk.signIn?.canLogIn == true)
  }

  @Test("T-09 a malformed address is reported at its field before any request")
  func malformedEmail() {
    var walk = Walk.atCredentials()
    walk.happen(.fieldEdited(.email, "tech"))
    walk.happen(.fieldEdited(.password, "x"))

    walk.press(.login)

    #expect(walk.signIn?.isEmailMalformed == true)
    #expect(!walk.isCalling)
    #expect(walk.focus == .email)
    #expect(walk.announcements == [.emailMalformed])

    walk.happen(.fieldEdited(.email, "tech@"))
    #expect(walk.signIn?.isEmailMalformed == false)
  }

  @Test("T-09 the password can be shown and is hidden again when it is sent")
  func reveal() {
    var walk = Walk.typed()

    walk.happen(.passwordRevealToggled)
    #expect(walk.signIn?.isPasswordRevealed == true)

    walk.submit()
    #expect(walk.signIn?.isPasswordRevealed == false)
  }

  @Test("T-09 a banner can be dismissed")
  func dismiss() {
    var walk = Walk.submitting()
    walk.refuse(.invalidCredentials)

    walk.happen(.bannerDismissed)

    #expect(walk.signIn?.notice == nil)
  }

  @Test("T-09 a long wait is explained after five seconds and can be cancelled")
  func patience() throws {
    var walk = Walk.submitting()
    let call = try #require(walk.lastCall)
    guard case .submittingCredentials(let wait)? = walk.signIn?.step else {
      Issue.record("not submitting")
      return
    }

    walk.pass(seconds: 4)
    #expect(wait.patience(at: walk.flow.context.now) == .usual)
    #expect(walk.announcements.isEmpty)
    walk.pass(seconds: 1)
    #expect(wait.patience(at: walk.flow.context.now) == .long)
    #expect(walk.announcements == [.takingLong])
    walk.pass(seconds: 10)
    #expect(wait.patience(at: walk.flow.context.now) == .veryLong)
    #expect(walk.announcements == [.takingVeryLong])

    walk.press(.cancel)
    #expect(walk.signIn?.step == .enteringCredentials)
    let before = walk.flow.stage
    walk.happen(.answered(call.id, .noNetwork))
    #expect(walk.flow.stage == before)
  }

  @Test("T-09 an unexpected answer is shown as a server fault, never as a blank page")
  func serverFault() {
    for status: Int64 in [200, 404, 500] {
      var walk = Walk.submitting()
      walk.answer(status, .null)
      #expect(walk.signIn?.notice == .serverFault)
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
      var walk = Walk.submitting()
      walk.refuse(code) { $0.retryIn = 30 }
      #expect(walk.signIn?.notice == notice(walk.time))
    }
  }
}

@Suite struct LockTests {
  @Test("T-05 a lockout shows its own page, and the form comes back automatically")
  func lockAndReturn() {
    var walk = Walk.locked()
    #expect(walk.signIn?.step == .locked(until: walk.time.adding(seconds: 900)))
    #expect(walk.focus == .heading)

    walk.pass(seconds: 899)
    #expect(walk.signIn?.step == .locked(until: Walk.noon.adding(seconds: 900)))
    walk.pass(seconds: 1)
    #expect(walk.signIn?.step == .enteringCredentials)
    #expect(walk.signIn?.email == "tech@example.com")
    #expect(walk.announcements == [.lockEnded])
    #expect(walk.effects.last == .stopTicking)
  }

  @Test("T-05 no request is sent for an account while its lockout is known")
  func noCallWhileLocked() {
    var walk = Walk.locked()
    walk.press(.useAnotherAccount)
    #expect(walk.signIn?.email == "")

    walk.happen(.fieldEdited(.email, "  TECH@example.com "))
    walk.happen(.fieldEdited(.password, "x"))
    walk.press(.login)

    #expect(!walk.isCalling)
    #expect(!walk.effects.contains(.makeVerifier))
    #expect(walk.signIn?.step == .locked(until: Walk.noon.adding(seconds: 900)))
  }

  @Test("T-05 another person can still sign in on the same device")
  func anotherAccount() {
    var walk = Walk.locked()
    walk.press(.useAnotherAccount)
    walk.happen(.fieldEdited(.email, "colleague@example.com"))
    walk.happen(.fieldEdited(.password, "x"))

    walk.submit()

    #expect(walk.isCalling)
  }

  @Test("T-05 a lockout may come at every step")
  func lockAtEveryStep() {
    for start in [Walk.submitting(), Walk.checking(), Walk.resending(), Walk.redeeming()] {
      var walk = start
      walk.lock(minutes: 30)
      #expect(walk.signIn?.step == .locked(until: walk.time.adding(seconds: 1800)))
    }
  }
}

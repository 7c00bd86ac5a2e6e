import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

@Suite struct ResetTests {
  @Test(
    "T-11 e-mail, code and a new password lead back to the login screen, which keeps the e-mail")
  func wholeWay() throws {
    var walk = Walk.askingToReset()
    let ask = try #require(walk.lastCall).call
    #expect(ask.path == "/password/forgot")
    #expect(ask.form?["client_id"] == "technician-app")
    #expect(ask.form?["username"] == "tech@example.com")
    #expect(walk.announcements == [.sendingCode])

    walk.sendResetCode()
    #expect(walk.focus == .code)
    #expect(walk.announcements == [.codeSent(destination: "***-***-1234")])

    walk.choosePassword()
    let change = try #require(walk.lastCall).call
    #expect(change.path == "/password/reset")
    #expect(change.form?["reset_session"] == "reset-1")
    #expect(change.form?["otp"] == "123456")
    #expect(change.form?["password"] == Walk.newPassword)
    #expect(change.authorization == .proof)

    walk.answer(204, .null)
    let signIn = try #require(walk.signIn)
    #expect(signIn.step == .enteringCredentials)
    #expect(signIn.notice == .passwordChanged)
    #expect(signIn.email == "tech@example.com")
    #expect(signIn.password.isEmpty)
    #expect(walk.focus == .password)
  }

  @Test("A waiting new password is shown with its time, and the login screen comes back")
  func waiting() throws {
    var walk = Walk.changingPassword()
    let moment = Instant(seconds: 1_900_000_000)

    walk.answer(
      202,
      .members([
        JSONMember("status", "waiting"), JSONMember("available_at", moment.seconds),
      ]))

    let signIn = try #require(walk.signIn)
    #expect(signIn.step == .enteringCredentials)
    #expect(signIn.notice == .passwordPending(until: moment))
  }

  @Test("If administrators reset passwords, the screen says to ask an administrator")
  func administrator() {
    var walk = Walk.askingToReset()

    walk.refuse(.resetByAdministrator)

    #expect(walk.reset?.notice == .resetByAdministrator)
    #expect(walk.reset?.step == .enteringEmail)
  }

  @Test("T-11, T-05 a lockout leads to the reset and back, and a new password ends the lockout")
  func fromTheLock() {
    var walk = Walk.locked()
    walk.press(.forgotPassword)
    #expect(walk.reset?.email == "tech@example.com")
    #expect(walk.focus == .heading)
    walk.press(.back)
    #expect(walk.signIn?.step == .locked(until: Walk.noon.adding(seconds: 900)))

    walk.press(.forgotPassword)
    walk.press(.sendCode)
    walk.sendResetCode()
    walk.choosePassword()
    walk.answer(204, .null)
    walk.happen(.fieldEdited(.password, Walk.newPassword))
    walk.submit()

    #expect(walk.call(to: "/oauth/challenge") != nil)
  }

  @Test("T-11 Back leads to the e-mail, then to the login screen with its input")
  func back() throws {
    for start in [Walk.atResetCode(), .changingPassword(), .resendingToReset()] {
      var walk = start
      let call = walk.lastCall
      walk.press(.back)
      #expect(walk.reset?.step == .enteringEmail)
      #expect(walk.reset?.password.isEmpty == true)
      let before = walk.flow.stage
      if let call { walk.happen(.answered(call.id, .noNetwork)) }
      #expect(walk.flow.stage == before)
    }
    for start in [Walk.atReset(), .askingToReset()] {
      var walk = start
      walk.press(.back)
      #expect(walk.signIn?.step == .enteringCredentials)
      #expect(walk.signIn?.email == "tech@example.com")
      #expect(walk.focus == .password)
    }
  }

  @Test("T-11 without an e-mail no request is sent, and an incomplete one is reported at its field")
  func email() {
    var walk = Walk.atCredentials()
    walk.press(.forgotPassword)
    #expect(walk.focus == .email)
    #expect(walk.reset?.canAsk == false)
    walk.press(.sendCode)
    #expect(!walk.isCalling)

    walk.happen(.fieldEdited(.email, "tech@"))
    walk.press(.sendCode)
    #expect(walk.reset?.isEmailMalformed == true)
    #expect(walk.effects == [.announce(.emailMalformed)])

    walk.happen(.fieldEdited(.email, "tech@example.com"))
    walk.press(.sendCode)
    #expect(walk.isCalling)
  }

  @Test("T-11, T-06 a wrong or expired code clears its field and keeps the password")
  func wrongCode() {
    for code: ErrorCode in [.invalidOTP, .otpExpired] {
      var walk = Walk.changingPassword()
      walk.refuse(code) { $0.attemptsLeft = 2 }
      #expect(walk.resetEntry?.isRefused == true)
      #expect(walk.resetEntry?.text == "")
      #expect(walk.reset?.password == Secret(Walk.newPassword))
      #expect(walk.focus == .code)
      #expect(walk.announcements == [.codeRefused(attemptsLeft: 2)])
    }
  }

  @Test(
    "T-11 a refused password is reported at its field, and the code stays",
    arguments: [
      (.passwordTooShort, .tooShort), (.passwordTooLong, .tooLong),
      (.passwordTooCommon, .tooCommon),
    ] as [(ErrorCode, PasswordReset.PasswordFault)])
  func refusedPassword(_ code: ErrorCode, _ fault: PasswordReset.PasswordFault) {
    var walk = Walk.changingPassword()
    walk.refuse(code)
    #expect(walk.reset?.passwordFault == fault)
    #expect(walk.resetEntry?.text == "123456")
    #expect(walk.focus == .newPassword)
    #expect(walk.announcements == [.passwordRefused(fault)])

    walk.happen(.fieldEdited(.newPassword, "another one"))
    #expect(walk.reset?.passwordFault == nil)
    walk.press(.verify)

    #expect(walk.lastCall?.call.form?["otp"] == "123456")
  }

  @Test("T-11, T-08 Resend sends the account again and uses the new session")
  func resend() {
    var walk = Walk.resendingToReset()
    #expect(walk.lastCall?.call.path == "/password/forgot")
    #expect(walk.lastCall?.call.form?["username"] == "tech@example.com")

    walk.sendResetCode("reset-2")
    #expect(walk.resetEntry?.notice == .newCodeSent)
    #expect(walk.resetEntry?.canResend(at: walk.serverNow) == false)
    walk.choosePassword()

    #expect(walk.lastCall?.call.form?["reset_session"] == "reset-2")
  }

  @Test("T-11 wrong codes lock, and such a lockout offers no reset")
  func lock() {
    for start in [Walk.askingToReset(), .changingPassword(), .resendingToReset()] {
      var walk = start
      walk.lock(minutes: 15)
      let until = walk.serverNow.adding(seconds: 900)
      #expect(walk.signIn?.step == .locked(until: until, canReset: false))
      #expect(walk.announcements == [.locked(until: until, canReset: false)])
      walk.press(.forgotPassword)
      #expect(walk.reset == nil)

      walk.pass(seconds: 900)
      #expect(walk.signIn?.step == .enteringCredentials)
    }
  }

  @Test("T-11 a reset that took too long needs another code")
  func tooLong() {
    var walk = Walk.changingPassword()

    walk.refuse(.invalidSession)

    #expect(walk.reset?.step == .enteringEmail)
    #expect(walk.reset?.notice == .resetExpired)
    #expect(walk.reset?.password.isEmpty == true)
  }

  @Test("T-11, T-07 a lost answer keeps all input; if the password had changed, the screen says so")
  func lostAnswer() {
    var walk = Walk.changingPassword()
    walk.fail(.timedOut)
    #expect(walk.resetEntry?.notice == .noAnswerInTime)
    #expect(walk.resetEntry?.text == "123456")
    walk.press(.verify)
    #expect(walk.lastCall?.call.form?["password"] == Walk.newPassword)

    walk.refuse(.invalidSession)

    #expect(walk.signIn?.step == .enteringCredentials)
    #expect(walk.signIn?.notice == .passwordMaybeChanged)
  }

  @Test("T-11 the new password can be shown and is hidden when it is sent")
  func reveal() {
    var walk = Walk.atResetCode()
    walk.happen(.passwordRevealToggled)
    #expect(walk.reset?.isPasswordRevealed == true)
    walk.happen(.fieldEdited(.code, "123456"))
    walk.press(.verify)
    #expect(!walk.isCalling)

    walk.choosePassword()

    #expect(walk.isCalling)
    #expect(walk.reset?.isPasswordRevealed == false)
  }

  @Test("T-11 every other refusal of a reset is shown above the form")
  func otherRefusals() {
    let cases: [(ErrorCode, Notice)] = [
      (.rateLimited, .rateLimited(until: Walk.noon.adding(seconds: 30))),
      (.accountNotRegistered, .notRegistered), (.temporarilyUnavailable, .serviceBusy),
    ]
    for (code, notice) in cases {
      var walk = Walk.askingToReset()
      walk.refuse(code) { $0.retryIn = 30 }
      #expect(walk.reset?.notice == notice)
      #expect(walk.reset?.email == "tech@example.com")
    }
    var walk = Walk.askingToReset()
    walk.fail()
    #expect(walk.reset?.notice == .noConnection)
  }
}

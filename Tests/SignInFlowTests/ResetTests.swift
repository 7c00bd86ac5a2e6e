import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite struct ResetTests {
  @Test(
    "T-11 e-mail, code and a new password lead back to the login screen, which keeps the e-mail")
  func wholeWay() throws {
    var driver = FlowDriver.askingToReset()
    let ask = try #require(driver.lastCall).call
    #expect(ask.path == "/password/forgot")
    #expect(ask.form?["client_id"] == "technician-app")
    #expect(ask.form?["username"] == "tech@example.com")
    #expect(driver.announcements == [.sendingCode])

    driver.sendResetCode()
    #expect(driver.focus == .code)
    #expect(driver.announcements == [.codeSent(destination: "***-***-1234")])

    driver.choosePassword()
    let change = try #require(driver.lastCall).call
    #expect(change.path == "/password/reset")
    #expect(change.form?["reset_session"] == "reset-1")
    #expect(change.form?["otp"] == "123456")
    #expect(change.form?["password"] == FlowDriver.newPassword)
    #expect(change.authorization == .proof)

    driver.answer(204, .null)
    let signIn = try #require(driver.signIn)
    #expect(signIn.step == .enteringCredentials)
    #expect(signIn.notice == .passwordChanged)
    #expect(signIn.email == "tech@example.com")
    #expect(signIn.password.isEmpty)
    #expect(driver.focus == .password)
  }

  @Test("A waiting new password is shown with its time, and the login screen comes back")
  func waiting() throws {
    var driver = FlowDriver.changingPassword()
    let moment = Instant(seconds: 1_900_000_000)

    driver.answer(
      202,
      .members([
        JSONMember("status", "waiting"), JSONMember("available_at", moment.seconds),
      ]))

    let signIn = try #require(driver.signIn)
    #expect(signIn.step == .enteringCredentials)
    #expect(signIn.notice == .passwordPending(until: moment))
  }

  @Test("If administrators reset passwords, the screen says to ask an administrator")
  func administrator() {
    var driver = FlowDriver.askingToReset()

    driver.refuse(.resetByAdministrator)

    #expect(driver.reset?.notice == .resetByAdministrator)
    #expect(driver.reset?.step == .enteringEmail)
  }

  @Test("T-11, T-05 a lockout leads to the reset and back, and a new password ends the lockout")
  func fromTheLock() {
    var driver = FlowDriver.locked()
    driver.press(.forgotPassword)
    #expect(driver.reset?.email == "tech@example.com")
    #expect(driver.focus == .heading)
    driver.press(.back)
    #expect(driver.signIn?.step == .locked(until: FlowDriver.startTime.adding(seconds: 900)))

    driver.press(.forgotPassword)
    driver.press(.sendCode)
    driver.sendResetCode()
    driver.choosePassword()
    driver.answer(204, .null)
    driver.handle(.page(.fieldEdited(.password, FlowDriver.newPassword)))
    driver.submit()

    #expect(driver.call(to: "/oauth/challenge") != nil)
  }

  @Test("T-11 Back leads to the e-mail, then to the login screen with its input")
  func back() throws {
    for start in [FlowDriver.atResetCode(), .changingPassword(), .resendingToReset()] {
      var driver = start
      let call = driver.lastCall
      driver.press(.back)
      #expect(driver.reset?.step == .enteringEmail)
      #expect(driver.reset?.password.isEmpty == true)
      let before = driver.flow.stage
      if let call { driver.handle(.answered(call.id, .noNetwork)) }
      #expect(driver.flow.stage == before)
    }
    for start in [FlowDriver.atReset(), .askingToReset()] {
      var driver = start
      driver.press(.back)
      #expect(driver.signIn?.step == .enteringCredentials)
      #expect(driver.signIn?.email == "tech@example.com")
      #expect(driver.focus == .password)
    }
  }

  @Test("T-11 without an e-mail no request is sent, and an incomplete one is reported at its field")
  func email() {
    var driver = FlowDriver.atCredentials()
    driver.press(.forgotPassword)
    #expect(driver.focus == .email)
    #expect(driver.reset?.canAsk == false)
    driver.press(.sendCode)
    #expect(!driver.isCalling)

    driver.handle(.page(.fieldEdited(.email, "tech@")))
    driver.press(.sendCode)
    #expect(driver.reset?.isEmailMalformed == true)
    #expect(driver.output == [.announce(.emailMalformed)])

    driver.handle(.page(.fieldEdited(.email, "tech@example.com")))
    driver.press(.sendCode)
    #expect(driver.isCalling)
  }

  @Test("T-11, T-06 a wrong or expired code clears its field and keeps the password")
  func wrongCode() {
    for code: ErrorCode in [.invalidOTP, .otpExpired] {
      var driver = FlowDriver.changingPassword()
      driver.refuse(code) { $0.attemptsLeft = 2 }
      #expect(driver.resetEntry?.fault == .refused(attemptsLeft: 2))
      #expect(driver.resetEntry?.text == "")
      #expect(driver.reset?.password == Secret(FlowDriver.newPassword))
      #expect(driver.focus == .code)
      #expect(driver.announcements == [.codeRefused(attemptsLeft: 2)])
    }
  }

  @Test(
    "T-11 a refused password is reported at its field, and the code stays",
    arguments: [
      (.passwordTooShort, .tooShort), (.passwordTooLong, .tooLong),
      (.passwordTooCommon, .tooCommon),
    ] as [(ErrorCode, PasswordFault)])
  func refusedPassword(_ code: ErrorCode, _ fault: PasswordFault) {
    var driver = FlowDriver.changingPassword()
    driver.refuse(code)
    #expect(driver.reset?.passwordFault == fault)
    #expect(driver.resetEntry?.text == "123456")
    #expect(driver.focus == .newPassword)
    #expect(driver.announcements == [.passwordRefused(fault)])

    driver.handle(.page(.fieldEdited(.newPassword, "another one")))
    #expect(driver.reset?.passwordFault == nil)
    driver.press(.verify)

    #expect(driver.lastCall?.call.form?["otp"] == "123456")
  }

  @Test("T-11, T-08 Resend sends the account again and uses the new session")
  func resend() {
    var driver = FlowDriver.resendingToReset()
    #expect(driver.lastCall?.call.path == "/password/forgot")
    #expect(driver.lastCall?.call.form?["username"] == "tech@example.com")

    driver.sendResetCode("reset-2")
    #expect(driver.resetEntry?.notice == .newCodeSent)
    #expect(driver.resetEntry?.canResend(at: driver.serverNow) == false)
    driver.choosePassword()

    #expect(driver.lastCall?.call.form?["reset_session"] == "reset-2")
  }

  @Test("T-11 wrong codes lock, and such a lockout offers no reset")
  func lock() {
    for start in [FlowDriver.askingToReset(), .changingPassword(), .resendingToReset()] {
      var driver = start
      driver.lockOut(minutes: 15)
      let until = driver.serverNow.adding(seconds: 900)
      #expect(driver.signIn?.step == .locked(until: until, canReset: false))
      #expect(driver.announcements == [.locked(until: until, canReset: false)])
      driver.press(.forgotPassword)
      #expect(driver.reset == nil)

      driver.pass(seconds: 900)
      #expect(driver.signIn?.step == .enteringCredentials)
    }
  }

  @Test("T-11 a reset that took too long needs another code")
  func tooLong() {
    var driver = FlowDriver.changingPassword()

    driver.refuse(.invalidSession)

    #expect(driver.reset?.step == .enteringEmail)
    #expect(driver.reset?.notice == .resetExpired)
    #expect(driver.reset?.password.isEmpty == true)
  }

  @Test("T-11, T-07 a lost answer keeps all input; if the password had changed, the screen says so")
  func lostAnswer() {
    var driver = FlowDriver.changingPassword()
    driver.fail(.timedOut)
    #expect(driver.resetEntry?.notice == .noAnswerInTime)
    #expect(driver.resetEntry?.text == "123456")
    driver.press(.verify)
    #expect(driver.lastCall?.call.form?["password"] == FlowDriver.newPassword)

    driver.refuse(.invalidSession)

    #expect(driver.signIn?.step == .enteringCredentials)
    #expect(driver.signIn?.notice == .passwordMaybeChanged)
  }

  @Test("T-11 the new password can be shown and is hidden when it is sent")
  func reveal() {
    var driver = FlowDriver.atResetCode()
    driver.handle(.page(.passwordRevealToggled))
    #expect(driver.reset?.isPasswordRevealed == true)
    driver.handle(.page(.fieldEdited(.code, "123456")))
    driver.press(.verify)
    #expect(!driver.isCalling)

    driver.choosePassword()

    #expect(driver.isCalling)
    #expect(driver.reset?.isPasswordRevealed == false)
  }

  @Test("T-11 every other refusal of a reset is shown above the form")
  func otherRefusals() {
    let cases: [(ErrorCode, Notice)] = [
      (.rateLimited, .rateLimited(until: FlowDriver.startTime.adding(seconds: 30))),
      (.accountNotRegistered, .notRegistered), (.temporarilyUnavailable, .serviceBusy),
    ]
    for (code, notice) in cases {
      var driver = FlowDriver.askingToReset()
      driver.refuse(code) { $0.retryIn = 30 }
      #expect(driver.reset?.notice == notice)
      #expect(driver.reset?.email == "tech@example.com")
    }
    var driver = FlowDriver.askingToReset()
    driver.fail()
    #expect(driver.reset?.notice == .noConnection)
  }
}

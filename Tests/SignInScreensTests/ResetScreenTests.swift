import JSONText
import SignInEngine
import SignInFlow
import SignInModel
import Testing

@testable import SignInScreens
@testable import SignInWire

@Suite struct ResetScreenTests {
  @Test("T-11 the reset asks for the e-mail and fills it in if it is known")
  func email() throws {
    var driver = ScreenDriver.reset()
    let email = try #require(driver.field(.email))

    #expect(driver.screen.id == "reset")
    #expect(driver.text("heading") == "Reset your password")
    #expect(email.value == "tech@example.com")
    #expect(email.autofill == "username")
    #expect(driver.button(.sendCode)?.label == "Send OTP")
    #expect(driver.screen.back == "back")
    driver.handle(.page(.fieldEdited(.email, "")))
    #expect(driver.button(.sendCode)?.isEnabled == false)
  }

  @Test("T-11, T-10 the code and a new password are asked for on one screen")
  func codeAndPassword() throws {
    var driver = ScreenDriver.resetCode()
    let password = try #require(driver.field(.newPassword))

    #expect(driver.text("lead") == "An OTP has been sent to ***-***-1234")
    #expect(driver.field(.code)?.autofill == "one-time-code")
    #expect(driver.screen.focus?.part == "code")
    #expect(password.label == "New password")
    #expect(password.autofill == "new-password")
    #expect(password.help?.contains("8 characters") == true)
    #expect(
      password.kind == .password(isRevealed: false, reveal: "Show", revealName: "Show password"))
    #expect(driver.button(.verify)?.label == "Change password")
    #expect(driver.button(.resend)?.reason == "in 1:00")

    driver.handle(.page(.fieldEdited(.code, "123456")))
    #expect(driver.button(.verify)?.isEnabled == false)
    driver.handle(.page(.fieldEdited(.newPassword, "x")))
    #expect(driver.button(.verify)?.isEnabled == true)
  }

  @Test("T-11 the button says that the password is being changed")
  func busy() {
    let driver = ScreenDriver.changingPassword()

    #expect(driver.button(.verify)?.label == "Changing your password…")
    #expect(driver.button(.verify)?.isBusy == true)
    #expect(driver.field(.newPassword)?.isEnabled == false)
    #expect(driver.spoken.map(\.text) == ["Changing your password…"])
  }

  @Test(
    "T-11 a refused password is explained beside its field and announced",
    arguments: [
      (.passwordTooShort, "Too short"), (.passwordTooLong, "Too long"),
      (.passwordTooCommon, "Too easy to guess"),
    ] as [(ErrorCode, String)])
  func refused(_ code: ErrorCode, _ words: String) {
    var driver = ScreenDriver.changingPassword()

    driver.refuse(Refusal(code))

    #expect(driver.field(.newPassword)?.error?.contains(words) == true)
    #expect(driver.screen.focus?.part == "new_password")
    #expect(driver.spoken.first?.text == driver.field(.newPassword)?.error)
    #expect(driver.spoken.first?.politeness == .assertive)
    #expect(driver.field(.code)?.value == "123456")
  }

  @Test("T-11 a changed password is reported above the login form")
  func changed() {
    var driver = ScreenDriver.changingPassword()

    driver.answer(204, .null)

    #expect(driver.screen.id == "credentials")
    #expect(driver.banner?.severity == .success)
    #expect(
      driver.banner?.text == "Password changed. Sign in with your new password.")
    #expect(driver.screen.focus?.part == "password")
    #expect(driver.field(.email)?.value == "tech@example.com")
  }

  @Test("T-11, T-05 a lockout that also stops resets offers no reset")
  func locked() {
    var driver = ScreenDriver.changingPassword()
    var error = Refusal(.accountLocked)
    error.lockedUntil = driver.time.adding(seconds: 900)
    driver.refuse(error)

    #expect(
      driver.text("lock")
        == "Your account is temporarily locked. Please try again in 15 minutes.")
    #expect(driver.spoken.first?.text == driver.text("lock"))
    #expect(driver.button(.forgotPassword) == nil)
    driver.pass(seconds: 841)
    #expect(driver.text("lock")?.hasSuffix("in 1 minute.") == true)
  }

  @Test("T-09 each app has its own text for an unknown account")
  func notRegistered() {
    let driver = ScreenDriver.refused(.accountNotRegistered)
    #expect(driver.banner?.text.hasPrefix("This email is not registered.") == true)

    var rider = RiderScreenDriver.riderSending()
    rider.refuse(Refusal(.accountNotRegistered))
    #expect(rider.banner?.text.hasPrefix("This mobile number is not registered.") == true)
  }
}

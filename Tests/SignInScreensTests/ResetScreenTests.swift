import JSONText
import SignInFlow
import SignInModel
import SignInWire
import Testing

@testable import SignInScreens

@Suite struct ResetScreenTests {
  @Test("T-11 the reset asks for the e-mail and fills it in if it is known")
  func email() throws {
    var stage = Stage.reset()
    let email = try #require(stage.field(.email))

    #expect(stage.screen.id == "reset")
    #expect(stage.text("heading") == "Reset your password")
    #expect(email.value == "tech@example.com")
    #expect(email.autofill == "username")
    #expect(stage.button(.sendCode)?.label == "Send OTP")
    #expect(stage.screen.back == "back")
    stage.happen(.fieldEdited(.email, ""))
    #expect(stage.button(.sendCode)?.isEnabled == false)
  }

  @Test("T-11, T-10 the code and a new password are asked for on one screen")
  func codeAndPassword() throws {
    var stage = Stage.resetCode()
    let password = try #require(stage.field(.newPassword))

    #expect(stage.text("lead") == "An OTP has been sent to ***-***-1234")
    #expect(stage.field(.code)?.autofill == "one-time-code")
    #expect(stage.screen.focus?.part == "code")
    #expect(password.label == "New password")
    #expect(password.autofill == "new-password")
    #expect(password.help?.contains("8 characters") == true)
    #expect(
      password.kind == .password(isRevealed: false, reveal: "Show", revealName: "Show password"))
    #expect(stage.button(.verify)?.label == "Change password")
    #expect(stage.button(.resend)?.reason == "in 1:00")

    stage.happen(.fieldEdited(.code, "123456"))
    #expect(stage.button(.verify)?.isEnabled == false)
    stage.happen(.fieldEdited(.newPassword, "x"))
    #expect(stage.button(.verify)?.isEnabled == true)
  }

  @Test("T-11 the button says that the password is being changed")
  func busy() {
    let stage = Stage.changingPassword()

    #expect(stage.button(.verify)?.label == "Changing your password…")
    #expect(stage.button(.verify)?.isBusy == true)
    #expect(stage.field(.newPassword)?.isEnabled == false)
    #expect(stage.spoken.map(\.text) == ["Changing your password…"])
  }

  @Test(
    "T-11 a refused password is explained beside its field and announced",
    arguments: [
      (.passwordTooShort, "Too short"), (.passwordTooLong, "Too long"),
      (.passwordTooCommon, "Too easy to guess"),
    ] as [(ErrorCode, String)])
  func refused(_ code: ErrorCode, _ words: String) {
    var stage = Stage.changingPassword()

    stage.refuse(ErrorAnswer(code))

    #expect(stage.field(.newPassword)?.error?.contains(words) == true)
    #expect(stage.screen.focus?.part == "new_password")
    #expect(stage.spoken.first?.text == stage.field(.newPassword)?.error)
    #expect(stage.spoken.first?.politeness == .assertive)
    #expect(stage.field(.code)?.value == "123456")
  }

  @Test("T-11 a changed password is reported above the login form")
  func changed() {
    var stage = Stage.changingPassword()

    stage.answer(204, .null)

    #expect(stage.screen.id == "credentials")
    #expect(stage.banner?.severity == .success)
    #expect(
      stage.banner?.text == "Password changed. Sign in with your new password.")
    #expect(stage.screen.focus?.part == "password")
    #expect(stage.field(.email)?.value == "tech@example.com")
  }

  @Test("T-11, T-05 a lockout that also stops resets offers no reset")
  func locked() {
    var stage = Stage.changingPassword()
    var error = ErrorAnswer(.accountLocked)
    error.lockedUntil = stage.time.adding(seconds: 900)
    stage.refuse(error)

    #expect(
      stage.text("lock")
        == "Your account is temporarily locked. Please try again in 15 minutes.")
    #expect(stage.spoken.first?.text == stage.text("lock"))
    #expect(stage.button(.forgotPassword) == nil)
    stage.pass(seconds: 841)
    #expect(stage.text("lock")?.hasSuffix("in 1 minute.") == true)
  }

  @Test("T-09 each app has its own text for an unknown account")
  func notRegistered() {
    var stage = Stage.refused(.accountNotRegistered)
    #expect(stage.banner?.text.hasPrefix("This email is not registered.") == true)

    stage = Stage.riderSending()
    stage.refuse(ErrorAnswer(.accountNotRegistered))
    #expect(stage.banner?.text.hasPrefix("This mobile number is not registered.") == true)
  }
}

import JSONText
import SignInEngine
import SignInFlow
import SignInModel
import Testing

@testable import SignInScreens
@testable import SignInWire

@Suite struct RiderRegistrationScreenTests {
  private static func registering() -> RiderScreenDriver {
    var driver = RiderScreenDriver.rider()
    driver.handle(.page(.fieldEdited(.phone, "98123 45678")))
    driver.press(.signUp)
    driver.handle(.page(.fieldEdited(.name, "Asha Rao")))
    driver.press(.register)
    return driver
  }

  @Test("R-11 Sign up is below the number and asks for a name and a number")
  func form() throws {
    var driver = RiderScreenDriver.rider()
    #expect(driver.button(.signUp)?.kind == .link)
    driver.press(.signUp)
    let name = try #require(driver.field(.name))

    #expect(driver.screen.id == "sign-up")
    #expect(name.kind == .text)
    #expect(name.label == "Name")
    #expect(name.autofill == "name")
    #expect(driver.field(.phone)?.autofill == "tel-national")
    #expect(driver.button(.register)?.isEnabled == false)
    #expect(driver.screen.focus?.part == "name")
    // Only the server knows whether an administrator has to approve.
    #expect(driver.text("lead") == "Enter your name and mobile number.")
  }

  @Test("R-11 a problem with a name or a number is shown beside it and announced")
  func faults() {
    var driver = RiderScreenDriver.rider()
    driver.press(.signUp)
    driver.handle(.page(.fieldEdited(.name, " ")))
    driver.handle(.page(.fieldEdited(.phone, "98123")))
    driver.press(.register)
    #expect(driver.field(.name)?.error == "Enter your name.")
    driver.handle(.page(.fieldEdited(.name, String(repeating: "x", count: 101))))
    driver.press(.register)
    #expect(driver.field(.name)?.error?.contains("100 characters") == true)
    #expect(driver.field(.phone)?.error == "Enter all 10 digits of your mobile number.")
    #expect(driver.spoken.map(\.text) == [driver.field(.name)?.error])
    #expect(driver.spoken.first?.politeness == .assertive)

    driver = Self.registering()
    #expect(driver.button(.register)?.isBusy == true)
    driver.refuse(Refusal(.invalidRequest))
    #expect(driver.field(.phone)?.error?.contains("this country") == true)
    #expect(driver.spoken.first?.text == driver.field(.phone)?.error)
  }

  @Test("R-11 closed registration is reported above the form")
  func closed() {
    var driver = Self.registering()

    driver.refuse(Refusal(.unauthorizedClient))

    #expect(driver.banner?.text.contains("Contact your administrator") == true)
    #expect(driver.banner?.severity == .error)
  }

  @Test("R-11 after sending, the screen explains the approval and the next step")
  func sent() {
    var driver = Self.registering()

    driver.answer(202, .members([JSONMember("status", "pending")]))

    #expect(driver.screen.id == "signed-up")
    #expect(driver.text("approval") == "Waiting for approval")
    #expect(driver.text("next")?.contains("sign in with +91 9812345678") == true)
    #expect(driver.spoken.map(\.text) == [driver.text("next")])
    #expect(driver.button(.back)?.label == "Back to sign in")
    #expect(driver.screen.back == "back")
  }

  @Test("R-11 only where an administrator has to approve does a screen say so")
  func approvedWithCode() {
    var driver = Self.registering()
    let prompt = CodePrompt(
      destination: "***-***-5678", digits: 6, expiresAt: driver.time.adding(seconds: 300),
      resendAt: driver.time.adding(seconds: 60), attemptsLeft: 5)
    driver.answer(202, RegistrationAnswer.codeSent(session: Secret("session-1"), prompt).json)
    #expect(driver.screen.id == "sign-up-code")
    #expect(driver.field(.code) != nil && driver.button(.resend) != nil)
    #expect(driver.screen.back == "back")

    driver.handle(.page(.fieldEdited(.code, "123456")))
    driver.answer(200, .members([JSONMember("status", "active")]))

    #expect(driver.screen.id == "signed-up")
    #expect(driver.text("next") == "Your account is ready. Sign in with +91 9812345678.")
    #expect(driver.spoken.map(\.text) == [driver.text("next")])
    #expect(driver.text("approval") == nil && driver.text("unsure") == nil)
  }

  @Test("R-11 a person whose account waits reads so at the sign-in")
  func pending() {
    var driver = RiderScreenDriver.riderSending()
    driver.refuse(.accountPending)
    #expect(driver.banner?.text.contains("waiting for approval") == true)
    #expect(driver.banner?.severity == .info)
  }

  @Test("R-07 while a number is sent, its link is disabled, and later Cancel replaces it")
  func loading() {
    var driver = RiderScreenDriver.riderSending()
    let places = driver.screen.parts.count
    #expect(driver.button(.signUp)?.isEnabled == false)

    driver.pass(seconds: 15)

    #expect(driver.button(.cancel) != nil)
    #expect(driver.screen.parts.count == places)
  }
}

import JSONText
import SignInFlow
import SignInModel
import SignInWire
import Testing

@testable import SignInScreens

@Suite struct RiderRegistrationScreenTests {
  private static func registering() -> Stage {
    var stage = Stage.rider()
    stage.happen(.fieldEdited(.phone, "98123 45678"))
    stage.press(.signUp)
    stage.happen(.fieldEdited(.name, "Asha Rao"))
    stage.press(.register)
    return stage
  }

  @Test("R-11 Sign up is below the number and asks for a name and a number")
  func form() throws {
    var stage = Stage.rider()
    #expect(stage.button(.signUp)?.kind == .link)
    stage.press(.signUp)
    let name = try #require(stage.field(.name))

    #expect(stage.screen.id == "sign-up")
    #expect(name.kind == .text)
    #expect(name.label == "Name")
    #expect(name.autofill == "name")
    #expect(stage.field(.phone)?.autofill == "tel-national")
    #expect(stage.button(.register)?.isEnabled == false)
    #expect(stage.screen.focus?.part == "name")
    #expect(stage.text("lead")?.contains("administrator must approve") == true)
  }

  @Test("R-11 a problem with a name or a number is shown beside it and announced")
  func faults() {
    var stage = Stage.rider()
    stage.press(.signUp)
    stage.happen(.fieldEdited(.name, " "))
    stage.happen(.fieldEdited(.phone, "98123"))
    stage.press(.register)
    #expect(stage.field(.name)?.error == "Enter your name.")
    stage.happen(.fieldEdited(.name, String(repeating: "x", count: 101)))
    stage.press(.register)
    #expect(stage.field(.name)?.error?.contains("100 characters") == true)
    #expect(stage.field(.phone)?.error == "Enter all 10 digits of your mobile number.")
    #expect(stage.spoken.map(\.text) == [stage.field(.name)?.error])
    #expect(stage.spoken.first?.politeness == .assertive)

    stage = Self.registering()
    #expect(stage.button(.register)?.isBusy == true)
    stage.refuse(ErrorAnswer(.invalidRequest))
    #expect(stage.field(.phone)?.error?.contains("this country") == true)
    #expect(stage.spoken.first?.text == stage.field(.phone)?.error)
  }

  @Test("R-11 closed registration is reported above the form")
  func closed() {
    var stage = Self.registering()

    stage.refuse(ErrorAnswer(.unauthorizedClient))

    #expect(stage.banner?.text.contains("Contact your administrator") == true)
    #expect(stage.banner?.severity == .error)
  }

  @Test("R-11 after sending, the screen explains the approval and the next step")
  func sent() {
    var stage = Self.registering()

    stage.answer(202, .members([JSONMember("status", "pending")]))

    #expect(stage.screen.id == "signed-up")
    #expect(stage.text("approval") == "Waiting for approval")
    #expect(stage.text("next")?.contains("sign in with +91 9812345678") == true)
    #expect(stage.spoken.map(\.text) == [stage.text("next")])
    #expect(stage.button(.back)?.label == "Back to sign in")
    #expect(stage.screen.back == "back")
  }

  @Test("R-07 while a number is sent, its link is disabled, and later Cancel replaces it")
  func loading() {
    var stage = Stage.riderSending()
    let places = stage.screen.parts.count
    #expect(stage.button(.signUp)?.isEnabled == false)

    stage.pass(seconds: 15)

    #expect(stage.button(.cancel) != nil)
    #expect(stage.screen.parts.count == places)
  }
}

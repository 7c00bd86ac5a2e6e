import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

extension FlowDriver {
  static func invited() -> FlowDriver {
    var driver = FlowDriver.opened()
    driver.handle(.signIn(.invited(Secret("invitation-1"))))
    driver.handle(.storage(.read(.absent)))
    return driver
  }

  static func acceptingInvitation() -> FlowDriver {
    var driver = invited()
    driver.handle(.page(.fieldEdited(.newPassword, "a long enough one")))
    driver.press(.savePassword)
    return driver
  }
}

@Suite("The link of an invitation") struct InvitationTests {
  private func acceptance(_ driver: FlowDriver) -> InvitationAcceptance? {
    if case .acceptingInvitation(let acceptance)? = driver.signIn?.step { acceptance } else { nil }
  }

  @Test("S-01 the link opens the password form, and the password is sent with the invitation")
  func accepted() {
    #expect(FlowDriver.invited().focus == .newPassword)
    var driver = FlowDriver.acceptingInvitation()
    #expect(driver.lastCall?.call.path == Endpoint.acceptInvitation.path)
    #expect(driver.lastCall?.call.form?["invitation"] == "invitation-1")
    #expect(driver.lastCall?.call.form?["password"] == "a long enough one")

    driver.answer(200, .members([]))

    #expect(driver.signIn?.step == .enteringCredentials)
    #expect(driver.signIn?.notice == .passwordSaved)
  }

  @Test("a refused password keeps the form and shows the reason")
  func refusedPassword() {
    var driver = FlowDriver.acceptingInvitation()

    driver.refuse(.passwordTooCommon)

    #expect(acceptance(driver)?.fault == .tooCommon)
    #expect(acceptance(driver)?.waiting == nil)
  }

  @Test("a used or expired invitation leads to the login screen, which says so")
  func usedOrExpired() {
    var driver = FlowDriver.acceptingInvitation()

    driver.refuse(.invalidInvitation)

    #expect(driver.signIn?.step == .enteringCredentials)
    #expect(driver.signIn?.notice == .invitationOver)
  }

  @Test("without an answer the password stays; a used invitation then means that it was set")
  func lostAnswer() {
    var driver = FlowDriver.acceptingInvitation()
    driver.fail()
    #expect(acceptance(driver)?.password == Secret("a long enough one"))
    #expect(acceptance(driver)?.notice == .noConnection)
    driver.press(.savePassword)

    driver.refuse(.invalidInvitation)

    #expect(driver.signIn?.notice == .passwordMaybeChanged)
  }

  @Test("Back leads to the login screen, and the invitation is not used again")
  func left() {
    var driver = FlowDriver.invited()

    driver.press(.back)

    #expect(driver.signIn?.step == .enteringCredentials)
    #expect(driver.flow.context.run.opened.invitation == nil)
  }

  @Test("a signed-in session stays; the form appears after the sign-out")
  func signedIn() {
    var driver = FlowDriver.opened()
    driver.handle(.signIn(.invited(Secret("invitation-1"))))
    driver.handle(.storage(.read(.value(FlowDriver.stored(1, expiresIn: 3600)))))
    #expect(driver.signedIn?.notice == .session(.invitationWaits))

    driver.press(.signOut)

    #expect(acceptance(driver) != nil)
  }
}

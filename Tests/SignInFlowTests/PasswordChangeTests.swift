import EngineTesting
import JSONText
import SignInModel
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite("Change of password in the app")
struct PasswordChangeTests {
  private func atForm() -> FlowDriver {
    var driver = FlowDriver.atSessions()
    driver.press(.openPasswordChange)
    return driver
  }

  private func sent() -> FlowDriver {
    var driver = atForm()
    driver.handle(.page(.fieldEdited(.currentPassword, "old words")))
    driver.handle(.page(.fieldEdited(.newPassword, "mossy stones")))
    driver.press(.savePassword)
    return driver
  }

  private func form(_ driver: FlowDriver) -> PasswordChange? {
    driver.signedIn?.sessions?.passwordChange
  }

  private func problem(_ code: String, _ more: [JSONMember] = []) -> JSON {
    .object([JSONMember("code", code)] + more)
  }

  @Test("Both passwords are sent once, and the list says that the other devices are signed out")
  func changes() throws {
    var driver = sent()
    let (id, call) = try #require(driver.call(to: "/api/password"))
    #expect(
      call.body
        == .json(
          .members([
            JSONMember("current_password", "old words"), JSONMember("new_password", "mossy stones"),
          ])))
    driver.press(.savePassword)
    #expect(driver.call(to: "/api/password") == nil)

    driver.handle(.answered(id, .received(status: 204, body: .null, serverSeconds: nil)))

    #expect(form(driver) == nil)
    #expect(driver.signedIn?.sessions?.notice == .session(.passwordSet))
    #expect(driver.call(to: "/api/sessions") != nil)
  }

  @Test("Nothing is sent while one of the passwords is missing")
  func incomplete() {
    var driver = atForm()
    driver.handle(.page(.fieldEdited(.newPassword, "mossy stones")))

    driver.press(.savePassword)

    #expect(!driver.isCalling)
  }

  @Test("A wrong current password is reported at its field, and only that field is cleared")
  func wrongCurrent() {
    var driver = sent()

    driver.answer(400, problem("invalid_credentials"))

    #expect(form(driver)?.isCurrentWrong == true)
    #expect(form(driver)?.current.isEmpty == true && form(driver)?.new.isEmpty == false)
    driver.handle(.page(.fieldEdited(.currentPassword, "x")))
    #expect(form(driver)?.isCurrentWrong == false)
  }

  @Test("A refused new password is reported at its field")
  func refused() {
    var driver = sent()

    driver.answer(400, problem("password_too_common"))

    #expect(form(driver)?.fault == .tooCommon)
  }

  @Test("A locked account gets the end of the lockout from the server, and the session stays")
  func locked() {
    var driver = sent()
    let until = FlowDriver.startTime.adding(seconds: 900)

    driver.answer(403, problem("account_locked", [JSONMember("locked_until", until.seconds)]))

    #expect(form(driver)?.notice == .session(.lockedOut(until: until)))
    #expect(driver.signedIn != nil)
  }

  @Test("Without an answer the password may have changed, and the screen says so")
  func lost() {
    var driver = sent()

    driver.fail(.noNetwork)

    #expect(form(driver)?.notice == .session(.passwordMaybeSet))
  }

  @Test("Back leads to the list, then home; no input stays")
  func back() {
    var driver = atForm()
    driver.handle(.page(.fieldEdited(.currentPassword, "old words")))
    driver.handle(.page(.passwordRevealToggled))
    #expect(form(driver)?.isRevealed == true)

    driver.press(.back)
    #expect(driver.signedIn?.sessions != nil && form(driver) == nil)
    driver.press(.openPasswordChange)
    #expect(form(driver)?.current.isEmpty == true)
    driver.press(.back)
    driver.press(.back)
    #expect(driver.signedIn?.sessions == nil)
  }
}

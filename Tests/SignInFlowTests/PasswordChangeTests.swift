import JSONText
import SignInModel
import Testing

@testable import SignInFlow

@Suite("Change of password in the app")
struct PasswordChangeTests {
  private func atForm() -> Walk {
    var walk = Walk.atSessions()
    walk.press(.openPasswordChange)
    return walk
  }

  private func sent() -> Walk {
    var walk = atForm()
    walk.happen(.fieldEdited(.currentPassword, "old words"))
    walk.happen(.fieldEdited(.newPassword, "mossy stones"))
    walk.press(.savePassword)
    return walk
  }

  private func form(_ walk: Walk) -> PasswordChange? { walk.signedIn?.sessions?.passwordChange }

  private func problem(_ code: String, _ more: [JSONMember] = []) -> JSON {
    .object([JSONMember("code", code)] + more)
  }

  @Test("Both passwords are sent once, and the list says that the other devices are signed out")
  func changes() throws {
    var walk = sent()
    let (id, call) = try #require(walk.call(to: "/api/password"))
    #expect(
      call.body
        == .json(
          .members([
            JSONMember("current_password", "old words"), JSONMember("new_password", "mossy stones"),
          ])))
    walk.press(.savePassword)
    #expect(walk.call(to: "/api/password") == nil)

    walk.happen(.answered(id, .received(status: 204, body: .null, serverSeconds: nil)))

    #expect(form(walk) == nil)
    #expect(walk.signedIn?.sessions?.notice == .session(.passwordSet))
    #expect(walk.call(to: "/api/sessions") != nil)
  }

  @Test("Nothing is sent while one of the passwords is missing")
  func incomplete() {
    var walk = atForm()
    walk.happen(.fieldEdited(.newPassword, "mossy stones"))

    walk.press(.savePassword)

    #expect(!walk.isCalling)
  }

  @Test("A wrong current password is reported at its field, and only that field is cleared")
  func wrongCurrent() {
    var walk = sent()

    walk.answer(400, problem("invalid_credentials"))

    #expect(form(walk)?.isCurrentWrong == true)
    #expect(form(walk)?.current.isEmpty == true && form(walk)?.new.isEmpty == false)
    walk.happen(.fieldEdited(.currentPassword, "x"))
    #expect(form(walk)?.isCurrentWrong == false)
  }

  @Test("A refused new password is reported at its field")
  func refused() {
    var walk = sent()

    walk.answer(400, problem("password_too_common"))

    #expect(form(walk)?.fault == .tooCommon)
  }

  @Test("A locked account gets the end of the lockout from the server, and the session stays")
  func locked() {
    var walk = sent()
    let until = Walk.noon.adding(seconds: 900)

    walk.answer(403, problem("account_locked", [JSONMember("locked_until", until.seconds)]))

    #expect(form(walk)?.notice == .session(.rests(until: until)))
    #expect(walk.signedIn != nil)
  }

  @Test("Without an answer the password may have changed, and the screen says so")
  func lost() {
    var walk = sent()

    walk.fail(.noNetwork)

    #expect(form(walk)?.notice == .session(.passwordMaybeSet))
  }

  @Test("Back leads to the list, then home; no input stays")
  func back() {
    var walk = atForm()
    walk.happen(.fieldEdited(.currentPassword, "old words"))
    walk.happen(.passwordRevealToggled)
    #expect(form(walk)?.isRevealed == true)

    walk.press(.back)
    #expect(walk.signedIn?.sessions != nil && form(walk) == nil)
    walk.press(.openPasswordChange)
    #expect(form(walk)?.current.isEmpty == true)
    walk.press(.back)
    walk.press(.back)
    #expect(walk.signedIn?.sessions == nil)
  }
}

import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

@Suite("The link of an invitation") struct InvitationTests {
  private static func invited() -> Walk {
    var walk = Walk.opened()
    walk.happen(.device(.invited(Secret("invitation-1"))))
    walk.happen(.storageRead(.absent))
    return walk
  }

  private static func submitting() -> Walk {
    var walk = invited()
    walk.happen(.fieldEdited(.newPassword, "a long enough one"))
    walk.press(.savePassword)
    return walk
  }

  private func acceptance(_ walk: Walk) -> InvitationAcceptance? {
    if case .acceptingInvitation(let acceptance)? = walk.signIn?.step { acceptance } else { nil }
  }

  @Test("S-01 the link opens the password form, and the password is sent with the invitation")
  func accepted() {
    #expect(Self.invited().focus == .newPassword)
    var walk = Self.submitting()
    #expect(walk.lastCall?.call.path == Endpoint.acceptInvitation)
    #expect(walk.lastCall?.call.form?["invitation"] == "invitation-1")
    #expect(walk.lastCall?.call.form?["password"] == "a long enough one")

    walk.answer(200, .members([]))

    #expect(walk.signIn?.step == .enteringCredentials)
    #expect(walk.signIn?.notice == .passwordSaved)
  }

  @Test("a refused password keeps the form and shows the reason")
  func refusedPassword() {
    var walk = Self.submitting()

    walk.refuse(.passwordTooCommon)

    #expect(acceptance(walk)?.fault == .tooCommon)
    #expect(acceptance(walk)?.waiting == nil)
  }

  @Test("a used or expired invitation leads to the login screen, which says so")
  func usedOrExpired() {
    var walk = Self.submitting()

    walk.refuse(.invalidInvitation)

    #expect(walk.signIn?.step == .enteringCredentials)
    #expect(walk.signIn?.notice == .invitationOver)
  }

  @Test("without an answer the password stays; a used invitation then means that it was set")
  func lostAnswer() {
    var walk = Self.submitting()
    walk.fail()
    #expect(acceptance(walk)?.password == Secret("a long enough one"))
    #expect(acceptance(walk)?.notice == .noConnection)
    walk.press(.savePassword)

    walk.refuse(.invalidInvitation)

    #expect(walk.signIn?.notice == .passwordMaybeChanged)
  }

  @Test("Back leads to the login screen, and the invitation is not used again")
  func left() {
    var walk = Self.invited()

    walk.press(.back)

    #expect(walk.signIn?.step == .enteringCredentials)
    #expect(walk.flow.context.invitation == nil)
  }

  @Test("a signed-in session stays; the form appears after the sign-out")
  func signedIn() {
    var walk = Walk.opened()
    walk.happen(.device(.invited(Secret("invitation-1"))))
    walk.happen(.storageRead(.value(Walk.stored(1, expiresIn: 3600))))
    #expect(walk.signedIn?.notice == .session(.invitationWaits))

    walk.press(.signOut)

    #expect(acceptance(walk) != nil)
  }
}

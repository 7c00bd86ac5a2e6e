import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

/// How an open app shows account updates and the person's other sessions.
@Suite struct SessionWatchTests {
  private static let path = "/api/session/events"

  private func watching() throws -> (driver: FlowDriver, id: RequestID) {
    let driver = FlowDriver.signedIn()
    return (driver, try #require(driver.call(to: Self.path)).id)
  }

  private func received(_ status: Int64, _ body: JSON) -> Answer {
    .received(status: status, body: body, serverSeconds: nil)
  }

  private func eventBody(_ update: AccountUpdate) -> JSON {
    .object(
      [
        JSONMember("version", "v1"),
        JSONMember("session", FlowDriver.terms(of: "session-1", unlock: "none").json),
      ] + update.members)
  }

  @Test("A waiting password is shown, and the person cancels it", arguments: [204, 404, 500])
  func waitingPassword(_ status: Int64) throws {
    var (driver, id) = try watching()
    var update = AccountUpdate()
    let moment = FlowDriver.startTime.adding(seconds: 86_400)
    update.passwordReset = AccountUpdate.PasswordReset(
      requestedAt: FlowDriver.startTime, availableAt: moment)

    driver.handle(.answered(id, received(200, eventBody(update))))
    #expect(driver.signedIn?.shownAccountUpdate == .passwordPending(until: moment))
    #expect(driver.announcements.contains(.accountUpdate(.passwordPending(until: moment))))
    driver.press(.dismissAccountUpdate)
    #expect(driver.call(to: "/api/password-reset") == nil)
    driver.press(.cancelNewPassword)
    let cancel = try #require(driver.call(to: "/api/password-reset"))
    #expect(cancel.call.method == .delete)
    driver.handle(.answered(cancel.id, received(status, .null)))

    #expect((driver.signedIn?.shownAccountUpdate == nil) == (status != 500))
    let isDone = driver.signedIn?.notice == .session(.newPasswordCancelled)
    #expect(isDone == (status == 204))
  }

  @Test("A sign-in from a new device is shown until the person confirms it")
  func newDevice() throws {
    var (driver, id) = try watching()
    var update = AccountUpdate()
    update.notices = [AccountUpdate.Notice(id: "n-1", kind: "new_device", at: FlowDriver.startTime)]

    driver.handle(.answered(id, received(200, eventBody(update))))
    #expect(driver.signedIn?.shownAccountUpdate == .newDevice(id: "n-1", at: FlowDriver.startTime))
    driver.press(.cancelNewPassword)
    driver.press(.dismissAccountUpdate)
    let read = try #require(driver.call(to: "/api/notices/n-1"))
    driver.handle(.answered(read.id, received(204, .null)))

    #expect(driver.signedIn?.shownAccountUpdate == nil)
  }

  private static let proposals = [
    AccountUpdate.Proposal(
      id: "p-1", channel: .phone, value: "+4790000012", provider: "BankID"),
    AccountUpdate.Proposal(id: "p-2", channel: .email, value: "a@example.com", provider: "BankID"),
  ]

  @Test(
    "A number of a provider is used or not, as the person says", arguments: [204, 404, 409],
    [ButtonName.acceptAccountUpdate, .dismissAccountUpdate])
  func proposal(_ status: Int64, _ answer: ButtonName) throws {
    var (driver, id) = try watching()
    driver.answerJobs()
    var update = AccountUpdate()
    update.proposals = Self.proposals

    driver.handle(.answered(id, received(200, eventBody(update))))
    #expect(driver.announcements.contains(.accountUpdate(.proposal(Self.proposals[0]))))
    driver.press(.cancelNewPassword)
    #expect(driver.call(to: "/api/contact-proposals/p-1") == nil)
    driver.press(answer)
    let call = try #require(driver.call(to: "/api/contact-proposals/p-1"))
    #expect(call.call.method == (answer == .acceptAccountUpdate ? .post : .delete))
    let body: JSON = status == 409 ? .members([JSONMember("code", "account_exists")]) : .null
    driver.handle(.answered(call.id, received(status, body)))

    // The next one follows, and a refused one stays.
    let next = Self.proposals[status == 409 ? 0 : 1]
    #expect(driver.signedIn?.shownAccountUpdate == .proposal(next))
    let isChanged = status == 204 && answer == .acceptAccountUpdate
    #expect((driver.signedIn?.notice == .session(.contactChanged)) == isChanged)
    #expect((driver.call(to: Endpoint.me.path) != nil) == isChanged)
    #expect((driver.signedIn?.notice != nil) == (isChanged || status == 409))
  }

  // MARK: Other sessions of the person

  @Test("S-08 a session elsewhere is ended by its own request, and the list is read again")
  func endsOne() throws {
    var driver = FlowDriver.atSessions()
    #expect(driver.signedIn?.sessions?.others.count == 2)

    driver.handle(.home(.itemPressed(.endSession, item: "s2")))
    #expect(driver.signedIn?.sessions?.asking == .session(SessionID("s2")))
    #expect(!driver.isCalling)
    driver.press(.confirm)
    let call = try #require(driver.lastCall).call
    #expect(call.method == .delete)
    #expect(call.path == "/api/sessions/s2")
    #expect(driver.signedIn?.sessions?.isEnding(SessionID("s2")) == true)
    driver.answer(204, .null)

    #expect(driver.signedIn?.sessions?.notice == .session(.ended))
    #expect(driver.call(to: "/api/sessions") != nil)
  }

  @Test("S-08 all other sessions are ended, never this one")
  func endsOthers() {
    var driver = FlowDriver.atSessions()

    driver.press(.endOtherSessions)
    driver.press(.confirm)

    #expect(driver.call(to: "/api/sessions/s2") != nil)
    #expect(driver.call(to: "/api/sessions/s3") != nil)
    #expect(driver.call(to: "/api/sessions/session-1") == nil)
    driver.handle(.home(.itemPressed(.endSession, item: "session-1")))
    driver.press(.confirm)
    #expect(!driver.isCalling)
  }

  @Test("S-08 Cancel signs nothing out, and the focus returns to the pressed button")
  func cancelsEnd() {
    var driver = FlowDriver.atSessions()
    let questions: [(SessionsPage.Confirmation, String)] = [
      (.allOthers, "end_other_sessions"), (.session(SessionID("s2")), "end_session-s2"),
    ]
    for (question, button) in questions {
      switch question {
      case .allOthers: driver.press(.endOtherSessions)
      case .session(let id): driver.handle(.home(.itemPressed(.endSession, item: id.text)))
      }
      #expect(driver.signedIn?.sessions?.asking == question)
      driver.press(.cancel)
      #expect(driver.signedIn?.sessions?.asking == nil && driver.focus?.rawValue == button)
      driver.press(.confirm)
      #expect(!driver.isCalling)
    }
  }

  @Test("S-08 a session that could not be ended stays in the list, and the person is informed")
  func endFails() {
    var driver = FlowDriver.atSessions()
    driver.handle(.home(.itemPressed(.endSession, item: "s2")))
    driver.press(.confirm)

    driver.fail(.noNetwork)

    #expect(driver.signedIn?.sessions?.notice == .noConnection)
    #expect(driver.signedIn?.sessions?.isEnding(SessionID("s2")) == false)
  }
}

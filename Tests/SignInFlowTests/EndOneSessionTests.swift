import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite("Ending one session in the console")
struct EndOneSessionTests {
  private static func session(_ id: String, isCurrent: Bool = false) -> SessionEntry {
    SessionEntry(
      id: SessionID(id), client: ClientID("rider-app"), organization: nil,
      authenticationMethods: ["otp"], startedAt: FlowDriver.startTime,
      lastUsedAt: FlowDriver.startTime,
      expiresAt: FlowDriver.startTime.adding(seconds: 60), isCurrent: isCurrent, isBound: true)
  }

  private static func opened(
    for permissions: [PermissionEntry] = ConsoleDriver.everything
  ) -> ConsoleDriver {
    let entry = ConsoleDriver.entry("tara", organizations: ["north"])
    var driver = ConsoleDriver.listed(entry, for: permissions)
    driver.press(.openAccount, "tara")
    let sessions = [session("one"), session("two"), session("own", isCurrent: true)]
    driver.answer(
      "/admin/accounts/tara/sessions", 200,
      .members([JSONMember("sessions", .array(sessions.map { $0.json }))]))
    return driver
  }

  @Test("T-16 a session ends only after a confirmation, and the list is read again")
  func confirmed() {
    var driver = Self.opened()
    driver.press(.endSession, "two")
    #expect(driver.home.account?.asking == .endSession)
    #expect(driver.home.account?.sessionInQuestion?.id.text == "two")
    #expect(!driver.asked.contains { $0.apiRequest.method == .delete })

    driver.press(.confirm)
    #expect(driver.asked.last?.apiRequest.path == "/admin/accounts/tara/sessions/two")
    #expect(driver.asked.last?.apiRequest.method == .delete)
    driver.answer("/admin/accounts/tara/sessions/two", 204)

    #expect(driver.home.account?.notice == .done(.endSession))
    #expect(driver.home.account?.asking == nil)
    #expect(driver.asked.last?.apiRequest.path == "/admin/accounts/tara/sessions")
  }

  @Test("T-16 a cancelled question ends no session")
  func cancelled() {
    var driver = Self.opened()
    driver.press(.endSession, "one")
    driver.press(.cancel)
    driver.press(.confirm)
    #expect(driver.home.account?.asking == nil)
    #expect(!driver.asked.contains { $0.apiRequest.method == .delete })
  }

  @Test(
    "T-16 no question about an unknown session, or about the one that the administrator uses",
    arguments: ["none", "own"])
  func refused(_ session: String) {
    var driver = Self.opened()
    driver.press(.endSession, session)
    #expect(driver.home.account?.asking == nil)
  }

  @Test("T-16 a viewer ends no session, support does")
  func permission() {
    var viewer = Self.opened(for: ConsoleDriver.local("viewer"))
    viewer.press(.endSession, "one")
    #expect(viewer.home.account?.asking == nil)
    var support = Self.opened(for: ConsoleDriver.local("support"))
    support.press(.endSession, "one")
    #expect(support.home.account?.asking == .endSession)
  }
}

import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite("The overview of the console")
struct OverviewTests {
  private static func answer(organizations: [String]? = nil) -> OverviewAnswer {
    var day = OverviewAnswer.Day(CalendarDay(number: 20_000))
    day.signIns = 7
    return OverviewAnswer(
      days: [day], organizations: organizations.map { $0.map { OrganizationID($0) } },
      openSessions: 3, pendingAccounts: 2, lockedAccounts: 1, failedMessages: 4)
  }

  @Test("T-16 the console opens on the overview, without its lists")
  func first() {
    var driver = ConsoleDriver()
    #expect(driver.home.tab == .overview && driver.home.place == "")
    #expect(driver.asked.map(\.apiRequest.path) == ["/admin/overview"])

    driver.answer("/admin/overview", 200, Self.answer().json)

    #expect(driver.home.overview.value == Self.answer())
  }

  @Test("T-16 an overview that cannot be read says so, and is read again")
  func failed() {
    var driver = ConsoleDriver()
    driver.answer("/admin/overview", 503)
    #expect(driver.home.overview.problem == .serverFault)

    driver.pass(milliseconds: 6000)
    driver.answer("/admin/overview", 200, Self.answer().json)

    #expect(driver.home.overview.value != nil && driver.home.overview.problem == nil)
  }

  @Test(
    "T-16 each list that needs attention opens with its filter",
    arguments: [
      (ConsoleHome.pendingPlace, "/admin/accounts?status=pending"),
      (ConsoleHome.lockedPlace, "/admin/accounts?locked=true"),
      (ConsoleHome.failedPlace, "/admin/messages?outcome=failed"),
    ])
  func lists(_ place: String, _ request: String) {
    var driver = ConsoleDriver()
    driver.press(.consoleTab, place)

    #expect(driver.asked.last?.apiRequest.path == request)
    #expect(driver.home.place == place)
    driver.press(.consoleTab, "")
    #expect(driver.home.tab == .overview)
    #expect(driver.home.open(place: place, &driver.context) != nil)
    #expect(driver.home.place == place)
  }

  @Test("T-16 the tabs of accounts and messages show the whole lists again")
  func unfiltered() {
    var driver = ConsoleDriver()
    driver.press(.consoleTab, ConsoleHome.failedPlace)
    driver.press(.consoleTab, "messages")
    #expect(driver.home.messageFilter.isEmpty && driver.home.place == "messages")
    #expect(driver.asked.last?.apiRequest.path == "/admin/messages")
    driver.press(.consoleTab, ConsoleHome.lockedPlace)
    driver.press(.consoleTab, "accounts")
    #expect(driver.home.status.isEmpty && driver.home.place == "accounts")
  }

  @Test("T-16 the next page of messages has the same outcome")
  func pages() {
    var driver = ConsoleDriver()
    driver.press(.consoleTab, "messages")
    driver.handle(.page(.fieldEdited(.outcome, "sent")))
    let page = JSON.members([JSONMember("messages", .array([])), JSONMember("cursor", "c")])
    driver.answer("/admin/messages?outcome", 200, page)
    driver.press(.readMore)

    #expect(driver.asked.last?.apiRequest.path == "/admin/messages?outcome=sent&cursor=c")
  }
}

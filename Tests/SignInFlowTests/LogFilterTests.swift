import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite("The filters of the logs in the console")
struct LogFilterTests {
  private static func driver(_ place: String) -> ConsoleDriver {
    var driver = ConsoleDriver()
    driver.press(.consoleTab, place)
    return driver
  }

  private static func listed(_ driver: ConsoleDriver, _ path: String) -> [String] {
    driver.asked.map(\.apiRequest.path).filter { $0.hasPrefix(path) }
  }

  private static let places = [
    "events?account=tara%40example.com&kind=failures&client=rider-app&from=2026-11-20"
      + "&until=2026-11-21",
    "messages?outcome=failed&to=%2B4790000001&kind=code&from=2026-11-20&until=2026-11-21",
    "events", "messages",
  ]

  @Test("T-16 the address has the filters of a log, and brings them back", arguments: places)
  func place(_ place: String) {
    #expect(Self.driver(place).home.place == place)
  }

  @Test("T-16 the days of a filter are in UTC, and the last day is included")
  func days() {
    let from: Int64 = 1_763_596_800
    let driver = Self.driver("events?from=2025-11-20&until=2025-11-21")
    #expect(
      Self.listed(driver, "/admin/events") == [
        "/admin/events?from=\(from)&until=\(from + 2 * CalendarDay.daySeconds)"
      ])
  }

  @Test(
    "T-16 a day before 1970 is no negative time, and a text that is no day is no limit",
    arguments: [("1969-12-31", "from=0"), ("0001-01-01", "from=0"), ("2025-02-30", "")])
  func otherDays(_ day: String, _ query: String) {
    let driver = Self.driver("events?from=" + day)
    let path = "/admin/events" + (query.isEmpty ? "" : "?" + query)
    #expect(Self.listed(driver, "/admin/events") == [path])
  }

  @Test("T-16 a choice reads the list at once, and a text after a pause")
  func typing() {
    var driver = Self.driver("events")
    driver.handle(.page(.fieldEdited(.kind, "locks")))
    #expect(Self.listed(driver, "/admin/events").last == "/admin/events?kind=locks")
    driver.handle(.page(.fieldEdited(.search, "tara")))
    #expect(Self.listed(driver, "/admin/events").count == 2)
    driver.pass(milliseconds: ConsoleHome.searchPauseMilliseconds)
    #expect(
      Self.listed(driver, "/admin/events").last == "/admin/events?account=tara&kind=locks")
  }

  @Test(
    "T-16 a part of an address is not sent, and the list stays",
    arguments: [
      ("events", "tara@", false), ("events", "tara@example.com", true), ("events", "tara", true),
      ("events", "+47900", false), ("events", "+4790000001", true), ("events", "a b", false),
      ("messages", "+47900", false), ("messages", "+4790000001", true),
      ("messages", "tara@", false), ("messages", "tara@example.com", true), ("messages", "", true),
    ])
  func parts(_ tab: String, _ text: String, _ isSent: Bool) {
    var driver = Self.driver(tab)
    driver.handle(.page(.fieldEdited(.search, Secret(text))))
    driver.pass(milliseconds: ConsoleHome.searchPauseMilliseconds)
    #expect(Self.listed(driver, "/admin/" + tab).count == (isSent ? 2 : 1))
    driver.pass(milliseconds: 60_000)
    #expect(Self.listed(driver, "/admin/" + tab).count == (isSent ? 2 : 1))
  }

  @Test("T-16 the next page of events has the same filters")
  func nextPage() {
    var driver = Self.driver("events?kind=locks")
    let page = JSON.members([JSONMember("events", .array([])), JSONMember("cursor", "9")])
    driver.answer("/admin/events", 200, page)
    driver.press(.readMore)
    #expect(Self.listed(driver, "/admin/events").last == "/admin/events?kind=locks&cursor=9")
  }

  @Test("T-16 the events read the names of the apps once")
  func apps() {
    var driver = Self.driver("events")
    #expect(Self.listed(driver, "/admin/clients").count == 1)
    driver.answer("/admin/clients", 200, .members([JSONMember("clients", .array([]))]))
    driver.press(.consoleTab, "overview")
    driver.press(.consoleTab, "events")
    #expect(Self.listed(driver, "/admin/clients").isEmpty)
  }
}

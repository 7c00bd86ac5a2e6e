import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite("The event or the message of an address in the console")
struct ConsoleRecordTests {
  private static func events(_ sequences: some Sequence<Int64>, cursor: String?) -> JSON {
    let events = sequences.map { sequence in
      JSON.members([
        JSONMember("sequence", sequence), JSONMember("at", 1_700_000_000_123),
        JSONMember("code", "a.b"),
      ])
    }
    return .members([JSONMember("events", .array(events)), JSONMember("cursor", ifPresent: cursor)])
  }

  private static func requests(
    _ driver: ConsoleDriver, _ path: String = "/admin/events"
  ) -> [String] {
    driver.asked.map { $0.apiRequest.path }.filter { $0.hasPrefix(path) }
  }

  /// Event `sequence` by its address; the first page of the list has the events 9 and 8.
  private static func opening(_ sequence: String) -> ConsoleDriver {
    var driver = ConsoleDriver()
    _ = driver.home.open(place: "events/" + sequence, &driver.context)
    driver.handle(.ticked)
    driver.answer("/admin/events", 200, events([9, 8], cursor: "8"))
    return driver
  }

  @Test("T-16 an event of an address is shown also if it is not on the first page of the list")
  func olderEvent() {
    var driver = ConsoleDriver()
    _ = driver.home.open(place: "events/7?kind=failures", &driver.context)
    driver.handle(.ticked)
    driver.answer("/admin/events", 200, Self.events([9, 8], cursor: "8"))
    #expect(driver.home.openedEvent == nil)
    #expect(driver.asked.last?.apiRequest.path == "/admin/events?kind=failures&cursor=8")

    driver.answer("/admin/events", 200, Self.events([7, 6], cursor: "6"))

    #expect(driver.home.openedEvent?.sequence == 7)
    #expect(!driver.asked.contains { $0.apiRequest.path.hasPrefix("/admin/events") })
    driver.press(.refresh)
    driver.answer("/admin/events", 200, Self.events([10, 9], cursor: "9"))
    #expect(driver.asked.last?.apiRequest.path == "/admin/events?kind=failures&cursor=9")
  }

  @Test("L-49 an event without a number, as in one organization, has its hash as its address")
  func unnumberedEvent() {
    func events(_ hashes: [String], cursor: String?) -> JSON {
      let events = hashes.map { hash in
        JSON.members([
          JSONMember("hash", hash), JSONMember("at", 1_700_000_000_123), JSONMember("code", "a.b"),
        ])
      }
      return .members([
        JSONMember("events", .array(events)), JSONMember("cursor", ifPresent: cursor),
      ])
    }
    var driver = ConsoleDriver()
    _ = driver.home.open(place: "events/c-3_", &driver.context)
    driver.handle(.ticked)
    driver.answer("/admin/events", 200, events(["a-1", "b-2"], cursor: "x"))
    #expect(driver.home.openedEvent == nil)

    driver.answer("/admin/events", 200, events(["c-3_"], cursor: "y"))

    #expect(driver.home.openedEvent?.id == "c-3_" && driver.home.openedEvent?.sequence == nil)
    #expect(Self.requests(driver).isEmpty)
    driver.press(.openRecord, "a-1")
    #expect(driver.home.openedEvent?.id == "a-1")
  }

  @Test("T-16 an event that does not exist is not searched after the end of the list")
  func unknownEvent() {
    var driver = ConsoleDriver()
    _ = driver.home.open(place: "events/70", &driver.context)
    driver.handle(.ticked)
    driver.answer("/admin/events", 200, Self.events([9, 8], cursor: nil))

    #expect(driver.home.openedEvent == nil && driver.home.isRecordOpen)
    #expect(!driver.asked.contains { $0.apiRequest.path.hasPrefix("/admin/events") })
  }

  @Test(
    "T-16 a record of an address is searched on at most 20 pages, also if they have no entries",
    arguments: ["events", "messages"])
  func searchedPages(_ list: String) {
    #expect(ConsoleHome.searchedPageLimit == 20)
    let path = "/admin/" + list
    let empty = JSON.members([JSONMember(list, .array([])), JSONMember("cursor", "2")])
    var driver = ConsoleDriver()
    _ = driver.home.open(place: list + "/1", &driver.context)
    driver.handle(.ticked)

    for page in 1...21 {
      #expect(Self.requests(driver, path).count == (page <= 20 ? 1 : 0), "page \(page)")
      driver.answer(path, 200, empty)
    }

    driver.press(.refresh)
    driver.answer(path, 200, empty)
    #expect(Self.requests(driver, path) == [path + "?cursor=2"])
  }

  // MARK: Searches without a result

  @Test("T-16 the console says for which search there is no account, once the search is answered")
  func unmatchedSearch() {
    var driver = ConsoleDriver.listed(ConsoleDriver.entry("a"))
    #expect(driver.home.listedSearch == nil)
    driver.handle(.page(.fieldEdited(.search, "nina@example.com")))
    #expect(driver.home.listedSearch == nil)
    driver.pass(milliseconds: 400)
    #expect(driver.home.listedSearch == nil)

    driver.answer("/admin/accounts", 200, ConsoleDriver.page([]))

    #expect(driver.home.listedSearch == "nina@example.com")
    driver.handle(.page(.fieldEdited(.status, "active")))
    driver.answer("/admin/accounts", 200, ConsoleDriver.page([]))
    #expect(driver.home.listedSearch == nil)
  }
  @Test("T-16 the search for a record stops at a page that cannot be read, until Refresh")
  func failedPage() {
    for (status, code) in [(429, "rate_limited"), (500, "server_error"), (404, "not_found")] {
      var driver = Self.opening("2")
      let failure = JSON.members([JSONMember("code", code)])
      #expect(Self.requests(driver) == ["/admin/events?cursor=8"])
      driver.answer("/admin/events", Int64(status), failure)

      for _ in 0..<30 { driver.pass(milliseconds: 5000) }
      #expect(Self.requests(driver).isEmpty && driver.home.isRecordOpen)
      #expect(driver.home.events.problem != nil)
      #expect(driver.home.events.entries?.map(\.sequence) == [9, 8])

      driver.press(.refresh)
      #expect(Self.requests(driver) == ["/admin/events"])
      driver.answer("/admin/events", 200, Self.events([9, 8], cursor: "8"))
      driver.answer("/admin/events", 200, Self.events([7, 2], cursor: "2"))
      #expect(driver.home.openedEvent?.sequence == 2 && driver.home.events.problem == nil)
    }
  }

  @Test("T-16 another record of an address is searched after a page that could not be read")
  func anotherRecord() {
    var driver = Self.opening("2")
    driver.answer("/admin/events", 500)

    driver.press(.consoleTab, "events/3")
    #expect(Self.requests(driver) == ["/admin/events?cursor=8"])
    driver.answer("/admin/events", 200, Self.events([7, 3], cursor: "3"))
    #expect(driver.home.openedEvent?.sequence == 3)
  }

  @Test("T-16 a first page that cannot be read is read again, and the record is then searched")
  func failedFirstPage() {
    var driver = Self.opening("9")
    driver.press(.refresh)
    driver.answer("/admin/events", 500)
    for _ in 0..<2 { driver.pass(milliseconds: 5000) }

    #expect(Self.requests(driver).last == "/admin/events")
    driver.answer("/admin/events", 200, Self.events([11, 10], cursor: "10"))
    #expect(Self.requests(driver).last == "/admin/events?cursor=10")
  }

  @Test("T-16 a record that an edited filter leaves out is closed, and is not searched")
  func editedFilter() {
    var driver = Self.opening("9")
    driver.handle(.page(.fieldEdited(.kind, "locks")))
    driver.answer("/admin/events", 200, Self.events([9, 5], cursor: "5"))
    #expect(driver.home.openedEvent?.sequence == 9)
    driver.handle(.page(.fieldEdited(.kind, "failures")))
    driver.answer("/admin/events", 200, Self.events([6, 5], cursor: "5"))
    #expect(!driver.home.isRecordOpen && driver.home.place == "events?kind=failures")
    #expect(Self.requests(driver).isEmpty)

    _ = driver.home.open(place: "messages/m", &driver.context)
    driver.handle(.ticked)
    driver.answer("/admin/messages", 200, .members([JSONMember("messages", .array([]))]))
    driver.handle(.page(.fieldEdited(.outcome, "failed")))
    let page = JSON.members([JSONMember("messages", .array([])), JSONMember("cursor", "c")])
    driver.answer("/admin/messages", 200, page)
    #expect(!driver.home.isRecordOpen && Self.requests(driver, "/admin/messages").isEmpty)
  }

  @Test("T-16 an answer that arrives while a person types does not begin a search")
  func typedFilter() {
    var driver = Self.opening("9")
    driver.press(.refresh)
    driver.handle(.page(.fieldEdited(.search, "tara")))
    driver.answer("/admin/events", 200, Self.events([10, 9], cursor: "9"))
    driver.pass(milliseconds: ConsoleHome.searchPauseMilliseconds)
    driver.answer("/admin/events", 200, Self.events([10, 7], cursor: "7"))

    #expect(!driver.home.isRecordOpen && Self.requests(driver).isEmpty)
  }

  @Test(
    "T-16 an event is searched only while its number is lower than that of the last one read",
    arguments: [
      ("6", true), ("7", true), ("8", false), ("9", false), ("10", false), ("x", false),
      ("07", false), ("7 ", false), ("-7", false), ("9223372036854775807", false),
      ("9223372036854775808", false),
    ])
  func lastNumber(_ wanted: String, _ isSearched: Bool) {
    let driver = Self.opening(Form.percentEncoded(wanted))

    #expect(Self.requests(driver) == (isSearched ? ["/admin/events?cursor=8"] : []))
  }

  @Test("T-16 the search for an event goes on after a page without entries")
  func emptyPage() {
    var driver = Self.opening("2")
    driver.press(.refresh)
    driver.answer("/admin/events", 200, Self.events([], cursor: "8"))

    #expect(Self.requests(driver).last == "/admin/events?cursor=8")
  }

  @Test("T-16 the search for a record goes on after an account that was open")
  func openedAccount() {
    var driver = ConsoleDriver()
    _ = driver.home.open(place: "events/2", &driver.context)
    driver.handle(.ticked)
    let event = JSON.members([
      JSONMember("sequence", 8), JSONMember("at", 1_700_000_000_123), JSONMember("code", "a.b"),
      JSONMember("account", "tara"),
    ])
    driver.answer(
      "/admin/events", 200,
      .members([JSONMember("events", .array([event])), JSONMember("cursor", "8")]))
    driver.answer("/admin/accounts?ids", 200, ConsoleDriver.page([ConsoleDriver.entry("tara")]))
    driver.press(.openAccount, "tara")
    driver.answer("/admin/events?cursor", 200, Self.events([7, 6], cursor: "6"))
    #expect(Self.requests(driver, "/admin/events?cursor").isEmpty)

    driver.press(.back)
    #expect(driver.home.tab == .events)
    #expect(Self.requests(driver, "/admin/events?cursor") == ["/admin/events?cursor=6"])
  }
}

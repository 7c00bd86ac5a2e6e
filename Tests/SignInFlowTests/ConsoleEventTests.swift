import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite("Events in the console")
struct ConsoleEventTests {
  private static func event(
    _ sequence: Int64, _ code: String, _ account: String? = nil, _ detail: String? = nil
  ) -> JSON {
    .members([
      JSONMember("sequence", sequence), JSONMember("at", 1_700_000_000_123),
      JSONMember("code", code), JSONMember("account", ifPresent: account),
      JSONMember("detail", ifPresent: detail),
    ])
  }

  private static func listing(_ events: JSON...) -> ConsoleDriver {
    var driver = ConsoleDriver.listed(ConsoleDriver.entry("a"))
    driver.press(.consoleTab, "events")
    driver.answer("/admin/events", 200, .members([JSONMember("events", .array(events))]))
    return driver
  }

  private static func path(_ ids: String) -> String {
    "/admin/accounts?" + Form([Form.Field("ids", ids)]).encoded
  }

  @Test("T-16 the accounts of events are read once, with the administrators who decided")
  func names() {
    var driver = Self.listing(
      Self.event(4, "account.changed", "tara", "ada name"), Self.event(3, "a.b", "tara"),
      Self.event(2, "session.ended", "kari", "revoked"),
      Self.event(1, "policy.client_changed", nil, "shell console"))
    #expect(driver.asked.last?.apiRequest.path == Self.path("tara,ada,kari"))
    let page = ConsoleDriver.page([ConsoleDriver.entry("tara"), ConsoleDriver.entry("ada")])
    driver.answer("/admin/accounts?ids", 200, page)
    #expect(driver.home.named.map(\.id.text) == ["tara", "ada"])

    driver.press(.refresh)
    let body = JSON.members([
      JSONMember("events", .array([Self.event(5, "a.b", "kari"), Self.event(3, "a.b", "tara")]))
    ])
    driver.answer("/admin/events", 200, body)
    #expect(driver.asked.last?.apiRequest.path == Self.path("kari"))
  }

  @Test("T-16 no accounts are read for events without any")
  func noNames() {
    let driver = Self.listing(Self.event(1, "log.cut", nil, "7 hash"))

    #expect(!driver.asked.contains { $0.apiRequest.path.contains("ids") })
  }

  @Test("T-16 at most a hundred accounts are read at once", arguments: [99, 100, 101])
  func limit(_ count: Int) throws {
    var driver = ConsoleDriver.listed(ConsoleDriver.entry("a"))
    driver.press(.consoleTab, "events")
    let events = (0..<count).map { Self.event(Int64($0), "a.b", "a\($0)") }
    driver.answer("/admin/events", 200, .members([JSONMember("events", .array(events))]))

    let path = try #require(driver.asked.last?.apiRequest.path)
    let form = try Form(parsing: [UInt8](path.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()))
    #expect(form["ids"]?.split(separator: ",").count == min(count, AccountEntry.idLimit))
  }

  @Test("T-16 an account opens from its event, and Back returns to the events")
  func open() {
    var driver = Self.listing(Self.event(1, "a.b", "tara"))
    driver.press(.openAccount, "tara")
    #expect(driver.home.account == nil && driver.home.tab == .events)
    driver.answer("/admin/accounts?ids", 200, ConsoleDriver.page([ConsoleDriver.entry("tara")]))
    driver.press(.openAccount, "tara")
    #expect(driver.home.tab == .accounts && driver.home.account?.entry.id.text == "tara")
    #expect(driver.asked.contains { $0.apiRequest.path == "/admin/accounts/tara" })

    driver.press(.back)
    #expect(driver.home.tab == .events && driver.home.account == nil)
    #expect(driver.home.events.entries?.count == 1)
    driver.press(.consoleTab, "accounts")
    driver.press(.openAccount, "a")
    driver.press(.back)
    #expect(driver.home.tab == .accounts)
  }

  @Test("T-16 a changed and an erased account change the names of the events")
  func changed() {
    var driver = Self.listing(Self.event(1, "a.b", "tara"))
    driver.answer("/admin/accounts?ids", 200, ConsoleDriver.page([ConsoleDriver.entry("tara")]))
    driver.press(.openAccount, "tara")
    driver.answer("/admin/accounts/tara/sessions", 200)
    driver.answer("/admin/accounts/tara", 200, ConsoleDriver.entry("tara", status: "pending").json)
    #expect(driver.home.named.map(\.status) == ["pending"])

    driver.press(.accountAction, "erase")
    driver.handle(.page(.fieldEdited(.confirmation, "tara@example.com")))
    driver.press(.confirm)
    driver.answer("/admin/accounts/tara", 204)
    #expect(driver.home.named.isEmpty && driver.home.tab == .accounts)
  }
}

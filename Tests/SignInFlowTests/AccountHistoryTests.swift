import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite("The history of an account")
struct AccountHistoryTests {
  private static func event(_ sequence: Int64, _ code: String, at second: Int64) -> JSON {
    .members([
      JSONMember("sequence", sequence), JSONMember("at", second * 1000), JSONMember("code", code),
      JSONMember("account", "tara"),
    ])
  }

  private static func message(
    _ id: String, at second: Int64, failed: Bool = false, kind: String = "code"
  ) -> JSON {
    var entry = MessageEntry(
      id: id, to: "***-***-0001", state: failed ? "failed" : "handed_over", tries: 1,
      createdAt: Instant(seconds: second), expiresAt: Instant(seconds: second + 300))
    entry.kind = kind
    return entry.json
  }

  private static func page(_ name: String, _ entries: [JSON], cursor: String? = nil) -> JSON {
    .members([JSONMember(name, .array(entries)), JSONMember("cursor", ifPresent: cursor)])
  }

  private static func opened(
    _ entry: AccountEntry = ConsoleDriver.entry("tara"), events: [JSON], messages: [JSON],
    cursors: (events: String?, messages: String?) = (nil, nil)
  ) -> ConsoleDriver {
    var driver = ConsoleDriver.listed(entry)
    driver.press(.openAccount, "tara")
    driver.answer(
      "/admin/messages?account=tara", 200, page("messages", messages, cursor: cursors.messages))
    driver.answer(
      "/admin/events?account=tara", 200, page("events", events, cursor: cursors.events))
    return driver
  }

  private static func names(_ driver: ConsoleDriver) -> [String]? {
    driver.home.account?.history.entries?.map { entry in
      switch entry {
      case .event(let event): event.id
      case .message(let message): message.id
      }
    }
  }

  @Test("T-16 events and messages of an account are one list, newest first")
  func merged() {
    let driver = Self.opened(
      events: [
        Self.event(4, "sign_in.completed", at: 400), Self.event(3, "a.b", at: 300),
        Self.event(1, "a.b", at: 50),
      ],
      messages: [Self.message("new", at: 500), Self.message("old", at: 100, kind: "notice")])

    #expect(Self.names(driver) == ["new", "4", "3", "old", "1"])
    #expect(driver.home.account?.history.hasMore == false)
    #expect(driver.home.account?.history.lastSignIn == Instant(seconds: 400))
  }

  @Test("T-16 a sent code is one entry with its delivery", arguments: [1, 2, 3])
  func sentCode(_ seconds: Int64) {
    let driver = Self.opened(
      events: [Self.event(1, "sign_in.code_sent", at: 100 + seconds)],
      messages: [Self.message("code", at: 100)])

    #expect(Self.names(driver)?.contains("1") == (seconds > AccountHistory.sameMoment))
  }

  @Test("T-16 a message is read with its kind, its messenger and its receipt")
  func message() throws {
    var sent = MessageEntry(
      id: "m", to: "***-***-0001", state: "handed_over", tries: 2,
      createdAt: Instant(seconds: 1), expiresAt: Instant(seconds: 9))
    (sent.kind, sent.client, sent.organization) = ("notice", "rider-app", "north")
    (sent.messenger, sent.handedOverAt) = ("twilio", Instant(seconds: 2))
    (sent.receipt, sent.receivedAt) = ("undelivered", Instant(seconds: 3))

    let read = try #require(MessageEntry(json: sent.json))
    #expect(read == sent && read.isFailed && !read.isCode)
    sent.receipt = "delivered"
    #expect(MessageEntry(json: sent.json)?.outcome == "delivered")
  }

  @Test("T-16 no entry is shown before one that was not read yet, and each page continues")
  func pages() {
    var driver = Self.opened(
      events: [Self.event(9, "a.b", at: 900), Self.event(8, "a.b", at: 800)],
      messages: [Self.message("m7", at: 700), Self.message("m1", at: 100)],
      cursors: ("e", "m"))
    #expect(Self.names(driver) == ["9", "8"] && driver.home.account?.history.hasMore == true)

    driver.press(.readHistory)
    let path = "/admin/events?account=tara&limit=\(AccountHistory.pageLimit)&cursor=e"
    #expect(driver.asked.last?.apiRequest.path == path)
    #expect(driver.home.account?.history.isReadingOn == true)
    driver.press(.readHistory)
    #expect(driver.asked.filter { $0.apiRequest.path == path }.count == 1)
    driver.answer(path, 200, Self.page("events", [Self.event(2, "a.b", at: 200)]))
    #expect(Self.names(driver) == ["9", "8", "m7", "2", "m1"])

    driver.press(.readHistory)
    #expect(driver.asked.last?.apiRequest.path.hasPrefix("/admin/messages?account=tara") == true)
    driver.answer("/admin/messages?account=tara", 200, Self.page("messages", []))
    #expect(Self.names(driver)?.count == 5 && driver.home.account?.history.hasMore == false)
  }

  @Test("T-16 the history reads the names of the administrators who decided, and opens them")
  func administrators() {
    let changed = JSON.members([
      JSONMember("sequence", 1), JSONMember("at", 1000), JSONMember("code", "account.unlocked"),
      JSONMember("account", "tara"), JSONMember("detail", "ada"),
    ])
    var driver = Self.opened(events: [changed], messages: [])
    #expect(driver.asked.last?.apiRequest.path == "/admin/accounts?ids=ada")
    driver.answer("/admin/accounts?ids", 200, ConsoleDriver.page([ConsoleDriver.entry("ada")]))
    driver.press(.openAccount, "ada")
    #expect(driver.home.account?.entry.id.text == "ada")
  }

  @Test("T-16 the account says why the person cannot sign in, and the action that helps is first")
  func reasons() {
    func reason(
      _ entry: AccountEntry, _ events: [JSON] = [], _ messages: [JSON] = []
    ) -> (BlockReason?, AccountAction?) {
      let driver = Self.opened(entry, events: events, messages: messages)
      return (driver.home.account?.blockReason, driver.home.account?.actions.first)
    }
    let entry = ConsoleDriver.entry("tara")
    var waiting = entry
    waiting.passwordAvailableAt = FlowDriver.startTime.adding(seconds: 60)
    let stop = Self.event(3, "sign_in.stopped", at: 300)

    #expect(reason(entry) == (nil, .resetPassword))
    #expect(reason(ConsoleDriver.entry("tara", status: "pending")) == (.pending, .approve))
    #expect(reason(ConsoleDriver.entry("tara", status: "rejected")) == (.rejected, .approve))
    #expect(
      reason(ConsoleDriver.entry("tara", status: "deactivated")) == (.deactivated, .reactivate))
    let locked = ConsoleDriver.entry("tara", failures: 5, lockedFor: 60)
    #expect(reason(locked) == (.locked(until: FlowDriver.startTime.adding(seconds: 60)), .unlock))
    #expect(reason(ConsoleDriver.entry("tara", failures: 5, lockedFor: 0)).0 == nil)
    #expect(reason(locked, [stop]) == (.stopped, .unlock))
    #expect(reason(entry, [Self.event(4, "account.unlocked", at: 400), stop]).0 == nil)
    #expect(
      reason(waiting)
        == (.passwordWaits(until: FlowDriver.startTime.adding(seconds: 60)), .approvePassword))
    #expect(
      reason(ConsoleDriver.entry("tara", hasPassword: false))
        == (.passwordMissing, .sendInvitation))
    var erased = entry
    erased.erasureAt = FlowDriver.startTime.adding(seconds: 60)
    #expect(reason(erased) == (nil, .cancelErasure))
    #expect(
      AccountAction.cancelErasure.apiRequest(for: erased, nil, key: "k").path
        == "/admin/accounts/tara/erasure")
    let failed = Self.message("m", at: 500, failed: true)
    #expect(reason(entry, [], [failed]).0 == .codeFailed)
    #expect(reason(entry, [Self.event(5, "sign_in.completed", at: 600)], [failed]).0 == nil)
    #expect(reason(entry, [], [Self.message("new", at: 700), failed]).0 == nil)
  }

  @Test("T-16 an event and a message open beside their list, with an address")
  func records() {
    var driver = ConsoleDriver()
    driver.press(.consoleTab, "events?kind=locks")
    driver.press(.openRecord, "2")
    #expect(!driver.home.isRecordOpen)
    driver.answer("/admin/events", 200, Self.page("events", [Self.event(2, "a.b", at: 200)]))
    driver.press(.openRecord, "2")
    #expect(driver.home.openedEvent?.sequence == 2)
    #expect(driver.home.place == "events/2?kind=locks")
    let count = driver.asked.count
    driver.press(.back)
    #expect(driver.home.place == "events?kind=locks" && !driver.home.isRecordOpen)
    driver.press(.consoleTab, "events/2?kind=locks")
    #expect(driver.home.openedEvent?.sequence == 2 && driver.asked.count == count)

    driver.press(.consoleTab, "messages/m?account=tara")
    #expect(driver.asked.last?.apiRequest.path == "/admin/messages?account=tara")
    driver.answer("/admin/messages", 200, Self.page("messages", [Self.message("m", at: 1)]))
    #expect(driver.home.openedMessage?.id == "m")
    #expect(driver.home.place == "messages/m?account=tara")
    driver.press(.consoleTab, "messages")
    #expect(driver.home.place == "messages")
  }
}

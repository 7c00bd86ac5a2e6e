import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

/// The console's home and its unanswered requests.
struct ConsoleDriver {
  var context = FlowContext()
  var home = ConsoleHome()
  var time = FlowDriver.startTime
  var asked: [FlowContext.QueuedRequest] = []
  var output: [PageEffect] = []

  /// `permissions` are those of the administrator `ada`, or `nil` before the account is read.
  init(_ permissions: [PermissionEntry]? = everything) {
    context.setApp(.console, page: "page")
    context.setTime(at: time)
    output = home.open(&context)
    asked = context.takeQueuedRequests()
    if let permissions { home.setAccount(Self.person(permissions), &context) }
  }

  static let everything = [PermissionEntry(level: "administrator", organization: nil)]

  static func local(_ level: String, _ organization: String = "north") -> [PermissionEntry] {
    [PermissionEntry(level: level, organization: OrganizationID(organization))]
  }

  static func person(_ permissions: [PermissionEntry]) -> AccountAnswer {
    let terms = TokenAnswer.SessionTerms(
      id: SessionID("s"), expiresAt: FlowDriver.startTime.adding(seconds: 86400), idleTimeout: 3600,
      backgroundTimeout: 300, unlock: "none", organization: nil
    )
    var answer = AccountAnswer(
      id: AccountID("ada"), name: "Ada Holm", email: "ada@example.com", phone: "***-***-1238",
      role: "administrator", organizations: [], session: terms
    )
    answer.permissions = permissions
    return answer
  }

  /// Answers who is signed in.
  mutating func learnPerson(_ permissions: [PermissionEntry] = everything) {
    home.setAccount(Self.person(permissions), &context)
    asked += context.takeQueuedRequests()
  }

  /// Opens an address of the console.
  mutating func open(_ place: String) {
    if home.open(place: place, &context) == nil { Issue.record("no place: \(place)") }
    asked += context.takeQueuedRequests()
  }

  mutating func handle(_ event: Event) {
    context.setTime(at: time)
    output = home.handle(event, &context)
    asked += context.takeQueuedRequests()
  }

  mutating func press(_ button: ButtonName, _ item: String? = nil) {
    handle(item.map { .home(.itemPressed(button, item: $0)) } ?? .page(.buttonPressed(button)))
  }

  mutating func pass(milliseconds: Int64) {
    time = time.adding(milliseconds: milliseconds)
    handle(.ticked)
  }

  /// Answers the newest request whose path begins with `path`.
  mutating func answer(_ path: String, _ status: Int64, _ body: JSON = .null) {
    guard let index = asked.lastIndex(where: { $0.apiRequest.path.hasPrefix(path) }) else { return }
    let id = asked.remove(at: index).id
    handle(.answered(id, .received(status: status, body: body, serverSeconds: nil)))
  }

  mutating func refuse(_ path: String, _ code: ErrorCode) {
    answer(path, Int64(code.status), .members([JSONMember("code", code.rawValue)]))
  }

  var effects: [Effect] { output.compactMap { $0.ofEngine } }

  var announcements: [Announcement] { output.compactMap { $0.announcement } }

  static func entry(
    _ id: String, status: String = "active", failures: Int64 = 0, lockedFor seconds: Int64? = nil,
    role: String = "technician", organizations: [String] = [], hasPassword: Bool = true
  ) -> AccountEntry {
    AccountEntry(
      id: AccountID(id), name: "Name of " + id, email: id + "@example.com", phone: "+4790000001",
      role: role, status: status, organizations: organizations.map { OrganizationID($0) },
      hasPassword: hasPassword,
      failuresInRow: failures,
      lockedUntil: seconds.map { FlowDriver.startTime.adding(seconds: $0) },
      lockedDevices: 0, createdAt: FlowDriver.startTime
    )
  }

  static func page(_ entries: [AccountEntry], cursor: String? = nil) -> JSON {
    .members([
      JSONMember("accounts", .array(entries.map { $0.json })),
      JSONMember("cursor", ifPresent: cursor),
    ])
  }

  static func listed(
    _ entries: AccountEntry..., cursor: String? = nil,
    for permissions: [PermissionEntry]? = everything
  ) -> ConsoleDriver {
    var driver = ConsoleDriver(permissions)
    driver.press(.consoleTab, "accounts")
    driver.answer("/admin/accounts", 200, page(entries, cursor: cursor))
    return driver
  }

  static func opened(
    _ entry: AccountEntry = entry("tara"), for permissions: [PermissionEntry]? = everything
  ) -> ConsoleDriver {
    var driver = listed(entry, for: permissions)
    driver.press(.openAccount, entry.id.text)
    let path = "/admin/accounts/" + entry.id.text
    driver.answer(path + "/sessions", 200, .members([JSONMember("sessions", .array([]))]))
    driver.answer(path, 200, entry.json)
    return driver
  }
}

@Suite("The console")
struct ConsoleTests {
  @Test("T-16 the list of accounts loads the next page at the end of a page")
  func pages() {
    var driver = ConsoleDriver.listed(ConsoleDriver.entry("a"), cursor: "next")
    #expect(driver.home.tab == .accounts && driver.home.accounts.hasMore)

    driver.press(.readMore)
    #expect(driver.asked.last?.apiRequest.path == "/admin/accounts?cursor=next")
    driver.answer("/admin/accounts", 200, ConsoleDriver.page([ConsoleDriver.entry("b")]))

    #expect(driver.home.accounts.entries?.map { $0.id.text } == ["a", "b"])
    #expect(!driver.home.accounts.hasMore && driver.announcements == [.console(.accountsListed(2))])
  }

  @Test(
    "T-16 it searches after a pause in typing",
    arguments: [(399, false), (400, true), (401, true)] as [(Int64, Bool)]
  )
  func search(_ pause: Int64, _ isSearched: Bool) {
    var driver = ConsoleDriver.listed(ConsoleDriver.entry("a"))
    driver.handle(.page(.fieldEdited(.search, "nina & co")))

    driver.pass(milliseconds: pause)

    let path = "/admin/accounts?" + Form([Form.Field("query", "nina & co")]).encoded
    #expect((driver.asked.last?.apiRequest.path == path) == isSearched)
  }

  @Test("T-16 a late answer to an earlier search is not shown")
  func lateAnswer() throws {
    var driver = ConsoleDriver()
    driver.press(.consoleTab, "accounts")
    let first = try #require(driver.asked.last?.id)
    driver.handle(.page(.fieldEdited(.status, "pending")))
    #expect(driver.asked.last?.apiRequest.path == "/admin/accounts?status=pending")

    driver.answer("/admin/accounts?status", 200, ConsoleDriver.page([]))
    let page = ConsoleDriver.page([ConsoleDriver.entry("a")])
    driver.handle(.answered(first, .received(status: 200, body: page, serverSeconds: nil)))

    #expect(driver.home.accounts.entries?.isEmpty == true)
  }

  static let offers: [(AccountEntry, [AccountAction])] = [
    (ConsoleDriver.entry("tara", status: "pending"), [.approve, .reject]),
    (ConsoleDriver.entry("tara", status: "rejected"), [.approve]),
    (ConsoleDriver.entry("tara", status: "active"), [.resetPassword, .deactivate]),
    (ConsoleDriver.entry("tara", status: "deactivated"), [.reactivate]),
    (ConsoleDriver.entry("tara", failures: 1), [.unlock, .resetPassword, .deactivate]),
    (ConsoleDriver.entry("tara", lockedFor: 60), [.unlock, .resetPassword, .deactivate]),
    (ConsoleDriver.entry("tara", hasPassword: false), [.sendInvitation, .invite, .deactivate]),
    (ConsoleDriver.entry("tara", role: "rider", hasPassword: false), [.deactivate]),
  ]

  @Test(
    "T-16 R-11 each status of an account offers the actions that lead out of it",
    arguments: offers.indices)
  func offered(_ index: Int) {
    let (entry, actions) = Self.offers[index]

    #expect(ConsoleDriver.opened(entry).home.account?.actions == actions)
  }

  @Test("T-16 no action starts before it is confirmed")
  func asking() {
    var driver = ConsoleDriver.opened()
    let before = driver.asked.count
    driver.press(.accountAction, "deactivate")
    #expect(driver.home.account?.asking == .deactivate && driver.asked.count == before)
    #expect(driver.context.focus?.part == .question)

    driver.press(.cancel)
    #expect(driver.home.account?.asking == nil && driver.asked.count == before)
    #expect(driver.context.focus?.part == .account)
    driver.press(.confirm)
    #expect(driver.asked.count == before)
  }

  @Test("T-16 the result of an action is reported and shown in the list")
  func done() {
    var driver = ConsoleDriver.opened()
    driver.press(.accountAction, "deactivate")
    driver.press(.confirm)
    #expect(driver.home.account?.working == nil)
    driver.handle(.page(.fieldEdited(.reason, "Left the company")))
    driver.press(.confirm)
    #expect(driver.home.account?.working != nil)
    driver.press(.confirm)
    driver.press(.cancel)
    #expect(driver.asked.filter { $0.apiRequest.method == .patch }.count == 1)

    driver.answer(
      "/admin/accounts/tara", 200, ConsoleDriver.entry("tara", status: "deactivated").json)

    #expect(driver.home.account?.notice == .done(.deactivate))
    #expect(driver.announcements == [.console(.notice(.done(.deactivate)))])
    #expect(driver.home.accounts.entries?.map { $0.status } == ["deactivated"])
    driver.handle(.page(.bannerDismissed))
    #expect(driver.home.account?.notice == nil)
  }

  @Test(
    "T-16 each refusal has its own text",
    arguments: [
      (.ownAccount, .ownAccount), (.illegalTransition, .accountChangedElsewhere),
      (.accountNotFound, .accountGone), (.temporarilyUnavailable, .failed(.serviceBusy)),
      (.insufficientScope, .failed(.serverFault)),
    ] as [(ErrorCode, ConsoleNotice)]
  )
  func refused(_ code: ErrorCode, _ notice: ConsoleNotice) {
    var driver = ConsoleDriver.opened()
    driver.press(.accountAction, "deactivate")
    driver.handle(.page(.fieldEdited(.reason, "Left the company")))
    driver.press(.confirm)

    driver.refuse("/admin/accounts/tara", code)

    #expect(driver.home.account?.notice == notice && driver.home.account?.asking == nil)
    #expect(driver.home.account?.entry.status == "active")
  }

  @Test("T-16 a form with mistakes is not sent; each field explains its mistake")
  func mistakes() {
    var driver = ConsoleDriver.listed(ConsoleDriver.entry("a"))
    driver.press(.newAccount)
    let before = driver.asked.count
    driver.handle(.page(.fieldEdited(.email, "nina@example.com")))
    driver.press(.saveAccount)

    #expect(driver.home.creation?.faults == [.nameNeeded, .phoneMalformed])
    #expect(driver.asked.count == before)
    #expect(driver.announcements == [.console(.accountFault(.nameNeeded))])
    #expect(driver.context.focus?.part == .name)
    driver.handle(.page(.fieldEdited(.name, "Nina")))
    #expect(driver.home.creation?.faults == [.phoneMalformed])
  }

  @Test("T-16 an empty field of the form is not called malformed")
  func emptyFields() {
    var driver = ConsoleDriver.listed(ConsoleDriver.entry("a"))
    driver.press(.newAccount)
    driver.handle(.page(.fieldEdited(.name, String(repeating: "x", count: 101))))
    driver.handle(.page(.fieldEdited(.email, " ")))
    driver.press(.saveAccount)
    #expect(driver.home.creation?.faults == [.nameTooLong, .emailNeeded, .phoneMalformed])

    driver.handle(.page(.fieldEdited(.name, String(repeating: "x", count: 100))))
    driver.handle(.page(.fieldEdited(.email, "nina")))
    driver.press(.saveAccount)
    #expect(driver.home.creation?.faults == [.emailMalformed, .phoneMalformed])
  }

  private func submitting() -> ConsoleDriver {
    var driver = ConsoleDriver.listed(ConsoleDriver.entry("a"))
    driver.press(.newAccount)
    driver.handle(.page(.fieldEdited(.name, " Nina Dahl ")))
    driver.handle(.page(.fieldEdited(.email, "NINA@example.com")))
    driver.handle(.page(.fieldEdited(.phone, "00 47 (900) 00-042")))
    driver.press(.saveAccount)
    return driver
  }

  @Test("T-16 a technician is created once, however often the answer is lost")
  func created() throws {
    var driver = submitting()
    let first = try #require(driver.asked.last)
    let body = JSON.members([
      JSONMember("name", "Nina Dahl"), JSONMember("email", "nina@example.com"),
      JSONMember("phone_number", "+4790000042"), JSONMember("role", "technician"),
    ])
    #expect(first.apiRequest.body == .json(body))

    driver.handle(.answered(first.id, .noNetwork))
    #expect(driver.home.creation?.notice == .failed(.noConnection))
    driver.press(.saveAccount)
    #expect(driver.asked.last?.apiRequest.idempotencyKey == first.apiRequest.idempotencyKey)
    driver.answer("/admin/accounts", 201, ConsoleDriver.entry("nina", hasPassword: false).json)

    #expect(driver.home.creation == nil && driver.home.account?.entry.id.text == "nina")
    #expect(driver.home.account?.notice == .created(needsPassword: true))
  }

  @Test(
    "T-16 an existing technician is reported; the input stays, and the next request has another key"
  )
  func exists() {
    var driver = submitting()
    let key = driver.asked.last?.apiRequest.idempotencyKey
    driver.refuse("/admin/accounts", .accountExists)

    #expect(driver.home.creation?.notice == .accountExists)
    #expect(driver.home.creation?.email == "NINA@example.com")
    driver.handle(.page(.fieldEdited(.email, "other@example.com")))
    driver.press(.saveAccount)
    #expect(driver.asked.last?.apiRequest.idempotencyKey != key)
  }

  @Test("T-16 while an action is in progress, its page cannot be left")
  func busy() {
    var driver = submitting()
    driver.press(.back)
    driver.press(.consoleTab, "events")

    #expect(driver.home.creation != nil && driver.home.tab == .accounts)
  }

  @Test("T-16 events, messages and policies are read when they are opened")
  func tabs() {
    var driver = ConsoleDriver.listed(ConsoleDriver.entry("a"))
    driver.press(.consoleTab, "events")
    let event = JSON.members([
      JSONMember("sequence", 7), JSONMember("at", 1_700_000_000_123), JSONMember("code", "a.b"),
    ])
    driver.answer("/admin/events", 200, .members([JSONMember("events", .array([event]))]))
    #expect(driver.home.events.entries?.map { $0.code } == ["a.b"])

    driver.press(.consoleTab, "messages")
    driver.refuse("/admin/messages", .temporarilyUnavailable)
    #expect(driver.home.messages.problem == .serviceBusy && driver.home.messages.entries == nil)
    let before = driver.asked.count
    driver.pass(milliseconds: 6000)
    #expect(driver.asked.count == before + 1)

    driver.press(.consoleTab, "policies")
    driver.answer("/admin/clients", 200, .members([JSONMember("clients", .array([]))]))
    #expect(driver.home.policies.clients.value?.isEmpty == true && driver.home.tab == .policies)
  }
}

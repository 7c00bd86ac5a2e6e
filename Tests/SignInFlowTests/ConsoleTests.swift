import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

/// The console's home and its unanswered requests.
struct ConsoleDesk {
  var context = FlowContext()
  var home = ConsoleHome()
  var time = Walk.noon
  var asked: [FlowContext.QueuedRequest] = []
  var effects: [Effect] = []

  /// `permissions` are those of the administrator `ada`, or `nil` before the account is read.
  init(_ permissions: [PermissionEntry]? = everything) {
    context.setApp(.console, page: "page")
    context.setTime(at: time)
    effects = home.open(&context)
    asked = context.takeQueuedRequests()
    if let permissions { home.meet(Self.person(permissions)) }
  }

  static let everything = [PermissionEntry(level: "administrator", organization: nil)]

  static func local(_ level: String, _ organization: String = "north") -> [PermissionEntry] {
    [PermissionEntry(level: level, organization: OrganizationID(organization))]
  }

  static func person(_ permissions: [PermissionEntry]) -> AccountAnswer {
    let terms = TokenAnswer.SessionTerms(
      id: SessionID("s"), expiresAt: Walk.noon.adding(seconds: 86400), idleTimeout: 3600,
      backgroundTimeout: 300, unlock: "none", organization: nil
    )
    var answer = AccountAnswer(
      id: AccountID("ada"), name: "Ada Holm", email: "ada@example.com", phone: "***-***-1238",
      role: "administrator", organizations: [], session: terms
    )
    answer.permissions = permissions
    return answer
  }

  mutating func happen(_ event: Event) {
    context.setTime(at: time)
    effects = home.handle(event, &context)
    asked += context.takeQueuedRequests()
  }

  mutating func press(_ button: ButtonName, _ item: String? = nil) {
    happen(item.map { .home(.itemPressed(button, item: $0)) } ?? .buttonPressed(button))
  }

  mutating func pass(milliseconds: Int64) {
    time = time.adding(milliseconds: milliseconds)
    happen(.ticked)
  }

  /// Answers the newest request whose path begins with `path`.
  mutating func answer(_ path: String, _ status: Int64, _ body: JSON = .null) {
    guard let index = asked.lastIndex(where: { $0.apiRequest.path.hasPrefix(path) }) else { return }
    let id = asked.remove(at: index).id
    happen(.answered(id, .received(status: status, body: body, serverSeconds: nil)))
  }

  mutating func refuse(_ path: String, _ code: ErrorCode) {
    answer(path, Int64(code.status), .members([JSONMember("code", code.rawValue)]))
  }

  var announcements: [Announcement] {
    effects.compactMap { if case .announce(let said) = $0 { said } else { nil } }
  }

  static func entry(
    _ id: String, status: String = "active", failures: Int64 = 0, lockedFor seconds: Int64? = nil,
    role: String = "technician", organizations: [String] = [], hasPassword: Bool = true
  ) -> AccountEntry {
    AccountEntry(
      id: AccountID(id), name: "Name of " + id, email: id + "@example.com", phone: "+4790000001",
      role: role, status: status, organizations: organizations.map { OrganizationID($0) },
      hasPassword: hasPassword,
      failuresInRow: failures, lockedUntil: seconds.map { Walk.noon.adding(seconds: $0) },
      lockedDevices: 0, createdAt: Walk.noon
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
  ) -> ConsoleDesk {
    var desk = ConsoleDesk(permissions)
    desk.answer("/admin/accounts", 200, page(entries, cursor: cursor))
    return desk
  }

  static func opened(
    _ entry: AccountEntry = entry("tara"), for permissions: [PermissionEntry]? = everything
  ) -> ConsoleDesk {
    var desk = listed(entry, for: permissions)
    desk.press(.openAccount, entry.id.text)
    let path = "/admin/accounts/" + entry.id.text
    desk.answer(path + "/sessions", 200, .members([JSONMember("sessions", .array([]))]))
    desk.answer(path, 200, entry.json)
    return desk
  }
}

@Suite("The console")
struct ConsoleTests {
  @Test("T-16 it opens on the accounts and loads the next page at the end of a page")
  func pages() {
    var desk = ConsoleDesk.listed(ConsoleDesk.entry("a"), cursor: "next")
    #expect(desk.home.tab == .accounts && desk.home.accounts.hasMore)

    desk.press(.readMore)
    #expect(desk.asked.last?.apiRequest.path == "/admin/accounts?cursor=next")
    desk.answer("/admin/accounts", 200, ConsoleDesk.page([ConsoleDesk.entry("b")]))

    #expect(desk.home.accounts.entries?.map { $0.id.text } == ["a", "b"])
    #expect(!desk.home.accounts.hasMore && desk.announcements == [.accountsListed(2)])
  }

  @Test(
    "T-16 it searches after a pause in typing",
    arguments: [(399, false), (400, true), (401, true)] as [(Int64, Bool)]
  )
  func search(_ pause: Int64, _ isSearched: Bool) {
    var desk = ConsoleDesk.listed(ConsoleDesk.entry("a"))
    desk.happen(.fieldEdited(.search, "nina & co"))

    desk.pass(milliseconds: pause)

    let path = "/admin/accounts?" + Form([Form.Field("query", "nina & co")]).encoded
    #expect((desk.asked.last?.apiRequest.path == path) == isSearched)
  }

  @Test("T-16 a late answer to an earlier search is not shown")
  func lateAnswer() throws {
    var desk = ConsoleDesk()
    let first = try #require(desk.asked.first?.id)
    desk.happen(.fieldEdited(.status, "pending"))
    #expect(desk.asked.last?.apiRequest.path == "/admin/accounts?status=pending")

    desk.answer("/admin/accounts?status", 200, ConsoleDesk.page([]))
    let page = ConsoleDesk.page([ConsoleDesk.entry("a")])
    desk.happen(.answered(first, .received(status: 200, body: page, serverSeconds: nil)))

    #expect(desk.home.accounts.entries?.isEmpty == true)
  }

  static let offers: [(AccountEntry, [AccountAction])] = [
    (ConsoleDesk.entry("tara", status: "pending"), [.approve, .reject]),
    (ConsoleDesk.entry("tara", status: "rejected"), [.approve]),
    (ConsoleDesk.entry("tara", status: "active"), [.resetPassword, .deactivate]),
    (ConsoleDesk.entry("tara", status: "deactivated"), [.reactivate]),
    (ConsoleDesk.entry("tara", failures: 1), [.unlock, .resetPassword, .deactivate]),
    (ConsoleDesk.entry("tara", lockedFor: 60), [.unlock, .resetPassword, .deactivate]),
  ]

  @Test(
    "T-16 R-11 each status of an account offers the actions that lead out of it",
    arguments: offers.indices)
  func offered(_ index: Int) {
    let (entry, actions) = Self.offers[index]

    #expect(ConsoleDesk.opened(entry).home.account?.actions == actions)
  }

  @Test("T-16 no action starts before it is confirmed")
  func asking() {
    var desk = ConsoleDesk.opened()
    let before = desk.asked.count
    desk.press(.accountAction, "deactivate")
    #expect(desk.home.account?.asking == .deactivate && desk.asked.count == before)
    #expect(desk.context.focus?.target == .question)

    desk.press(.cancel)
    #expect(desk.home.account?.asking == nil && desk.asked.count == before)
    #expect(desk.context.focus?.target == .account)
    desk.press(.confirm)
    #expect(desk.asked.count == before)
  }

  @Test("T-16 the result of an action is reported and shown in the list")
  func done() {
    var desk = ConsoleDesk.opened()
    desk.press(.accountAction, "deactivate")
    desk.press(.confirm)
    #expect(desk.home.account?.working != nil)
    desk.press(.confirm)
    desk.press(.cancel)
    #expect(desk.asked.filter { $0.apiRequest.method == .patch }.count == 1)

    desk.answer("/admin/accounts/tara", 200, ConsoleDesk.entry("tara", status: "deactivated").json)

    #expect(desk.home.account?.notice == .done(.deactivate))
    #expect(desk.announcements == [.console(.done(.deactivate))])
    #expect(desk.home.accounts.entries?.map { $0.status } == ["deactivated"])
    desk.happen(.bannerDismissed)
    #expect(desk.home.account?.notice == nil)
  }

  @Test(
    "T-16 each refusal has its own text",
    arguments: [
      (.ownAccount, .ownAccount), (.illegalTransition, .changedMeanwhile),
      (.accountNotFound, .accountGone), (.temporarilyUnavailable, .failed(.serviceBusy)),
      (.insufficientScope, .failed(.serverFault)),
    ] as [(ErrorCode, ConsoleNotice)]
  )
  func refused(_ code: ErrorCode, _ notice: ConsoleNotice) {
    var desk = ConsoleDesk.opened()
    desk.press(.accountAction, "deactivate")
    desk.press(.confirm)

    desk.refuse("/admin/accounts/tara", code)

    #expect(desk.home.account?.notice == notice && desk.home.account?.asking == nil)
    #expect(desk.home.account?.entry.status == "active")
  }

  @Test("T-16 a form with mistakes is not sent; each field explains its mistake")
  func mistakes() {
    var desk = ConsoleDesk.listed(ConsoleDesk.entry("a"))
    desk.press(.newTechnician)
    let before = desk.asked.count
    desk.happen(.fieldEdited(.email, "nina@example.com"))
    desk.press(.createTechnician)

    #expect(desk.home.creation?.faults == [.nameNeeded, .phoneMalformed])
    #expect(desk.asked.count == before)
    #expect(desk.announcements == [.accountFault(.nameNeeded)])
    #expect(desk.context.focus?.target == .name)
    desk.happen(.fieldEdited(.name, "Nina"))
    #expect(desk.home.creation?.faults == [.phoneMalformed])
  }

  @Test("T-16 an empty field of the form is not called malformed")
  func emptyFields() {
    var desk = ConsoleDesk.listed(ConsoleDesk.entry("a"))
    desk.press(.newTechnician)
    desk.happen(.fieldEdited(.name, String(repeating: "x", count: 101)))
    desk.happen(.fieldEdited(.email, " "))
    desk.press(.createTechnician)
    #expect(desk.home.creation?.faults == [.nameTooLong, .emailEmpty, .phoneMalformed])

    desk.happen(.fieldEdited(.name, String(repeating: "x", count: 100)))
    desk.happen(.fieldEdited(.email, "nina"))
    desk.press(.createTechnician)
    #expect(desk.home.creation?.faults == [.emailMalformed, .phoneMalformed])
  }

  private func submitting() -> ConsoleDesk {
    var desk = ConsoleDesk.listed(ConsoleDesk.entry("a"))
    desk.press(.newTechnician)
    desk.happen(.fieldEdited(.name, " Nina Dahl "))
    desk.happen(.fieldEdited(.email, "NINA@example.com"))
    desk.happen(.fieldEdited(.phone, "00 47 (900) 00-042"))
    desk.press(.createTechnician)
    return desk
  }

  @Test("T-16 a technician is created once, however often the answer is lost")
  func created() throws {
    var desk = submitting()
    let first = try #require(desk.asked.last)
    let body = JSON.members([
      JSONMember("role", "technician"), JSONMember("name", "Nina Dahl"),
      JSONMember("email", "nina@example.com"), JSONMember("phone_number", "+4790000042"),
    ])
    #expect(first.apiRequest.body == .json(body))

    desk.happen(.answered(first.id, .noNetwork))
    #expect(desk.home.creation?.notice == .failed(.noConnection))
    desk.press(.createTechnician)
    #expect(desk.asked.last?.apiRequest.idempotencyKey == first.apiRequest.idempotencyKey)
    desk.answer("/admin/accounts", 201, ConsoleDesk.entry("nina").json)

    #expect(desk.home.creation == nil && desk.home.account?.entry.id.text == "nina")
    #expect(desk.home.account?.notice == .created)
  }

  @Test(
    "T-16 an existing technician is reported; the input stays, and the next request has another key"
  )
  func exists() {
    var desk = submitting()
    let key = desk.asked.last?.apiRequest.idempotencyKey
    desk.refuse("/admin/accounts", .accountExists)

    #expect(desk.home.creation?.notice == .accountExists)
    #expect(desk.home.creation?.email == "NINA@example.com")
    desk.happen(.fieldEdited(.email, "other@example.com"))
    desk.press(.createTechnician)
    #expect(desk.asked.last?.apiRequest.idempotencyKey != key)
  }

  @Test("T-16 while an action is in progress, its page cannot be left")
  func busy() {
    var desk = submitting()
    desk.press(.back)
    desk.press(.consoleTab, "events")

    #expect(desk.home.creation != nil && desk.home.tab == .accounts)
  }

  @Test("T-16 events, messages and policies are read when they are opened")
  func tabs() {
    var desk = ConsoleDesk.listed(ConsoleDesk.entry("a"))
    desk.press(.consoleTab, "events")
    let event = JSON.members([
      JSONMember("sequence", 7), JSONMember("at", 1_700_000_000_123), JSONMember("code", "a.b"),
    ])
    desk.answer("/admin/events", 200, .members([JSONMember("events", .array([event]))]))
    #expect(desk.home.events.entries?.map { $0.code } == ["a.b"])

    desk.press(.consoleTab, "messages")
    desk.refuse("/admin/messages", .temporarilyUnavailable)
    #expect(desk.home.messages.problem == .serviceBusy && desk.home.messages.entries == nil)
    let before = desk.asked.count
    desk.pass(milliseconds: 6000)
    #expect(desk.asked.count == before + 1)

    desk.press(.consoleTab, "policies")
    desk.answer("/admin/clients", 200, .members([JSONMember("clients", .array([]))]))
    #expect(desk.home.policies.clients.value?.isEmpty == true && desk.home.tab == .policies)
  }
}

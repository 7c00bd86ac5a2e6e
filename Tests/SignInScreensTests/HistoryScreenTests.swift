import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow
@testable import SignInScreens

@Suite("The history of an account on screen")
struct HistoryScreenTests {
  private static let localizer: Localizer = {
    var context = FlowContext()
    context.setApp(.console, page: "page")
    context.setTime(at: ScreenDriver.startTime)
    return Localizer(context)
  }()

  private static func entry(_ id: String, status: String = "pending") -> AccountEntry {
    AccountEntry(
      id: AccountID(id), name: "Name of " + id, email: nil, phone: "+919812345670", role: "rider",
      status: status, organizations: [], hasPassword: false, failuresInRow: 0, lockedUntil: nil,
      lockedDevices: 0, createdAt: ScreenDriver.startTime)
  }

  private static func answer(
    _ home: inout ConsoleHome, _ context: inout FlowContext, _ path: String, _ body: JSON
  ) {
    for request in context.takeQueuedRequests() where request.apiRequest.path.hasPrefix(path) {
      let answer = Answer.received(status: 200, body: body, serverSeconds: nil)
      _ = home.handle(.answered(request.id, answer), &context)
    }
  }

  /// The console with the waiting accounts `a` and `b`.
  private static func waiting() -> (ConsoleHome, FlowContext) {
    var context = FlowContext()
    context.setApp(.console, page: "page")
    var home = ConsoleHome()
    _ = home.open(&context)
    home.setAccount(ConsoleScreenTests.administrator, &context)
    let place = HomeEvent.itemPressed(.consoleTab, item: "accounts?status=pending")
    _ = home.handle(.home(place), &context)
    let entries = [entry("a"), entry("b")].map(\.json)
    answer(
      &home, &context, "/admin/accounts",
      .members([JSONMember("accounts", .array(entries))]))
    return (home, context)
  }

  private static func tables(_ home: ConsoleHome) -> [Table] {
    var tables: [Table] = []
    for case .split(_, let list, let opened, _) in home.view(localizer).parts {
      for case .table(let table) in list + opened { tables.append(table) }
    }
    return tables
  }

  @Test("T-16 each waiting account has a box, and one box is for all of them")
  func boxes() throws {
    var (home, context) = Self.waiting()
    _ = home.handle(.home(.itemPressed(.toggleAccount, item: "b")), &context)

    let table = try #require(Self.tables(home).first)
    #expect(table.rows.map { $0.check?.isOn } == [false, true])
    #expect(table.rows.first?.check?.label == "Select Name of a")
    #expect(table.check?.label == "Select all on this page" && table.check?.isOn == false)
    #expect(table.json["check"]?["action"]?["button"]?.text == "toggle_accounts")
    #expect(table.rows[1].json["check"]?["checked"]?.flag == true)

    _ = home.handle(.page(.buttonPressed(.approveSelected)), &context)
    guard case .sheet(_, let title, _, _, let buttons)? = home.view(Self.localizer).parts.first
    else {
      Issue.record("nothing is asked")
      return
    }
    #expect(title == "Approve 1 account?" && buttons.map(\.label) == ["Approve", "Cancel"])
  }

  @Test("T-16 a message and a decision in the history have links, and an open session a button")
  func links() throws {
    var (home, context) = Self.waiting()
    _ = home.handle(.home(.itemPressed(.openAccount, item: "a")), &context)
    let requests = context.takeQueuedRequests()
    func give(_ path: String, _ name: String, _ entries: [JSON]) {
      for request in requests where request.apiRequest.path.hasPrefix(path) {
        let body = JSON.members([JSONMember(name, .array(entries))])
        let answer = Answer.received(status: 200, body: body, serverSeconds: nil)
        _ = home.handle(.answered(request.id, answer), &context)
      }
    }
    let session = SessionEntry(
      id: SessionID("s1"), client: ClientID("rider-app"), organization: nil,
      authenticationMethods: [], startedAt: ScreenDriver.startTime,
      lastUsedAt: ScreenDriver.startTime,
      expiresAt: ScreenDriver.startTime, isCurrent: false, isBound: true)
    func event(_ sequence: Int64, _ code: String, _ member: JSONMember) -> JSON {
      .members([
        JSONMember("sequence", sequence), JSONMember("at", 1_700_000_000_000 + sequence),
        JSONMember("code", code), JSONMember("account", "a"), member,
      ])
    }
    give("/admin/accounts/a/sessions", "sessions", [session.json])
    give(
      "/admin/events", "events",
      [
        event(2, "sign_in.completed", JSONMember("session", "s1")),
        event(1, "account.deactivated", JSONMember("detail", "b Left the company")),
        event(0, "account.approved", JSONMember("detail", "b")),
      ])
    let message = MessageEntry(
      id: "m", to: "***-***-5670", state: "failed", tries: 3,
      createdAt: Instant(seconds: 1_600_000_000), expiresAt: Instant(seconds: 1_600_000_300))
    give("/admin/messages", "messages", [message.json])
    Self.answer(
      &home, &context, "/admin/accounts?ids",
      .members([JSONMember("accounts", .array([Self.entry("b").json]))]))

    let history = try #require(Self.tables(home).first { $0.id == "history" })
    let texts = history.rows.map { $0.cells[0].text }
    #expect(
      texts == [
        Phrase("Signed in"), Phrase("Account deactivated by Name of b: Left the company"),
        Phrase("Account approved by Name of b"),
        Phrase("Code to ***-***-5670"),
      ])
    #expect(
      history.rows.map { $0.cells[3].action } == [
        RowAction(button: "end_session", item: "s1"), RowAction(button: "open_account", item: "b"),
        RowAction(button: "open_account", item: "b"),
        RowAction(button: "console_tab", item: "messages/m?account=a"),
      ])
    #expect(history.rows[3].cells[2].badges.map(\.text) == ["Not delivered"])
  }

  @Test("T-16 the count of selected and of approved accounts is said")
  func counts() {
    let said = ConsoleHome.announce(.accountsSelected(3), Self.localizer)
    #expect(said.text == "3 selected." && said.politeness == .polite)
    #expect(Self.localizer.said(.approvedSeveral(1, of: 1)) == "Account approved.")
    #expect(Self.localizer.said(.approvedSeveral(20, of: 20)) == "20 accounts approved.")
    #expect(
      Self.localizer.said(.approvedSeveral(2, of: 3))
        == "2 of 3 accounts approved. The others are still selected.")
  }
}

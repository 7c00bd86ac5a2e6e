import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow
@testable import SignInScreens

@Suite("The console's screens")
struct ConsoleScreenTests {
  private static let consoleContext: FlowContext = {
    var context = FlowContext()
    context.setApp(.console, page: "page")
    context.setTime(at: ScreenDriver.startTime)
    return context
  }()

  private static let localizer = Localizer(consoleContext)

  static let administrator: AccountAnswer = {
    let terms = TokenAnswer.SessionTerms(
      id: SessionID("s"), expiresAt: ScreenDriver.startTime.adding(seconds: 86400),
      idleTimeout: 3600,
      backgroundTimeout: 300, unlock: "none", organization: nil
    )
    var answer = AccountAnswer(
      id: AccountID("ada"), name: "Ada Holm", email: "ada@example.com", phone: "***-***-1238",
      role: "administrator", organizations: [], session: terms
    )
    answer.permissions = [PermissionEntry(level: "administrator", organization: nil)]
    return answer
  }()

  private func entry(
    _ status: String = "active", locked: Bool = false, email: String = "tara@example.com"
  ) -> AccountEntry {
    AccountEntry(
      id: AccountID("tara"), name: "Tara Lind", email: email, phone: "+4790000001",
      role: "technician", status: status, organizations: [OrganizationID("north")],
      hasPassword: false, failuresInRow: locked ? 5 : 0,
      lockedUntil: locked ? ScreenDriver.startTime.adding(seconds: 900) : nil,
      lockedDevices: locked ? 1 : 0,
      createdAt: ScreenDriver.startTime
    )
  }

  private func opened(_ entry: AccountEntry) -> (home: ConsoleHome, context: FlowContext) {
    var context = FlowContext()
    context.setApp(.console, page: "page")
    var home = ConsoleHome()
    _ = home.open(&context)
    home.setAccount(Self.administrator, &context)
    _ = home.handle(.home(.itemPressed(.consoleTab, item: "accounts")), &context)
    guard let id = context.takeQueuedRequests().last?.id else { return (home, context) }
    let page = JSON.members([JSONMember("accounts", .array([entry.json]))])
    let answer = Answer.received(status: 200, body: page, serverSeconds: nil)
    _ = home.handle(.answered(id, answer), &context)
    _ = home.handle(.home(.itemPressed(.openAccount, item: "tara")), &context)
    return (home, context)
  }

  private func split(_ view: HomeView) -> (list: [Part], opened: [Part])? {
    for case .split(_, let list, let opened, _) in view.parts { return (list, opened) }
    return nil
  }

  @Test("T-16 a list names each account and marks the one that is open beside it")
  func list() throws {
    let (home, _) = opened(entry("pending"))

    let view = home.view(Self.localizer)

    let list = try #require(split(view)?.list)
    let tables = list.compactMap { part in if case .table(let table) = part { table } else { nil } }
    let row = try #require(tables.first?.rows.first)
    #expect(row.cells.first?.text == Phrase("Tara Lind") && row.isCurrent)
    #expect(row.cells.last?.badges == [Badge(text: "Waiting for approval", severity: .info)])
    #expect(row.action == RowAction(button: "open_account", item: "tara"))
    #expect(view.back == .back)
  }

  @Test(
    "T-16 an empty list of accounts names the search that has no result",
    arguments: [
      ("nina@example.com", "No account with “nina@example.com” was found"),
      ("", "No matching accounts"),
    ])
  func unmatchedSearch(_ search: String, _ title: String) throws {
    var (home, context) = opened(entry())
    _ = home.handle(.page(.buttonPressed(.back)), &context)
    _ = home.handle(.page(.fieldEdited(.search, Secret(search))), &context)
    _ = home.handle(.page(.buttonPressed(.refresh)), &context)
    let id = try #require(context.takeQueuedRequests().last?.id)
    let page = JSON.members([JSONMember("accounts", .array([]))])
    let answer = Answer.received(status: 200, body: page, serverSeconds: nil)
    _ = home.handle(.answered(id, answer), &context)

    let list = try #require(split(home.view(Self.localizer))?.list)

    let empty = list.compactMap { part in
      if case .empty(_, _, let title, let text) = part { (title, text) } else { nil }
    }
    #expect(empty.first?.0 == title && empty.first?.1 == "Change the search or the status.")
  }

  @Test("T-16 an account shows all its facts, and a lockout with its end")
  func facts() throws {
    let (home, _) = opened(entry(locked: true))

    let parts = try #require(split(home.view(Self.localizer))?.opened)

    var labels: [String] = []
    for case .details(let id, let title, let badges, let details) in parts {
      #expect(title == (id == "account" ? "Tara Lind" : "Details"))
      #expect(badges.map { $0.text } == (id == "account" ? ["Active", "Locked"] : []))
      labels += details.map { $0.label }
    }
    #expect(
      labels == [
        "Role", "Mobile number", "Email", "Organizations", "Password", "Failed attempts in a row",
        "Locked", "Locked devices", "Created", "Account ID",
      ]
    )
    let said = parts.compactMap { if case .banner(let banner) = $0 { banner.text } else { nil } }
    #expect(said.first?.hasPrefix("Tara Lind cannot sign in: locked after failed") == true)
    for case .actions("actions", let buttons) in parts {
      #expect(
        buttons.map { $0.label } == [
          "Unlock", "Send invitation", "Show invitation link", "Deactivate",
        ])
      #expect(buttons.map { $0.item } == ["unlock", "send_invitation", "invite", "deactivate"])
    }
  }

  @Test(
    "T-16 an account names the letters of its e-mail that can look like others",
    arguments: [
      ("tara@example.com", nil),
      ("t\u{430}r\u{430}@example.com", "\u{430} U+0430"),
      ("t\u{E5}ra@example.com", "\u{E5} U+00E5"),
      ("ta\u{200D}ra@example.com", "\u{200D} U+200D"),
      ("ta\u{301}r\u{430}@example.com", "\u{301} U+0301, \u{430} U+0430"),
      (
        "\u{FFFF}\u{1D41A}\u{10FFFD}@example.com",
        "\u{FFFF} U+FFFF, \u{1D41A} U+1D41A, \u{10FFFD} U+10FFFD"
      ),
    ] as [(String, String?)])
  func emailLetters(_ email: String, _ letters: String?) throws {
    let (home, _) = opened(entry(email: email))

    let parts = try #require(split(home.view(Self.localizer))?.opened)

    var named: Phrase?
    for case .details("account", _, _, let details) in parts {
      named = details.first { $0.label == "Letters in the email that are not a–z" }?.text
    }
    #expect(named == letters.map { Phrase($0) })
  }

  @Test("T-16 a record on a page that cannot be read is not called unknown")
  func unreadRecord() throws {
    var context = Self.consoleContext
    var home = ConsoleHome()
    _ = home.open(place: "events/2", &context)
    func title(after status: Int64, _ body: JSON) throws -> String? {
      let id = try #require(home.events.loading?.request)
      let answer = Answer.received(status: status, body: body, serverSeconds: nil)
      _ = home.handle(.answered(id, answer), &context)
      for case .empty(_, _, let title, _) in split(home.view(Self.localizer))?.opened ?? [] {
        return title
      }
      return nil
    }
    func page(_ sequence: Int64) -> JSON {
      let event = JSON.members([
        JSONMember("sequence", sequence), JSONMember("at", 1_700_000_000_123),
        JSONMember("code", "a.b"),
      ])
      return .members([JSONMember("events", .array([event])), JSONMember("cursor", "9")])
    }

    #expect(try title(after: 200, page(9)) == nil)
    #expect(try title(after: 500, .null) == Self.localizer.say(.listUnknownTitle))
    _ = home.handle(.page(.buttonPressed(.refresh)), &context)
    #expect(try title(after: 200, page(1)) == Self.localizer.say(.noSuchPageTitle))
  }

  @Test("T-16 the question names the account; its buttons are disabled while the action runs")
  func question() throws {
    var (home, context) = opened(entry())
    _ = home.handle(.home(.itemPressed(.accountAction, item: "deactivate")), &context)
    _ = home.handle(.page(.fieldEdited(.reason, "Left the company")), &context)

    for isBusy in [false, true] {
      guard
        case .sheet(let id, let title, _, _, let buttons)? = home.view(Self.localizer).parts.first
      else {
        Issue.record("nothing is asked")
        return
      }
      #expect(id == "question" && title == "Deactivate Tara Lind?")
      #expect(buttons.map { $0.id } == ["confirm", "cancel"])
      #expect(buttons[0].isBusy == isBusy && buttons[1].isEnabled == !isBusy)
      #expect(buttons[0].kind == .dangerous)
      _ = home.handle(.page(.buttonPressed(.confirm)), &context)
    }
  }

  @Test("T-16 an invitation link has a button that copies all of it")
  func invitation() throws {
    var (home, context) = opened(entry())
    _ = home.handle(.home(.itemPressed(.accountAction, item: "invite")), &context)
    _ = context.takeQueuedRequests()
    _ = home.handle(.page(.buttonPressed(.confirm)), &context)
    let id = try #require(context.takeQueuedRequests().last?.id)
    let link = "https://login.example.com/app/technician-app/#invitation=secret"
    let made = InvitationAnswer(
      invitation: Secret("secret"), link: Secret(link), expiresAt: ScreenDriver.startTime)

    _ = home.handle(
      .answered(id, .received(status: 201, body: made.json, serverSeconds: nil)), &context)

    let parts = try #require(split(home.view(Self.localizer))?.opened)
    var copies: [Detail.Copy] = []
    for case .details("invitation", _, _, let details) in parts {
      copies = details.compactMap(\.copy)
    }
    #expect(copies.map(\.groups) == [[link]])
    #expect(copies.first?.fullLabel == "Copy invitation link" && copies.first?.label == "Copy")
  }

  @Test("T-16 every action has a question, an answer and a sentence for its completion")
  func words() {
    for action in AccountAction.allCases {
      let said = Self.localizer.said(.done(action))
      #expect(!said.isEmpty && Self.localizer.button(for: action).item == action.rawValue)
    }
    for notice: ConsoleNotice in [
      .created(needsPassword: true), .edited([]), .nothingChanged, .notPermitted,
      .lastAdministrator, .refused,
      .ownAccount, .accountChangedElsewhere, .accountGone, .accountExists,
      .failed(.noConnection),
    ] {
      let banner = Self.localizer.banner(notice)
      #expect(banner.severity == (notice.isSuccess ? .success : .error) && !banner.text.isEmpty)
    }
  }

  @Test("T-15 announcements about accounts interrupt only after a failure")
  func spoken() {
    let cases: [(ConsoleAnnouncement, String, LocalizedAnnouncement.Politeness)] = [
      (.accountsListed(1), "1 account.", .polite),
      (.accountsListed(2), "2 accounts.", .polite),
      (.notice(.done(.approve)), "Account approved.", .polite),
      (
        .notice(.ownAccount),
        "You cannot deactivate your own account. Ask another administrator.", .assertive
      ),
      (.accountFault(.nameNeeded), "Enter a name.", .assertive),
    ]

    for (announcement, text, politeness) in cases {
      let spoken = LocalizedAnnouncement(
        .console(announcement), in: Self.consoleContext, of: ConsoleHome.self)
      #expect(spoken.text == text && spoken.politeness == politeness)
    }
  }
}

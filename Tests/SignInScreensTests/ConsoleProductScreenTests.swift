import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow
@testable import SignInScreens

@Suite("Products and service requests of the console on screen")
struct ConsoleProductScreenTests {
  private static func context(_ language: Language = .english) -> FlowContext {
    var context = FlowContext()
    context.setApp(.console, page: "page")
    context.setLocale(LocalePreferences(chosen: language), WallClock())
    context.setTime(at: ScreenDriver.startTime)
    return context
  }

  private static let today = CalendarDay(ScreenDriver.startTime)

  private static func product(
    _ id: String, _ holder: HeldProductEntry.Holder, endsIn days: Int64 = 400
  ) -> HeldProductEntry {
    HeldProductEntry(
      entry: ProductEntry(
        id: ProductID(id), name: "Kettle " + id, model: "K-1", serialNumber: "SN12345",
        category: "Kitchen", warrantyProvider: "Acme", purchasedOn: today,
        warrantyExpiresOn: today.adding(days: days)),
      holder: holder, createdAt: ScreenDriver.startTime)
  }

  private static let olivia = AccountEntry(
    id: AccountID("olivia"), name: "Olivia Berg", email: "owner@example.com", phone: nil,
    role: "owner", status: "active", organizations: [], hasPassword: true, failuresInRow: 0,
    lockedUntil: nil, lockedDevices: 0, createdAt: ScreenDriver.startTime)

  /// The console on a tab, after the answers to its requests.
  private static func shown(
    _ tab: String, _ page: JSON, _ administrator: AccountAnswer = ConsoleScreenTests.administrator
  ) -> (home: ConsoleHome, context: FlowContext) {
    var context = context()
    var home = ConsoleHome()
    _ = home.open(&context)
    home.setAccount(administrator, &context)
    _ = context.takeQueuedRequests()
    _ = home.handle(.home(.itemPressed(.consoleTab, item: tab)), &context)
    let accounts = JSON.members([JSONMember("accounts", .array([olivia.json]))])
    for body in [page, accounts] {
      for request in context.takeQueuedRequests() {
        let answer = Answer.received(status: 200, body: body, serverSeconds: nil)
        _ = home.handle(.answered(request.id, answer), &context)
      }
    }
    return (home, context)
  }

  private static func products(_ entries: [HeldProductEntry]) -> JSON {
    .members([JSONMember("products", .array(entries.map { $0.json(on: today) }))])
  }

  private static func requests(_ description: String) -> JSON {
    let entry = ServiceRequestEntry(
      id: "r1", product: ProductID("p1"), productName: "Kettle", account: AccountID("olivia"),
      description: description, createdAt: ScreenDriver.startTime)
    return .members([JSONMember("service_requests", .array([entry.json]))])
  }

  private static func split(
    _ home: ConsoleHome, _ context: FlowContext
  ) -> (table: Table?, opened: [Part]) {
    for case .split(_, let list, let opened, _) in home.view(Localizer(context)).parts {
      for case .table(let table) in list { return (table, opened) }
      return (nil, opened)
    }
    return (nil, [])
  }

  private static func buttons(_ parts: [Part]) -> [String] {
    var labels: [String] = []
    for case .actions("links", let buttons) in parts { labels += buttons.map { $0.label } }
    return labels
  }

  @Test("T-16 a list of products names model, number, owner and warranty, and links to the owner")
  func productList() throws {
    let entries = [
      Self.product("p1", .owner(AccountID("olivia"))),
      Self.product("p2", .awaiting("new@example.com"), endsIn: -1),
      Self.product("p3", .owner(AccountID("hidden"))),
    ]
    let (home, context) = Self.shown("products", Self.products(entries))

    let table = try #require(Self.split(home, context).table)
    #expect(table.columns == ["Name", "Model", "Serial number", "Owner", "Warranty"])
    let cells = table.rows[0].cells
    let texts = ["Kettle p1", "K-1", "SN12345", "Olivia Berg"]
    #expect(cells[...3].map(\.text) == texts.map { Phrase($0) })
    #expect(cells[3].action == RowAction(button: "open_account", item: "olivia"))
    #expect(
      table.rows.map { $0.cells[4].badges.map(\.text) } == [["Active"], ["Expired"], ["Active"]])
    #expect(table.rows[1].cells[3].text == Phrase("Waits for new@example.com"))
    #expect(table.rows[2].cells[3] == TableRow.Cell(text: Phrase("hidden")))
    #expect(table.rows[0].action == RowAction(button: "open_record", item: "p1"))
  }

  @Test("T-16 a product beside the list has its warranty card, its owner and the transfer")
  func productRecord() throws {
    let entries = [Self.product("p1", .owner(AccountID("olivia")))]
    var (home, context) = Self.shown("products", Self.products(entries))
    _ = home.handle(.home(.itemPressed(.openRecord, item: "p1")), &context)

    let (table, opened) = Self.split(home, context)
    #expect(table?.columns == ["Name", "Owner", "Warranty"] && table?.rows[0].isCurrent == true)
    for case .details(let id, let title, _, let details) in opened {
      #expect(id == "record" && title == "Kettle p1")
      #expect(details.first?.text == Phrase("Olivia Berg") && details[2].copy != nil)
    }
    #expect(Self.buttons(opened) == ["Open Olivia Berg", "Transfer Ownership"])
    let view = home.view(Localizer(context))
    #expect(view.subject == "Kettle p1" && view.back == .back)
  }

  @Test("T-16 O-03 without a permission the page of a product has no transfer")
  func noTransfer() {
    var viewer = ConsoleScreenTests.administrator
    viewer.permissions = [PermissionEntry(level: "viewer", organization: nil)]
    let page = Self.products([Self.product("p1", .owner(AccountID("olivia")))])
    var (home, context) = Self.shown("products", page, viewer)
    _ = home.handle(.home(.itemPressed(.openRecord, item: "p1")), &context)

    #expect(Self.buttons(Self.split(home, context).opened) == ["Open Olivia Berg"])
  }

  @Test("T-16 O-03 the question names the product, says what is lost, and has Cancel")
  func question() throws {
    let page = Self.products([Self.product("p1", .owner(AccountID("olivia")))])
    var (home, context) = Self.shown("products", page)
    _ = home.handle(.home(.itemPressed(.openRecord, item: "p1")), &context)
    _ = home.handle(.page(.buttonPressed(.transferOwnership)), &context)
    _ = home.handle(.page(.buttonPressed(.confirm)), &context)

    guard
      case .sheet(_, let title, let text, let form, let buttons)? =
        home.view(Localizer(context)).parts.first
    else {
      Issue.record("nothing is asked")
      return
    }
    #expect(title == "Transfer Kettle p1?")
    #expect(text == Phrase(Localizer(context).tell(.transferText)))
    #expect(form?.field.error == "Enter the new owner's email." && form?.field.id == "receiver")
    #expect(buttons.map(\.label) == ["Transfer now", "Cancel"])
    #expect(buttons.map(\.kind) == [.dangerous, .quiet])
  }

  @Test("T-16 O-03 the question stays, with its text, while the product is not in the list")
  func lostProduct() {
    let page = Self.products([Self.product("p1", .owner(AccountID("olivia")))])
    var (home, context) = Self.shown("products", page)
    _ = home.handle(.home(.itemPressed(.openRecord, item: "p1")), &context)
    _ = home.handle(.page(.buttonPressed(.transferOwnership)), &context)
    _ = home.handle(.page(.fieldEdited(.receiver, Secret("new@example.com"))), &context)
    _ = home.handle(.page(.buttonPressed(.refresh)), &context)
    let other = Self.products([Self.product("p2", .owner(AccountID("olivia")))])
    for request in context.takeQueuedRequests() {
      let answer = Answer.received(status: 200, body: other, serverSeconds: nil)
      _ = home.handle(.answered(request.id, answer), &context)
    }

    guard case .sheet(_, let title, _, let form, _)? = home.view(Localizer(context)).parts.first
    else {
      Issue.record("nothing is asked")
      return
    }
    #expect(title == "Transfer Kettle p1?" && form?.field.value == "new@example.com")
    _ = home.handle(.page(.buttonPressed(.cancel)), &context)
    #expect(!home.transfer.isOpen)
  }

  @Test("T-16 O-03 every refusal of an address has its own sentence in every language")
  func refusals() {
    for language in Language.allCases {
      let localizer = Localizer(Self.context(language))
      let texts = Set(TransferFault.allCases.map { localizer.refused($0) })
      #expect(texts.count == TransferFault.allCases.count)
    }
  }

  @Test("T-16 a service request beside the list has its number and its whole description")
  func request() throws {
    let long = String(repeating: "It hums. ", count: 40)
    var (home, context) = Self.shown("requests", Self.requests(long))
    let all = try #require(Self.split(home, context).table)
    #expect(all.columns == ["Product", "When", "Owner", "Description", "Number"])
    #expect(all.rows[0].cells[4].text == Phrase("r1"))

    _ = home.handle(.home(.itemPressed(.openRecord, item: "r1")), &context)

    let (table, opened) = Self.split(home, context)
    #expect(table?.columns == ["Product", "When", "Owner"])
    for case .details(_, let title, _, let details) in opened {
      #expect(
        title == "Kettle" && details.map(\.label) == ["Owner", "When", "Description", "Number"])
      #expect(details[2].text == Phrase(long) && details[3].text == Phrase("r1"))
    }
    #expect(Self.buttons(opened) == ["Open Olivia Berg", "Show product"])
    for case .actions("links", let buttons) in opened {
      #expect(buttons.last?.item == "products/p1")
    }
  }

  @Test(
    "T-16 a list shows 80 characters of a description",
    arguments: [(79, 79), (80, 80), (81, 81)])
  func listedDescription(_ length: Int, _ shown: Int) {
    #expect(Localizer.listedDescriptionLimit == 80)
    let text = Localizer.listed(String(repeating: "é", count: length))

    #expect(text.unicodeScalars.count == shown && text.hasSuffix("…") == (length > 80))
  }

  @Test(
    "T-16 an empty list of products or service requests says so",
    arguments: [
      ("products", "products", "No products yet"),
      ("requests", "service_requests", "No service requests yet"),
    ])
  func empty(_ tab: String, _ member: String, _ title: String) {
    let page = JSON.members([JSONMember(member, .array([]))])
    let (home, context) = Self.shown(tab, page)
    var titles: [String] = []
    for case .split(_, let list, _, _) in home.view(Localizer(context)).parts {
      for case .empty(_, _, let title, _) in list { titles.append(title) }
    }
    #expect(titles == [title])
  }
}

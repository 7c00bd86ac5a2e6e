import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow
@testable import SignInScreens

@Suite("The search for products in the console on screen")
struct ProductFilterScreenTests {
  private static let olivia = entry(role: "owner")

  private static func entry(role: String) -> AccountEntry {
    AccountEntry(
      id: AccountID("olivia"), name: "Olivia Berg", email: "owner@example.com", phone: nil,
      role: role, status: "active", organizations: [], hasPassword: true, failuresInRow: 0,
      lockedUntil: nil, lockedDevices: 0, createdAt: ScreenDriver.startTime)
  }

  /// The list of a place, after answers without products and with the account of Olivia.
  private static func list(
    at place: String, _ language: Language = .english, isAnswered: Bool = true
  ) -> [Part] {
    var context = FlowContext()
    context.setApp(.console, page: "page")
    context.setLocale(LocalePreferences(chosen: language), WallClock())
    context.setTime(at: ScreenDriver.startTime)
    var home = ConsoleHome()
    _ = home.open(&context)
    home.setAccount(ConsoleScreenTests.administrator, &context)
    _ = context.takeQueuedRequests()
    _ = home.open(place: place, &context)
    let accounts = JSON.members([JSONMember("accounts", .array([olivia.json]))])
    let products = JSON.members([JSONMember("products", .array([]))])
    for body in isAnswered ? [products, accounts] : [] {
      for request in context.takeQueuedRequests() {
        let answer = Answer.received(status: 200, body: body, serverSeconds: nil)
        _ = home.handle(.answered(request.id, answer), &context)
      }
    }
    for case .split(_, let list, _, _) in home.view(Localizer(context)).parts { return list }
    return []
  }

  private static func empty(_ parts: [Part]) -> (title: String, text: String)? {
    for case .empty(_, _, let title, let text) in parts { return (title, text) }
    return nil
  }

  private static func buttons(_ parts: [Part]) -> [String] {
    var ids: [String] = []
    for case .button(let button) in parts { ids.append(button.id) }
    return ids
  }

  @Test("T-16 the list of products has a search field with the text of the address")
  func field() throws {
    for case .fields(_, let fields) in Self.list(at: "products?query=sn") {
      #expect(fields.map(\.label) == ["Serial number or name"])
      #expect(fields.map(\.value) == ["sn"] && fields.map(\.kind) == [.search])
    }
    #expect(Self.empty(Self.list(at: "products?query=sn", isAnswered: false)) == nil)
  }

  @Test("T-16 an empty result names the search and has a button that clears it")
  func nothing() throws {
    let found = Self.list(at: "products?query=sn-1")
    let all = Self.list(at: "products")

    let words = try #require(Self.empty(found))
    #expect(words.title == "No product with “sn-1” was found")
    #expect(words.text == "A search finds the start of a serial number or of a name.")
    #expect(Self.buttons(found) == ["clear_search"])
    #expect(Self.empty(all)?.title == "No products yet" && Self.buttons(all).isEmpty)
  }

  @Test(
    "T-16 the list says whose products it has, and leads to all",
    arguments: [
      (Language.english, "Products of Olivia Berg", "All products"),
      (.hindi, "Olivia Berg के प्रोडक्ट", "सभी प्रोडक्ट"),
      (.norwegian, "Produktene til Olivia Berg", "Alle produkter"),
    ])
  func owner(_ language: Language, _ text: String, _ label: String) throws {
    let parts = Self.list(at: "products?account=olivia", language)

    guard case .toolbar("owner", let shown, let button) = parts.first else {
      Issue.record("the owner is not shown")
      return
    }
    #expect(shown == Phrase(text) && button.label == label)
    #expect(button.id == "console_tab" && button.item == "products")
    guard case .toolbar("owner", let hidden, _) = Self.list(at: "products?account=other").first
    else {
      Issue.record("the identifier is not shown")
      return
    }
    #expect(hidden == Phrase("Products of other"))
  }

  @Test("T-16 only the page of an owner of products leads to products")
  func link() {
    let localizer = Localizer(FlowContext())
    let button = localizer.linkToProducts(of: Self.olivia)
    #expect(button.item == "products?account=olivia" && button.label == "Products of Olivia Berg")
    for role in AccountRole.allCases {
      let parts = AccountCard(Self.entry(role: role.rawValue), for: nil).parts(
        localizer, KnownNames(apps: [], accounts: []), FetchedValue(.adminOrganizations))
      #expect(parts.contains(.actions(id: "links", [button])) == (role == .owner))
    }
  }
}

import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite("The search for products in the console")
struct ProductFilterTests {
  private static let both = [
    ConsoleDriver.product("p1", .owner(AccountID("olivia"))),
    ConsoleDriver.product("p2", .awaiting("new@example.com")),
  ]

  /// The list of two products.
  private static func listed(at place: String = "products", _ path: String = "/admin/products")
    -> ConsoleDriver
  {
    var driver = ConsoleDriver()
    _ = driver.home.open(place: place, &driver.context)
    driver.handle(.ticked)
    driver.answer(path, 200, ConsoleDriver.page(products: both))
    return driver
  }

  @Test("T-16 a search starts after a pause in typing, is in the address and announces its results")
  func search() {
    var driver = Self.listed()
    for text in ["s", "sn", "sn p"] {
      driver.handle(.page(.fieldEdited(.search, Secret(text))))
      driver.pass(milliseconds: 100)
    }
    #expect(driver.home.place == "products?query=sn%20p" && driver.home.searchedProducts == nil)
    #expect(!driver.asked.contains { $0.apiRequest.path.contains("query") })
    driver.pass(milliseconds: ConsoleHome.searchPauseMilliseconds)
    driver.answer("/admin/products?query=sn%20p", 200, ConsoleDriver.page(products: [Self.both[0]]))

    #expect(driver.announcements == [.console(.productsListed(1))])
    #expect(driver.home.products.entries == [Self.both[0]])
    #expect(driver.home.searchedProducts == "sn p" && driver.home.search.isEmpty)
  }

  @Test("T-16 more products are read with the same search, and a failed search is repeated")
  func pages() {
    var driver = ConsoleDriver()
    _ = driver.home.open(place: "products?query=sn", &driver.context)
    driver.handle(.ticked)
    driver.refuse("/admin/products?query=sn", .temporarilyUnavailable)
    driver.pass(milliseconds: 6000)
    let page = ConsoleDriver.page(products: [Self.both[1]], cursor: "next")
    driver.answer("/admin/products?query=sn", 200, page)
    driver.press(.readMore)

    #expect(driver.asked.last?.apiRequest.path == "/admin/products?query=sn&cursor=next")
  }

  @Test("T-16 an address has the search beside a product, and Back returns to the list")
  func address() {
    let place = "products/p2?query=sn&account=olivia"
    var driver = Self.listed(at: place, "/admin/products?query=sn&account=olivia")

    #expect(driver.home.openedProduct == Self.both[1] && driver.home.place == place)
    _ = driver.home.open(place: "products?query=sn&account=olivia", &driver.context)
    #expect(driver.home.openedProduct == nil)
    #expect(!driver.asked.contains { $0.apiRequest.path.contains("/admin/products") })
    _ = driver.home.open(place: "products", &driver.context)
    driver.handle(.ticked)
    #expect(driver.home.productFilter == ProductFilter())
    #expect(driver.asked.last?.apiRequest.path == "/admin/products")
  }

  @Test(
    "T-16 a search that leaves the opened product out closes it, and one that finds it does not")
  func opened() {
    for (found, isOpen) in [([Self.both[0]], true), ([Self.both[1]], false)] {
      var driver = Self.listed()
      driver.press(.openRecord, "p1")
      driver.handle(.page(.fieldEdited(.search, Secret("sn"))))
      #expect(driver.home.place == "products/p1?query=sn")
      driver.pass(milliseconds: ConsoleHome.searchPauseMilliseconds)
      driver.answer("/admin/products?query=sn", 200, ConsoleDriver.page(products: found))
      #expect(driver.home.isRecordOpen == isOpen)
    }
  }

  @Test("T-16 the button beside an empty result clears the search and not the owner")
  func clear() {
    let path = "/admin/products?query=sn&account=olivia"
    var driver = ConsoleDriver()
    _ = driver.home.open(place: "products?query=sn&account=olivia", &driver.context)
    driver.handle(.ticked)
    driver.answer(path, 200, ConsoleDriver.page(products: []))
    #expect(driver.asked.last?.apiRequest.path == "/admin/accounts?ids=olivia")
    driver.press(.clearSearch)

    #expect(driver.home.place == "products?account=olivia")
    #expect(driver.asked.last?.apiRequest.path == "/admin/products?account=olivia")
    driver.press(.clearSearch)
    #expect(driver.asked.filter { $0.apiRequest.path.contains("/admin/products") }.count == 1)
  }

  @Test("T-16 the page of an account leads to the products of the account")
  func account() {
    var driver = Self.listed()
    driver.answer(
      "/admin/accounts?ids=olivia", 200,
      ConsoleDriver.page([ConsoleDriver.entry("olivia", role: "owner")]))
    driver.press(.openAccount, "olivia")
    driver.press(.consoleTab, ConsoleHome.place(ofProductsOf: AccountID("olivia")))

    #expect(driver.home.tab == .products && driver.home.account == nil)
    #expect(driver.home.place == "products?account=olivia")
    #expect(driver.asked.contains { $0.apiRequest.path == "/admin/products?account=olivia" })
    driver.press(.consoleTab, "products")
    #expect(driver.home.place == "products")
  }

  @Test("T-16 after a search that failed, more is read from its first page")
  func failedSearch() {
    var driver = ConsoleDriver()
    driver.press(.consoleTab, "products")
    let page = ConsoleDriver.page(products: Self.both, cursor: "next")
    driver.answer("/admin/products", 200, page)
    driver.handle(.page(.fieldEdited(.search, "abd")))
    driver.pass(milliseconds: ConsoleHome.searchPauseMilliseconds)
    driver.refuse("/admin/products?query=abd", .temporarilyUnavailable)
    #expect(driver.home.searchedProducts == nil)
    driver.press(.readMore)

    #expect(driver.asked.last?.apiRequest.path == "/admin/products?query=abd")
    driver.answer("/admin/products?query=abd", 200, ConsoleDriver.page(products: [Self.both[0]]))
    #expect(driver.home.products.entries == [Self.both[0]])
  }

  @Test("T-16 products of all people are not shown as those of an account")
  func otherAccount() {
    var driver = Self.listed()
    _ = driver.home.open(place: "products?account=nina", &driver.context)
    #expect(driver.home.products.entries == nil)
  }

  @Test("T-16 O-03 a transferred product leaves the list of its former owner, with the result")
  func transferred() {
    var driver = Self.listed(at: "products?account=olivia", "/admin/products?account=olivia")
    driver.press(.openRecord, "p1")
    driver.press(.transferOwnership)
    driver.handle(.page(.fieldEdited(.receiver, "new@example.com")))
    driver.press(.confirm)
    driver.answer(
      "/admin/products/~p1/transfer", 200,
      .members([
        JSONMember("product_id", "p1"), JSONMember("to", "new@example.com"),
        JSONMember("transferred_at", 1_700_000_000),
      ]))
    let record = JSON.members([JSONMember("id", "p1"), JSONMember("account", "nina")])
    driver.answer("/admin/products/~p1", 200, record)

    #expect(driver.home.products.entries?.contains { $0.id.text == "p1" } == false)
    #expect(driver.home.place == "products?account=olivia")
    #expect(driver.home.transfer.notice == .productTransferred)
  }
}

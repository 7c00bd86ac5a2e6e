import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

extension ConsoleDriver {
  static func product(_ id: String, _ holder: HeldProductEntry.Holder) -> HeldProductEntry {
    HeldProductEntry(
      entry: ProductEntry(
        id: ProductID(id), name: "Kettle " + id, model: "K-1", serialNumber: "SN" + id,
        category: "Kitchen", warrantyProvider: nil, purchasedOn: nil, warrantyExpiresOn: nil),
      holder: holder, createdAt: FlowDriver.startTime)
  }

  static func page(products: [HeldProductEntry], cursor: String? = nil) -> JSON {
    let today = CalendarDay(FlowDriver.startTime)
    return .members([
      JSONMember("products", .array(products.map { $0.json(on: today) })),
      JSONMember("cursor", ifPresent: cursor),
    ])
  }

  static func request(_ id: String, product: String = "p1") -> ServiceRequestEntry {
    ServiceRequestEntry(
      id: id, product: ProductID(product), productName: "Kettle", account: AccountID("olivia"),
      description: "It hums.", createdAt: FlowDriver.startTime)
  }

  static func page(requests: [ServiceRequestEntry], cursor: String? = nil) -> JSON {
    .members([
      JSONMember("service_requests", .array(requests.map { $0.json })),
      JSONMember("cursor", ifPresent: cursor),
    ])
  }

  /// Product `p1` beside the list, and the account of its owner `olivia`.
  static func openedProduct(
    _ holder: HeldProductEntry.Holder = .owner(AccountID("olivia")),
    for permissions: [PermissionEntry]? = everything
  ) -> ConsoleDriver {
    var driver = ConsoleDriver(permissions)
    driver.press(.consoleTab, "products")
    driver.answer("/admin/products", 200, page(products: [product("p1", holder)]))
    let owner = entry("olivia", role: "owner", organizations: ["north"])
    driver.answer("/admin/accounts?ids=olivia", 200, page([owner]))
    driver.press(.openRecord, "p1")
    return driver
  }

  /// The question about the transfer of `p1`, with a typed address.
  static func transferring(to address: String) -> ConsoleDriver {
    var driver = openedProduct()
    driver.press(.transferOwnership)
    driver.handle(.page(.fieldEdited(.receiver, Secret(address))))
    return driver
  }
}

@Suite("Products and service requests in the console")
struct ConsoleProductTests {
  private static let transferPath = "/admin/products/~p1/transfer"

  private static let sent = JSON.members([
    JSONMember("product_id", "p1"), JSONMember("to", "new@example.com"),
    JSONMember("transferred_at", 1_700_000_000),
  ])

  @Test("T-16 products are read page by page, with the accounts of their owners")
  func productPages() {
    var driver = ConsoleDriver()
    driver.press(.consoleTab, "products")
    let first = [
      ConsoleDriver.product("p1", .owner(AccountID("olivia"))),
      ConsoleDriver.product("p2", .awaiting("new@example.com")),
    ]
    driver.answer("/admin/products", 200, ConsoleDriver.page(products: first, cursor: "next"))
    #expect(driver.asked.last?.apiRequest.path == "/admin/accounts?ids=olivia")
    driver.press(.readMore)
    #expect(driver.asked.last?.apiRequest.path == "/admin/products?cursor=next")
    let second = [ConsoleDriver.product("p3", .owner(AccountID("tara")))]
    driver.answer("/admin/products?cursor", 200, ConsoleDriver.page(products: second))
    // Each account is asked for once, also while the first request runs.
    #expect(driver.asked.last?.apiRequest.path == "/admin/accounts?ids=tara")
    let both = [ConsoleDriver.entry("olivia"), ConsoleDriver.entry("tara")]
    driver.answer("/admin/accounts?ids=olivia", 200, ConsoleDriver.page([both[0]]))
    driver.answer("/admin/accounts?ids=tara", 200, ConsoleDriver.page([both[1]]))

    #expect(driver.home.products.entries == first + second && !driver.home.products.hasMore)
    #expect(driver.home.named.map { $0.id.text } == ["olivia", "tara"])
  }

  @Test("T-16 a list of products or service requests that cannot be read is read again")
  func failures() {
    for (tab, path) in [("products", "/admin/products"), ("requests", "/admin/service-requests")] {
      var driver = ConsoleDriver()
      driver.press(.consoleTab, tab)
      driver.refuse(path, .temporarilyUnavailable)
      #expect(!driver.asked.contains { $0.apiRequest.path == path })
      driver.pass(milliseconds: 6000)
      #expect(driver.asked.filter { $0.apiRequest.path == path }.count == 1)
      driver.refuse(path, .temporarilyUnavailable)
      driver.handle(.device(.networkReturned))
      #expect(driver.asked.filter { $0.apiRequest.path == path }.count == 1)
    }
  }

  @Test("T-16 a product of an address is searched on the next pages, and Back closes it")
  func productAddress() {
    var driver = ConsoleDriver()
    _ = driver.home.open(place: "products/p2", &driver.context)
    driver.handle(.ticked)
    let first = [ConsoleDriver.product("p1", .awaiting("a@example.com"))]
    driver.answer("/admin/products", 200, ConsoleDriver.page(products: first, cursor: "next"))
    #expect(driver.home.isRecordOpen && driver.home.openedProduct == nil)
    let second = [ConsoleDriver.product("p2", .awaiting("a@example.com"))]
    driver.answer("/admin/products?cursor=next", 200, ConsoleDriver.page(products: second))
    #expect(driver.home.openedProduct?.id.text == "p2" && driver.home.place == "products/p2")

    driver.press(.back)
    #expect(!driver.home.isRecordOpen && driver.home.place == "products")
  }

  @Test("T-16 a service request leads to its product and to the account of its owner, and back")
  func requestLinks() {
    var driver = ConsoleDriver()
    driver.press(.consoleTab, "requests")
    let request = ConsoleDriver.request("r1")
    driver.answer("/admin/service-requests", 200, ConsoleDriver.page(requests: [request]))
    driver.answer(
      "/admin/accounts?ids=olivia", 200, ConsoleDriver.page([ConsoleDriver.entry("olivia")]))
    driver.press(.openRecord, "r1")
    #expect(driver.home.openedRequest == request && driver.home.place == "requests/r1")

    driver.press(.openAccount, "olivia")
    #expect(driver.home.account?.entry.id.text == "olivia")
    driver.press(.back)
    #expect(driver.home.place == "requests/r1")

    driver.press(.consoleTab, ConsoleHome.place(of: request.product))
    #expect(driver.home.place == "products/p1")
    _ = driver.home.open(place: "requests/r1", &driver.context)
    #expect(driver.home.tab == .requests && driver.home.openedRequest == request)
  }

  // MARK: Transfer

  @Test(
    "T-16 O-03 a transfer is offered with a permission for the product only",
    arguments: [
      (ConsoleDriver.everything, true, true), (ConsoleDriver.local("administrator"), true, false),
      (ConsoleDriver.local("administrator", "south"), false, false),
      (ConsoleDriver.local("support"), false, false),
      ([PermissionEntry(level: "support", organization: nil)], false, false),
      ([PermissionEntry(level: "viewer", organization: nil)], false, false),
    ])
  func offered(_ permissions: [PermissionEntry], _ ofOwner: Bool, _ ofAddress: Bool) {
    for (holder, isOffered) in [
      (HeldProductEntry.Holder.owner(AccountID("olivia")), ofOwner),
      (.awaiting("new@example.com"), ofAddress),
    ] {
      var driver = ConsoleDriver.openedProduct(holder, for: permissions)
      #expect(driver.home.mayTransfer == isOffered)
      driver.press(.transferOwnership)
      #expect(driver.home.transfer.isOpen == isOffered)
    }
    #expect(!ConsoleDriver.openedProduct(for: nil).home.mayTransfer)
  }

  @Test("T-16 O-03 a confirmed transfer is sent once with a key, and the new owner is read")
  func transferred() throws {
    var driver = ConsoleDriver.transferring(to: "new@example.com")
    driver.press(.confirm)
    #expect(driver.announcements == [.transferring])
    driver.press(.confirm)
    driver.press(.cancel)
    driver.press(.back)
    driver.press(.consoleTab, "events")
    let posts = driver.asked.filter { $0.apiRequest.path == Self.transferPath }
    let body = try #require(posts.first?.apiRequest.body)
    #expect(posts.count == 1 && posts.first?.apiRequest.idempotencyKey != nil)
    #expect(body == .json(TransferBody { $0.to = "new@example.com" }.json))

    driver.answer(Self.transferPath, 200, Self.sent)

    #expect(driver.home.transfer.notice == .productTransferred && !driver.home.transfer.isOpen)
    #expect(driver.announcements == [.console(.notice(.productTransferred))])
    let record = JSON.members([JSONMember("id", "p1"), JSONMember("account", "nina")])
    driver.answer("/admin/products/~p1", 200, record)
    #expect(driver.home.openedProduct?.holder == .owner(AccountID("nina")))
    #expect(driver.asked.last?.apiRequest.path == "/admin/accounts?ids=nina")
    driver.press(.back)
    #expect(driver.home.transfer.notice == nil)
  }

  @Test("T-16 O-03 if the new owner cannot be read, the list is read again")
  func unreadOwner() {
    var driver = ConsoleDriver.transferring(to: "new@example.com")
    driver.press(.confirm)
    driver.answer(Self.transferPath, 200, Self.sent)
    driver.refuse("/admin/products/~p1", .temporarilyUnavailable)

    #expect(driver.asked.last?.apiRequest.path == "/admin/products")
  }

  @Test("T-16 O-03 a product that is no longer visible leaves the list, and the result stays")
  func goneFromSight() {
    var driver = ConsoleDriver.transferring(to: "new@example.com")
    driver.press(.confirm)
    driver.answer(Self.transferPath, 200, Self.sent)
    driver.refuse("/admin/products/~p1", .productNotFound)

    #expect(driver.home.products.entries == [] && driver.home.place == "products")
    #expect(driver.home.transfer.notice == .productTransferred)
    #expect(driver.context.focus?.part == .heading)
    driver.handle(.page(.bannerDismissed))
    #expect(driver.home.transfer.notice == nil)
  }

  @Test("T-16 O-03 a late answer changes the owner of its own product only")
  func lateOwner() {
    var driver = ConsoleDriver()
    driver.press(.consoleTab, "products")
    let olivia = HeldProductEntry.Holder.owner(AccountID("olivia"))
    let products = [ConsoleDriver.product("p1", olivia), ConsoleDriver.product("p2", olivia)]
    driver.answer("/admin/products", 200, ConsoleDriver.page(products: products))
    driver.press(.openRecord, "p1")
    driver.press(.transferOwnership)
    driver.handle(.page(.fieldEdited(.receiver, Secret("new@example.com"))))
    driver.press(.confirm)
    driver.answer(Self.transferPath, 200, Self.sent)
    driver.press(.openRecord, "p2")
    driver.press(.transferOwnership)

    let record = JSON.members([JSONMember("id", "p1"), JSONMember("account", "nina")])
    driver.answer("/admin/products/~p1", 200, record)

    let nina = HeldProductEntry.Holder.owner(AccountID("nina"))
    #expect(driver.home.products.entries?.map(\.holder) == [nina, olivia])
    #expect(driver.home.transfer.isOpen && driver.home.transfer.product?.text == "p2")
  }

  @Test("T-16 O-03 a list that was requested before a transfer is requested again after it")
  func olderList() {
    var driver = ConsoleDriver.transferring(to: "new@example.com")
    driver.press(.refresh)
    driver.press(.confirm)
    driver.answer(Self.transferPath, 200, Self.sent)

    let lists = driver.asked.filter { $0.apiRequest.path == "/admin/products" }
    #expect(lists.count == 2)
    #expect(driver.home.products.isFor(lists[1].id) && !driver.home.products.isFor(lists[0].id))
  }

  @Test("T-16 a product that is not among the newest entries is not called unknown")
  func notReached() {
    var driver = ConsoleDriver()
    _ = driver.home.open(place: "products/old", &driver.context)
    driver.handle(.ticked)
    let page = ConsoleDriver.page(
      products: [ConsoleDriver.product("p1", .awaiting("a@example.com"))], cursor: "next")
    for number in 1...ConsoleHome.searchedPageLimit {
      #expect(!driver.home.isRecordNotReached)
      driver.answer(number == 1 ? "/admin/products" : "/admin/products?cursor=next", 200, page)
    }
    #expect(driver.home.isRecordNotReached && driver.home.products.loading == nil)
  }

  @Test(
    "T-16 O-03 an address that is no e-mail address is refused, and nothing is sent",
    arguments: [
      ("", TransferFault.addressNeeded), ("  ", .addressNeeded), ("new", .addressMalformed),
      ("new@", .addressMalformed),
    ])
  func malformed(_ address: String, _ fault: TransferFault) {
    var driver = ConsoleDriver.transferring(to: address)
    driver.press(.confirm)

    #expect(driver.home.transfer.fault == fault && driver.home.transfer.isOpen)
    #expect(driver.announcements == [.console(.transferRefused(fault))])
    #expect(!driver.asked.contains { $0.apiRequest.path == Self.transferPath })
    driver.handle(.page(.fieldEdited(.receiver, "new@example.com")))
    #expect(driver.home.transfer.fault == nil)
  }

  @Test(
    "T-16 O-03 a refused address is reported at its field; another address gets another key",
    arguments: [
      (ErrorCode.alreadyOwner, TransferFault.alreadyOwner), (.accountNotFound, .accountUnknown),
    ])
  func refused(_ code: ErrorCode, _ fault: TransferFault) {
    var driver = ConsoleDriver.transferring(to: "olivia@example.com")
    driver.press(.confirm)
    let key = driver.asked.last?.apiRequest.idempotencyKey
    driver.refuse(Self.transferPath, code)
    #expect(driver.home.transfer.fault == fault && driver.home.transfer.notice == nil)
    #expect(driver.home.transfer.receiver == "olivia@example.com")

    driver.handle(.page(.fieldEdited(.receiver, "new@example.com")))
    driver.press(.confirm)
    #expect(driver.asked.last?.apiRequest.path == Self.transferPath)
    #expect(driver.asked.last?.apiRequest.idempotencyKey != key)
  }

  @Test("T-16 O-03 a transfer without an answer is sent again with the same key")
  func repeated() {
    var driver = ConsoleDriver.transferring(to: "new@example.com")
    driver.press(.confirm)
    let key = driver.asked.last?.apiRequest.idempotencyKey
    driver.refuse(Self.transferPath, .temporarilyUnavailable)
    #expect(driver.home.transfer.notice == .failed(.serviceBusy) && !driver.home.transfer.isOpen)

    driver.press(.transferOwnership)
    #expect(driver.home.transfer.receiver == "new@example.com")
    driver.press(.confirm)
    #expect(driver.asked.last?.apiRequest.idempotencyKey == key && key != nil)
  }

  @Test("T-16 O-03 Cancel closes the question and forgets the address")
  func cancelled() {
    var driver = ConsoleDriver.transferring(to: "new@example.com")
    driver.press(.cancel)
    #expect(!driver.home.transfer.isOpen && driver.home.openedProduct != nil)

    driver.press(.transferOwnership)
    #expect(driver.home.transfer.receiver.isEmpty)
    #expect(!driver.asked.contains { $0.apiRequest.path == Self.transferPath })
  }

  @Test(
    "T-16 O-03 a refused transfer is reported on the page of the product",
    arguments: [
      (ErrorCode.productNotFound, ConsoleNotice.productGone), (.permissionDenied, .notPermitted),
    ])
  func failed(_ code: ErrorCode, _ notice: ConsoleNotice) {
    var driver = ConsoleDriver.transferring(to: "new@example.com")
    driver.press(.confirm)
    driver.refuse(Self.transferPath, code)

    #expect(driver.home.transfer.notice == notice && !driver.home.transfer.isOpen)
    driver.handle(.page(.bannerDismissed))
    #expect(driver.home.transfer.notice == nil)
  }
}

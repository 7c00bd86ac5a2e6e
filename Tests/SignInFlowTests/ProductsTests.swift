import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite struct ProductsTests {
  private static let three = [
    SyncedListTests.product("1", "Oven"), SyncedListTests.product("2", "Kettle"),
    SyncedListTests.product("3", "Lamp"),
  ]

  /// A product owner with three products, synced and stored.
  private func synced() -> Owner {
    var owner = Owner()
    owner.open()
    owner.sync(Self.three)
    return owner
  }

  private func offline() -> Owner {
    var owner = synced()
    owner.handle(.device(.shown))
    owner.loseServer()
    return owner
  }

  @Test("O-08 products are synced at sign-in, stored, and shown again without a network")
  func kept() {
    var owner = synced()
    #expect(owner.kept.list.count == 3 && owner.kept.asOf == FlowDriver.startTime)

    owner.driver.time = owner.driver.time.adding(seconds: 500)
    owner.open()

    #expect(owner.kept.list.count == 3)
    #expect(owner.call(to: Endpoint.products.path)?.path == "/api/products?cursor=c1")
    owner.loseServer()
    #expect(owner.home.reachability.isOffline && owner.kept.list.count == 3)
    #expect(owner.announcements == [.offlineMode])
  }

  @Test("O-04 without a copy and without a network there is nothing to show, and no crash")
  func firstUse() {
    var owner = Owner()
    owner.open()
    owner.loseServer()

    #expect(owner.home.reachability.isOffline && owner.kept.asOf == nil)
    owner.handle(.page(.buttonPressed(.refresh)))
    owner.handle(.home(.itemPressed(.openProduct, item: "1")))
    #expect(owner.home.view == .list)
  }

  @Test("O-05 the server is tried with growing pauses, and its answer starts a sync")
  func comesBack() {
    var owner = offline()
    var asked: [Int64] = []
    for second in 1...200 {
      owner.pass(seconds: 1)
      if owner.call(to: Endpoint.alive.path) != nil {
        asked.append(Int64(second))
        owner.answer(Endpoint.alive.path, .unreachable)
      }
    }
    let pauses = zip(asked.dropFirst(), asked).map { $0 - $1 }

    #expect(asked.first.map { $0 <= 2 } == true)
    #expect(zip(pauses.dropFirst(), pauses).allSatisfy { $0 >= $1 - 1 })
    #expect(pauses.allSatisfy { $0 <= ServerReachability.lastSeconds })
    owner.pass(seconds: 60)
    #expect(owner.call(to: Endpoint.products.path) == nil)
    owner.answer(
      Endpoint.alive.path, .received(status: 200, body: .string("alive\n"), serverSeconds: nil))
    #expect(!owner.home.reachability.isOffline && owner.announcements == [.onlineAgain])
    owner.sync(removed: ["2"], cursor: "c2")
    #expect(owner.kept.list.count == 2)
  }

  @Test(
    "L-25 the sign-in page of a Wi-Fi network does not count as the server",
    arguments: [JSON.null, .string("<html>"), .string("alive")])
  func captivePortal(_ body: JSON) {
    var owner = offline()
    owner.pass(seconds: 2)

    owner.answer(Endpoint.alive.path, .received(status: 200, body: body, serverSeconds: nil))
    #expect(owner.home.reachability.isOffline)

    owner.handle(.device(.shown))
    owner.answer(Endpoint.products.path, .received(status: 200, body: .null, serverSeconds: nil))
    #expect(owner.home.reachability.isOffline && owner.kept.list.count == 3)
  }

  @Test("O-08 an interrupted sync continues, and incomplete data is neither shown nor stored")
  func cutOff() {
    var owner = synced()
    let stored = owner.stored
    owner.handle(.device(.shown))
    owner.sync([SyncedListTests.product("4", "New")], cursor: "p1", isComplete: false)
    #expect(owner.kept.list.count == 3)
    #expect(owner.call(to: Endpoint.products.path)?.path == "/api/products?cursor=p1")
    owner.loseServer()
    #expect(owner.kept.list.count == 3)
    #expect(owner.stored.filter { stored[$0.key] != nil } == stored)

    owner.handle(.device(.shown))
    #expect(owner.call(to: Endpoint.products.path)?.path == "/api/products?cursor=p1")
    owner.sync(removed: ["1"], cursor: "p2")

    #expect(owner.kept.list.count == 3 && owner.kept.list.item("1") == nil)
    #expect(owner.kept.list.item("4") != nil && owner.stored != stored)
  }

  @Test("L-33 an unknown cursor means a complete fetch, and the copy stays until it is complete")
  func startOver() {
    var owner = synced()
    owner.handle(.device(.shown))

    owner.answer(
      Endpoint.products.path,
      .received(
        status: 410, body: .members([JSONMember("code", "unknown_cursor")]), serverSeconds: nil))
    #expect(owner.call(to: Endpoint.products.path)?.path == Endpoint.products.path)
    owner.sync([SyncedListTests.product("7", "Only")], cursor: "n1", isComplete: false)
    #expect(owner.kept.list.count == 3)
    owner.sync([SyncedListTests.product("8", "Other")], cursor: "n2")

    #expect(owner.kept.list.count == 2 && owner.kept.list.item("1") == nil)
    owner.open()
    #expect(owner.kept.list.count == 2)
  }

  @Test("O-08 an invalid answer changes nothing")
  func halfAnswers() {
    let wrong: [JSON] = [
      .members([]), .members([JSONMember("products", .array([.null]))]),
      .members([
        JSONMember("products", .array([])), JSONMember("removed", .array([])),
        JSONMember("cursor", "c"), JSONMember("complete", true), JSONMember("synced_at", 1),
        JSONMember("lease", "x.y.z"),
      ]),
    ]
    for body in wrong {
      var owner = synced()
      let stored = owner.stored
      owner.handle(.device(.shown))
      owner.answer(Endpoint.products.path, .received(status: 200, body: body, serverSeconds: nil))

      #expect(owner.kept.list.count == 3 && owner.stored == stored)
      #expect(owner.kept.problem == .serverFault && !owner.home.reachability.isOffline)
    }
    var owner = synced()
    owner.handle(.device(.shown))
    owner.sync([SyncedListTests.product("9", "Foreign")], account: "other-account")
    #expect(owner.kept.list.item("9") == nil)
  }

  @Test("O-08 a failed sync is silent; a failed refresh is reported beside its button")
  func silentFailure() {
    let fault = Answer.received(
      status: 500, body: .members([JSONMember("code", "server_error")]), serverSeconds: nil)
    var owner = synced()
    owner.handle(.device(.shown))
    owner.answer(Endpoint.products.path, fault)
    #expect(owner.kept.list.count == 3 && !owner.home.isRefreshFailed)
    #expect(owner.announcements.isEmpty && !owner.home.reachability.isOffline)

    owner.handle(.page(.buttonPressed(.refresh)))
    owner.answer(Endpoint.products.path, fault)
    #expect(owner.home.isRefreshFailed && owner.announcements == [.refreshFailed])

    owner.handle(.device(.shown))
    owner.sync(cursor: "c2")
    #expect(!owner.home.isRefreshFailed)
  }

  @Test("O-04 O-08 before the first sync there is no copy, so no refresh of it can fail")
  func failedBeforeFirstSync() {
    let fault = Answer.received(
      status: 500, body: .members([JSONMember("code", "server_error")]), serverSeconds: nil)
    var owner = Owner()
    owner.open()
    owner.answer(Endpoint.products.path, fault)
    owner.handle(.page(.buttonPressed(.refresh)))
    owner.answer(Endpoint.products.path, fault)
    #expect(!owner.home.isRefreshFailed && owner.announcements.isEmpty)

    owner.handle(.page(.buttonPressed(.refresh)))
    owner.sync([SyncedListTests.product("1", "Kettle")])
    owner.handle(.device(.shown))
    owner.answer(Endpoint.products.path, fault)
    #expect(!owner.home.isRefreshFailed && owner.announcements.isEmpty)
  }

  // MARK: Stored copies

  @Test("O-06 a copy that does not open completely is removed and fetched again")
  func damaged() {
    for (key, change) in [
      ("head", { (_: [UInt8]) in [UInt8]("{}".utf8) }), ("head", { Array($0.dropLast()) }),
      ("part", { $0 + [0x78] }), ("part", { _ in [] as [UInt8] }),
    ] as [(String, ([UInt8]) -> [UInt8])] {
      var owner = synced()
      for name in owner.stored.keys where (name == "head") == (key == "head") {
        owner.stored[name] = change(owner.stored[name] ?? [])
      }
      let isEmptied = key == "part" && change([1]).isEmpty

      owner.open()

      #expect(owner.kept.list.count == 0)
      #expect(isEmptied || owner.stored.isEmpty)
    }
    var owner = synced()
    owner.open(.damaged)
    #expect(owner.kept.list.count == 0 && owner.stored.isEmpty)
    #expect(owner.call(to: Endpoint.products.path)?.path == Endpoint.products.path)
  }

  @Test("O-06 a copy with a missing part is no copy")
  func missingPart() {
    var owner = synced()
    owner.stored = owner.stored.filter { $0.key == "head" }

    owner.open()

    #expect(owner.kept.asOf == nil && owner.stored.isEmpty)
  }

  @Test("L-33 the copy of one account does not open for another account")
  func foreign() {
    var owner = synced()
    let pieces = owner.stored.map { SealedRecord(key: $0.key, bytes: $0.value) }
    owner.driver.flow = AppFlow<ProductsHome>()
    owner.handle(.started(utcOffsetSeconds: 0, app: .product, page: "p"))
    owner.handle(.storage(.read(.value(Owner.record(account: "other-account")))))
    let bindings = owner.effects.compactMap {
      if case .offlineCopy(.read(let place)) = $0 { place.binding } else { nil }
    }

    owner.handle(.home(.offlineCopy(.read(.value(pieces)))))

    #expect(bindings == ["other-account|product-app||products"])
    #expect(owner.kept.list.count == 0 && owner.kept.asOf == nil)
  }

  @Test("O-06 the copy is sealed when its lease expires, to the second", arguments: [-1, 0, 1])
  func lease(_ offset: Int64) {
    var owner = synced()
    owner.driver.time = owner.driver.time.adding(seconds: 1000 + offset)
    owner.open()

    #expect(owner.home.isSealed(at: owner.driver.time) == (offset >= 0))
    owner.sync(cursor: "c2")
    #expect(!owner.home.isSealed(at: owner.driver.time) && owner.kept.list.count == 3)
  }

  @Test("L-31 setting the clock back does not extend a lease")
  func clockSetBack() {
    var owner = synced()
    owner.driver.time = owner.driver.time.adding(seconds: 1001)
    owner.open()
    owner.loseServer()

    owner.driver.time = FlowDriver.startTime.adding(seconds: 10)
    owner.open()

    #expect(owner.home.isSealed(at: owner.driver.time))
  }

  @Test("L-33 data of an ended session is deleted")
  func sessionEnded() {
    var owner = synced()
    #expect(!owner.stored.isEmpty)

    owner.handle(.page(.buttonPressed(.signOut)))

    #expect(owner.stored.isEmpty)
  }

  @Test("O-09 a full device is reported once, and the products stay visible")
  func full() {
    var owner = Owner()
    owner.isStorageFull = true
    owner.open()

    owner.sync(Self.three)

    #expect(owner.kept.isMemoryOnly && owner.kept.list.count == 3)
    owner.isStorageFull = false
    owner.handle(.device(.shown))
    owner.sync(cursor: "c2")
    owner.handle(.home(.offlineCopy(.written(.done))))
    #expect(!owner.kept.isMemoryOnly)
  }

  @Test("L-22 after another tab wrote, everything is fetched before it is stored again")
  func conflict() {
    var owner = synced()

    owner.handle(.home(.offlineCopy(.written(.conflict))))

    #expect(owner.call(to: Endpoint.products.path)?.path == Endpoint.products.path)
    #expect(owner.kept.list.count == 3)
    owner.sync([SyncedListTests.product("5", "Fresh")], cursor: "f")
    #expect(owner.kept.list.count == 1)
  }

  @Test("O-05 ten changes among ten thousand products write only a few lines")
  func smallWrites() {
    var owner = Owner()
    owner.open()
    for page in 0..<20 {
      let products = (0..<500).map {
        SyncedListTests.product("\(page * 500 + $0)", "Name \(page * 500 + $0)")
      }
      owner.sync(products, cursor: "p\(page)", isComplete: page == 19)
    }
    owner.handle(.device(.shown))

    owner.sync((0..<10).map { SyncedListTests.product("\($0 * 7)", "New \($0)") }, cursor: "d")

    let written = owner.effects.compactMap {
      if case .offlineCopy(.write(_, let pieces, let kept)) = $0 { (pieces, kept) } else { nil }
    }
    #expect(owner.kept.list.count == 10_000)
    #expect(written.count == 1 && written[0].1.count == 20)
    #expect(written[0].0.reduce(0) { $0 + $1.bytes.count } < 10_000)
  }

  // MARK: Changes

  @Test("O-03 actions explain themselves while offline and open nothing")
  func explained() {
    var owner = offline()
    owner.handle(.home(.itemPressed(.openProduct, item: "1")))

    for button in [ButtonName.raiseRequest, .transferOwnership] {
      owner.handle(.page(.buttonPressed(button)))
      #expect(owner.home.view == .card("1") && owner.home.explained == button)
      #expect(owner.announcements == [.needsConnection])
    }
  }

  @Test("O-07 the engine refuses every change while offline")
  func readOnly() {
    var owner = synced()
    owner.handle(.home(.itemPressed(.openProduct, item: "1")))
    owner.handle(.page(.buttonPressed(.raiseRequest)))
    owner.handle(.page(.fieldEdited(.description, "It hums.")))
    owner.handle(.device(.shown))
    owner.loseServer()

    owner.handle(.page(.buttonPressed(.sendRequest)))

    #expect(owner.call(to: Endpoint.serviceRequests.path) == nil)
    #expect(owner.announcements == [.needsConnection])
    owner.handle(.page(.buttonPressed(.back)))
    owner.handle(.page(.buttonPressed(.confirmTransfer)))
    owner.handle(.page(.buttonPressed(.continueTransfer)))
    #expect(owner.home.view == .card("1") && owner.call(to: "/api/products/") == nil)
  }

  @Test("O-03 a service request is sent once, under one key until it changes")
  func request() throws {
    var owner = synced()
    owner.handle(.home(.itemPressed(.openProduct, item: "1")))
    owner.handle(.page(.buttonPressed(.raiseRequest)))
    owner.handle(.page(.buttonPressed(.sendRequest)))
    #expect(owner.announcements == [.productFormRefused(.noDescription)])
    owner.handle(.page(.fieldEdited(.description, "It hums.")))
    owner.handle(.page(.buttonPressed(.sendRequest)))
    let first = try #require(owner.call(to: Endpoint.serviceRequests.path))
    owner.handle(.page(.buttonPressed(.sendRequest)))
    #expect(owner.calls.filter { $0.call.path == Endpoint.serviceRequests.path }.count == 1)
    owner.answer(
      Endpoint.serviceRequests.path,
      .received(status: 503, body: .members([JSONMember("code", "x")]), serverSeconds: nil))
    owner.handle(.page(.buttonPressed(.sendRequest)))
    let second = try #require(owner.call(to: Endpoint.serviceRequests.path))
    owner.answer(
      Endpoint.serviceRequests.path, .received(status: 201, body: .members([]), serverSeconds: nil))

    #expect(first.idempotencyKey == second.idempotencyKey && first.idempotencyKey != nil)
    #expect(owner.home.view == .card("1") && owner.home.notice == .requestSent)
  }

  @Test(
    "O-03 a transfer asks for an address, then for a confirmation, then the product leaves the list"
  )
  func transfer() throws {
    var owner = synced()
    owner.handle(.home(.itemPressed(.openProduct, item: "1")))
    owner.handle(.page(.buttonPressed(.transferOwnership)))
    owner.handle(.page(.buttonPressed(.continueTransfer)))
    #expect(owner.announcements == [.productFormRefused(.noAddress)])
    owner.handle(.page(.fieldEdited(.receiver, "no-address")))
    owner.handle(.page(.buttonPressed(.continueTransfer)))
    #expect(owner.announcements == [.productFormRefused(.addressMalformed)])
    owner.handle(.page(.fieldEdited(.receiver, "new-owner@example.com")))
    owner.handle(.page(.buttonPressed(.continueTransfer)))
    guard case .confirmation = owner.home.view else {
      Issue.record("no confirmation is asked for")
      return
    }

    owner.handle(.page(.buttonPressed(.confirmTransfer)))
    let call = try #require(owner.call(to: "/api/products/1/transfer"))
    owner.answer(
      "/api/products/1/transfer", .received(status: 200, body: .members([]), serverSeconds: nil))
    owner.sync(removed: ["1"], cursor: "c2")

    #expect(call.body == .json(.members([JSONMember("to", "new-owner@example.com")])))
    #expect(owner.home.view == .list && owner.home.notice == .productTransferred)
    #expect(owner.kept.list.count == 2)
  }

  @Test("O-02 the status filters the list beside the search, and the next day changes the result")
  func statusFilter() {
    var owner = Owner()
    owner.open()
    let today = CalendarDay(owner.driver.time)
    let names = ["Oven": -1, "Kettle": 0, "Lamp": 30, "Old oven": 31] as [String: Int64]
    owner.sync(
      names.map { name, days in
        ProductEntry(
          id: ProductID(name), name: name, model: "M", serialNumber: "S", category: "Thing",
          warrantyProvider: nil, purchasedOn: nil, warrantyExpiresOn: today.adding(days: days))
      })
    func shown() -> [String] { owner.home.kept.list.window(at: 0).items.map(\.name) }

    owner.handle(.home(.itemPressed(.filterProducts, item: "expiring")))
    #expect(shown() == ["Kettle", "Lamp"])
    #expect(owner.driver.signedIn?.place == "?status=expiring")
    owner.driver.time = owner.driver.time.adding(seconds: CalendarDay.daySeconds)
    owner.handle(.ticked)
    #expect(shown() == ["Lamp", "Old oven"])
    owner.handle(.page(.fieldEdited(.search, Secret("oven"))))
    #expect(shown() == ["Old oven"])
    #expect(owner.driver.signedIn?.place == "?query=oven&status=expiring")

    owner.handle(.home(.itemPressed(.openProduct, item: "Old oven")))
    owner.handle(.page(.buttonPressed(.back)))
    #expect(shown() == ["Old oven"])
    // A wide screen shows the list beside the open card.
    owner.handle(.home(.itemPressed(.openProduct, item: "Old oven")))
    owner.handle(.home(.itemPressed(.filterProducts, item: "all")))
    #expect(owner.home.status == nil && shown() == ["Old oven", "Oven"])
    #expect(owner.home.view == .card("Old oven"))
    // The search and the filter beside the card are newer than those of the address.
    owner.handle(.home(.placeOpened("?status=active")))
    #expect(owner.home.status == nil && owner.driver.signedIn?.place == "?query=oven")
    owner.handle(.home(.placeOpened("?status=active")))
    #expect(owner.home.status == nil && owner.driver.signedIn?.place == "")
  }

  @Test("O-03 Cancel at the confirmation of a transfer sends nothing and shows the product")
  func transferCancelled() {
    var owner = synced()
    owner.handle(.home(.itemPressed(.openProduct, item: "1")))
    owner.handle(.page(.buttonPressed(.transferOwnership)))
    owner.handle(.page(.fieldEdited(.receiver, "new-owner@example.com")))
    owner.handle(.page(.buttonPressed(.continueTransfer)))
    var sending = owner

    owner.handle(.page(.buttonPressed(.cancel)))
    #expect(owner.home.view == .card("1"))
    #expect(owner.call(to: "/api/products/1/transfer") == nil)

    sending.handle(.page(.buttonPressed(.confirmTransfer)))
    let view = sending.home.view
    sending.handle(.page(.buttonPressed(.cancel)))
    #expect(sending.home.view == view)
  }
}

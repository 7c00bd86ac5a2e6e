internal import SignInModel
internal import SignInService
internal import SignInTesting
internal import SignInWire

extension StoreContract {
  static var products: [Check] {
    [
      Check(name: "a product is read as it was last saved", isKept: productReplaced),
      Check(name: "an owner's products are read from a position on", isKept: productChanges),
      Check(name: "an owner's removals are read from a position on", isKept: productRemovals),
      Check(name: "a returned product is no longer a removal", isKept: productBack),
      Check(name: "a removal belongs to one product of one organization", isKept: productsApart),
      Check(name: "warranties that end on given days are found", isKept: productExpiry),
      Check(name: "products that wait for an address are found", isKept: productsAwaiting),
      Check(name: "products are paged newest first, then by identifier", isKept: productPages),
      Check(name: "a feed is read as it was saved", isKept: productFeed),
      Check(name: "removals are forgotten up to the limit", isKept: removalsForgotten),
      Check(name: "service requests are paged newest first", isKept: serviceRequests),
    ]
  }

  private static let owner = AccountID("account-1")
  private static let other = AccountID("account-2")

  private static func product(
    _ id: String, _ position: Int64 = 1, holder: Product.Holder = .owner(owner),
    ends last: Int64? = nil, createdIn seconds: Int64 = 0
  ) -> Product {
    Product(
      entry: ProductEntry(
        id: ProductID(id), name: "Kühlschrank ثلاجة \(position)", model: "M-1", serialNumber: "S 1",
        category: "Fridge",
        warrantyProvider: last == nil ? nil : "Provider",
        purchasedOn: last.map { CalendarDay(number: $0 - 700) },
        warrantyExpiresOn: last.map { CalendarDay(number: $0) }
      ), createdAt: Examples.start.adding(seconds: seconds), holder: holder, position: position
    )
  }

  private static func removal(
    _ id: String, _ position: Int64, of account: AccountID = owner, in seconds: Int64 = 0
  ) -> ProductRemoval {
    ProductRemoval(
      owner: account, product: ProductID(id), key: RecordKey(nil, id), position: position,
      removedAt: Examples.start.adding(seconds: seconds)
    )
  }

  private static func save(_ products: Product..., in store: any Store) async throws {
    try await store.transact { transaction throws(StoreFault) in
      for product in products { try transaction.save(product) }
    }
  }

  private static func save(_ removals: [ProductRemoval], in store: any Store) async throws {
    try await store.transact { transaction throws(StoreFault) in
      for removal in removals { try transaction.save(removal) }
    }
  }

  private static func productReplaced(_ store: any Store) async throws {
    let waiting = Product.Holder.awaiting(try EmailAddress(parsing: "unknown@example.com"))
    for saved in [product("a"), product("a", 9, holder: waiting, ends: -3)] {
      try await save(saved, in: store)
      let found = try await store.read { transaction throws(StoreFault) in
        try transaction.product(ProductID("a"))
      }
      try expect(found, is: saved, "the product")
    }
    let none = try await store.read { transaction throws(StoreFault) in
      try transaction.product(ProductID("A"))
    }
    try expect(none, is: nil, "another product")
  }

  private static func productChanges(_ store: any Store) async throws {
    try await save(
      product("c", 3), product("a", 5), product("b", 4),
      product("x", 4, holder: .owner(other)), in: store)
    let wanted: [(Int64, Int, [String])] = [
      (0, 9, ["c", "b", "a"]), (3, 9, ["b", "a"]), (4, 9, ["a"]), (5, 9, []), (0, 2, ["c", "b"]),
    ]
    for (position, limit, ids) in wanted {
      let found = try await store.read { transaction throws(StoreFault) in
        try transaction.products(of: owner, changedAfter: position, limit: limit).map { $0.id.text }
      }
      try expect(found, is: ids, "changes after \(position), at most \(limit)")
    }
  }

  private static func productRemovals(_ store: any Store) async throws {
    let remaining = [removal("b", 4), removal("a", 6, in: 2)]
    try await save([removal("a", 3)] + remaining + [removal("x", 5, of: other)], in: store)
    let wanted: [(Int64, Int, [ProductRemoval])] = [
      (0, 9, remaining), (4, 9, [remaining[1]]), (6, 9, []), (0, 1, [remaining[0]]),
    ]
    for (position, limit, expected) in wanted {
      let found = try await store.read { transaction throws(StoreFault) in
        try transaction.productRemovals(of: owner, after: position, limit: limit)
      }
      try expect(found, is: expected, "removals after \(position), at most \(limit)")
    }
  }

  private static func productBack(_ store: any Store) async throws {
    try await save([removal("a", 1), removal("a", 1, of: other)], in: store)
    try await save(product("a", 2), in: store)
    let left = try await store.read { transaction throws(StoreFault) in
      [
        try transaction.productRemovals(of: owner, after: 0, limit: 9).count,
        try transaction.productRemovals(of: other, after: 0, limit: 9).count,
      ]
    }
    try expect(left, is: [0, 1], "removals of the owner, and of another one")
  }

  private static func productsApart(_ store: any Store) async throws {
    let spaces = [nil, OrganizationID("north"), OrganizationID("south")]
    let removals = spaces.enumerated().map { (index, space) in
      ProductRemoval(
        owner: owner, product: ProductID("x"), key: RecordKey(space, "x"),
        position: Int64(index + 1), removedAt: Examples.start)
    }
    try await save(removals, in: store)
    let returned = Product(
      entry: product("x").entry, createdAt: Examples.start, holder: .owner(owner), position: 4,
      organization: spaces[1], shownID: ProductID("x"))
    let other = Product(
      entry: product("x").entry, createdAt: Examples.start, holder: .owner(owner), position: 5,
      organization: spaces[2], shownID: ProductID("south~x"))
    try await save(returned, other, in: store)
    let found = try await store.read { transaction throws(StoreFault) in
      try transaction.productRemovals(of: owner, after: 0, limit: 9)
    }
    try expect(found, is: [removals[0], removals[2]], "the removals of the other products")
  }

  private static func productExpiry(_ store: any Store) async throws {
    try await save(
      product("b", ends: 10), product("a", ends: 12), product("c", ends: 9),
      product("d", ends: 13), product("e"), product("f", holder: .owner(other), ends: 11),
      in: store)
    let found = try await store.read { transaction throws(StoreFault) in
      try transaction.products(
        of: owner, expiringOn: CalendarDay(number: 10)...CalendarDay(number: 12)
      ).map { $0.id.text }
    }
    try expect(found, is: ["a", "b"], "the products that expire on the days")
  }

  private static func productsAwaiting(_ store: any Store) async throws {
    let address = try EmailAddress(parsing: "unknown@example.com")
    let another = try EmailAddress(parsing: "other@example.com")
    try await save(
      product("b", holder: .awaiting(address)), product("a", holder: .awaiting(address)),
      product("c", holder: .awaiting(another)), product("d"), in: store)
    let found = try await store.read { transaction throws(StoreFault) in
      try transaction.products(awaiting: address).map { $0.id.text }
    }
    try expect(found, is: ["a", "b"], "the products for the address")
  }

  private static func productPages(_ store: any Store) async throws {
    try await save(
      product("a", createdIn: 1), product("b", createdIn: 1), product("c", createdIn: 2), in: store)
    let pages = try await store.read { transaction throws(StoreFault) in
      let first = try transaction.products(ProductQuery(), after: nil, limit: 2)
      let position = first.last.map { ListCursor(createdAt: $0.createdAt, id: $0.id.text) }
      let second = try transaction.products(ProductQuery(), after: position, limit: 2)
      return [first, second].map { $0.map { $0.id.text } }
    }
    try expect(pages, is: [["c", "b"], ["a"]], "the pages")
  }

  private static func productFeed(_ store: any Store) async throws {
    for feed in [
      ProductFeed(owner: owner), ProductFeed(owner: owner, position: 7),
      ProductFeed(owner: owner, position: 8, day: CalendarDay(number: -1)),
    ] {
      if feed.position > 0 {
        try await store.transact { transaction throws(StoreFault) in try transaction.save(feed) }
      }
      let found = try await store.read { transaction throws(StoreFault) in
        [try transaction.productFeed(of: owner), try transaction.productFeed(of: other)]
      }
      try expect(found, is: [feed, ProductFeed(owner: other)], "the feeds")
    }
  }

  private static func removalsForgotten(_ store: any Store) async throws {
    try await save(
      [removal("a", 1, in: 1), removal("b", 2, in: 2), removal("c", 3, in: 3)], in: store)
    for (limit, expected) in [(1, 1), (5, 1), (5, 0)] {
      let removed = try await store.transact { transaction throws(StoreFault) in
        let moment = Examples.start.adding(seconds: 3)
        return try transaction.removeProductRemovals(madeBefore: moment, limit: limit)
      }
      try expect(removed, is: expected, "forgotten at a limit of \(limit)")
    }
    let left = try await store.read { transaction throws(StoreFault) in
      try transaction.productRemovals(of: owner, after: 0, limit: 9).map { $0.product.text }
    }
    try expect(left, is: ["c"], "the rest")
  }

  private static func serviceRequests(_ store: any Store) async throws {
    let requests = [("c", 2), ("b", 1), ("a", 1)].map { id, seconds in
      ServiceRequestEntry(
        id: id, product: ProductID("p"), productName: "Name", account: owner,
        description: "It hums.\nLoudly.", createdAt: Examples.start.adding(seconds: Int64(seconds))
      )
    }
    try await store.transact { transaction throws(StoreFault) in
      for request in requests.reversed() { try transaction.insert(request) }
    }
    let pages = try await store.read { transaction throws(StoreFault) in
      let all = ServiceRequestQuery()
      let first = try transaction.serviceRequests(all, after: nil, limit: 2)
      let position = first.last.map { ListCursor(createdAt: $0.createdAt, id: $0.id) }
      return [first, try transaction.serviceRequests(all, after: position, limit: 2)]
    }
    try expect(pages, is: [Array(requests[..<2]), [requests[2]]], "the pages")
    let again = requests[0]
    try await expect(.conflict, from: store, "an identifier that exists") {
      transaction throws(StoreFault) in
      try transaction.insert(again)
    }
  }
}

internal import SignInModel
internal import SignInService
internal import SignInTesting
internal import SignInWire

extension StoreContract {
  static var productSearch: [Check] {
    [
      Check(name: "products are found by text and owner, page by page", isKept: findsProducts),
      Check(name: "service requests are found by number and account", isKept: findsRequests),
    ]
  }

  private static let owner = AccountID("account-1")
  private static let other = AccountID("account-2")

  /// Pairs of them are of the same time, so that the identifier decides about their order.
  private static func examples() throws -> [Product] {
    let waiting = Product.Holder.awaiting(try EmailAddress(parsing: "unknown@example.com"))
    let texts: [(name: String, serial: String, holder: Product.Holder)] = [
      ("Dishwasher", "SN-12 34", .owner(owner)), ("dish rack", "sn1235", .owner(other)),
      ("Sn-1 lamp", "L 1", .owner(owner)), ("Kühlschrank", "ÄB-1", waiting),
      ("KÜHLSCHRANK", "äb-1", .owner(other)), ("ثلاجة", "100%", .owner(owner)),
      ("- Hose", "- -", waiting), ("Sn-1", "SN-1", .owner(owner)),
    ]
    return texts.enumerated().map { number, text in
      Product(
        entry: ProductEntry(
          id: ProductID("product-\(number)"), name: text.name, model: "M-1",
          serialNumber: text.serial, category: "Fridge", warrantyProvider: nil, purchasedOn: nil,
          warrantyExpiresOn: nil),
        createdAt: Examples.start.adding(seconds: Int64(number / 2)), holder: text.holder,
        position: 1)
    }
  }

  private static func findsProducts(_ store: any Store) async throws {
    let saved = try examples()
    try await store.transact { transaction throws(StoreFault) in
      for product in saved { try transaction.save(product) }
    }
    let texts = [
      "", " ", "sn12", "SN 1-2", "sn-1", "dISH", " dishwasher ", "1234", "kü", "Ä", "%", "_", "'",
      "-", "ثلا", "nothing", "kuhl", "KU\u{308}HL", "washer fridge", "fridge  m-1 dish", "a b1",
      "234",
    ]
    for text in texts {
      for account in [nil, owner, AccountID("nothing")] {
        let query = ProductQuery(text, account: account)
        let expected = saved.reversed().filter(query.finds).map { $0.id.text }
        for limit in [1, 3, 10] {
          let found = try await pages(limit) { (position) in
            try await store.read { transaction throws(StoreFault) in
              try transaction.products(query, after: position, limit: limit).map {
                ListCursor(createdAt: $0.createdAt, id: $0.id.text)
              }
            }
          }
          try expect(found, is: expected, "what \(query) finds in pages of \(limit)")
        }
      }
    }
  }

  private static func findsRequests(_ store: any Store) async throws {
    let texts = [("Ab-1", owner), ("ab12", other), ("AB_1", owner), ("x", owner)]
    let requests = texts.enumerated().map { number, text in
      ServiceRequestEntry(
        id: text.0, product: ProductID("p"), productName: "Name", account: text.1,
        description: "It hums.", createdAt: Examples.start.adding(seconds: Int64(number)))
    }
    try await store.transact { transaction throws(StoreFault) in
      for request in requests { try transaction.insert(request) }
    }
    for text in ["", "-", "ab", "aB1", "ab-12", "AB_", "%", "nothing"] {
      for account in [nil, owner, AccountID("nothing")] {
        let query = ServiceRequestQuery(text, account: account)
        let expected = requests.reversed().filter(query.finds).map { $0.id }
        let found = try await pages(1) { (position) in
          try await store.read { transaction throws(StoreFault) in
            try transaction.serviceRequests(query, after: position, limit: 1).map {
              ListCursor(createdAt: $0.createdAt, id: $0.id)
            }
          }
        }
        try expect(found, is: expected, "what \(query) finds")
      }
    }
  }

  /// The identifiers on all pages of a list.
  private static func pages(
    _ limit: Int, _ read: (ListCursor?) async throws -> [ListCursor]
  ) async throws -> [String] {
    var seen: [String] = []
    var position: ListCursor?
    while true {
      let page = try await read(position)
      seen += page.map { $0.id }
      guard page.count == limit else { return seen }
      position = page.last
    }
  }
}

internal import SignInModel
internal import SignInService
internal import SignInTesting
internal import SignInWire

extension StoreContract {
  static var photos: [Check] {
    [
      Check(name: "a photo is read as it was last saved", isKept: photoReplaced),
      Check(name: "a photo is removed alone, or with its product", isKept: photoRemoved),
      Check(name: "photos are removed with the account", isKept: photoOfAccount),
    ]
  }

  private static func photo(_ product: String, _ content: [UInt8]) -> ProductPhotoContent {
    ProductPhotoContent(product: ProductID(product), format: .png, content: content)
  }

  private static func product(
    _ id: String, _ holder: Product.Holder, _ photo: ProductPhoto?
  ) -> Product {
    let entry = ProductEntry(
      id: ProductID(id), name: "Name", model: "M", serialNumber: "1", category: "C",
      warrantyProvider: nil, purchasedOn: nil, warrantyExpiresOn: nil, photo: photo)
    return Product(entry: entry, createdAt: Examples.start, holder: holder, position: 1)
  }

  private static func photos(
    _ products: String..., in store: any Store
  ) async throws -> [ProductPhotoContent?] {
    try await store.read { transaction throws(StoreFault) in
      try products.map { product throws(StoreFault) in
        try transaction.photo(of: ProductID(product))
      }
    }
  }

  private static func photoReplaced(_ store: any Store) async throws {
    let largest = [UInt8](repeating: 0xFF, count: ProductPhoto.byteLimit)
    let all = [UInt8](0...255)
    for content in [largest, all] {
      let saved = photo("a", content)
      let held = product("a", .owner(AccountID("account-1")), saved.summary)
      try await store.transact { transaction throws(StoreFault) in
        try transaction.save(saved)
        try transaction.save(held)
      }
      try expect(try await photos("a", "b", in: store), is: [saved, nil], "the photos")
      let found = try await store.read { transaction throws(StoreFault) in
        try transaction.product(ProductID("a"))
      }
      try expect(found, is: held, "the product")
    }
  }

  private static func photoRemoved(_ store: any Store) async throws {
    let holder = Product.Holder.owner(AccountID("account-1"))
    try await store.transact { transaction throws(StoreFault) in
      for id in ["a", "b", "c"] {
        try transaction.save(product(id, holder, nil))
        try transaction.save(photo(id, [1]))
      }
      try transaction.removePhoto(of: ProductID("a"))
      try transaction.removePhoto(of: ProductID("none"))
      try transaction.removeProduct(ProductID("b"))
    }
    try expect(
      try await photos("a", "b", "c", in: store), is: [nil, nil, photo("c", [1])], "the photos")
  }

  private static func photoOfAccount(_ store: any Store) async throws {
    let (one, two) = (try Examples.account(1), try Examples.account(2))
    let address = try EmailAddress(parsing: one.email?.text ?? "")
    let count = try await store.transact { transaction throws(StoreFault) in
      try transaction.insert(one)
      try transaction.insert(two)
      try transaction.save(product("owned", .owner(one.id), nil))
      try transaction.save(product("waiting", .awaiting(address), nil))
      try transaction.save(product("other", .owner(two.id), nil))
      for id in ["owned", "waiting", "other"] { try transaction.save(photo(id, [1])) }
      return try transaction.removeAccount(one.id)
    }
    try expect(count, is: 5, "the account, two products and two photos")
    try expect(
      try await photos("owned", "waiting", "other", in: store),
      is: [nil, nil, photo("other", [1])], "the photos")
  }
}

import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

@Suite("Import of products")
struct ProductImportTests {
  private static func entry(_ id: String) -> ProductEntry {
    ProductEntry(
      id: ProductID(id), name: "Oven", model: "O1", serialNumber: id, category: "Oven",
      warrantyProvider: nil, purchasedOn: nil, warrantyExpiresOn: nil)
  }

  @Test("O-08 an import with a product of another account is refused as a whole")
  func allOrNothing() async throws {
    let test = try await TestWorld()
    let (tara, other) = (AccountID("tara"), AccountID("other"))
    let foreign = Product(
      entry: Self.entry("p-2"), createdAt: TestWorld.start, holder: .owner(other), position: 1)
    let before = try await test.store.transact { (transaction) throws(StoreFault) in
      try transaction.save(foreign)
      return try transaction.productFeed(of: tara)
    }

    let refused = await refusal(
      try await importProducts(
        [Self.entry("p-1"), Self.entry("p-2"), Self.entry("p-3")],
        to: try EmailAddress(parsing: "tara@example.com"), once: nil, rules: .operatorCommand,
        in: test.world))

    #expect(refused?.code == .invalidRequest)
    try await test.store.read { (transaction) throws(StoreFault) in
      #expect(try transaction.product(ProductID("p-1")) == nil)
      #expect(try transaction.product(ProductID("p-2")) == foreign)
      #expect(try transaction.productFeed(of: tara) == before)
    }
  }
}

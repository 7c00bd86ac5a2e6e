import SignInModel
import SignInService
import Testing

@testable import SQLStore

@Suite("Indexes of the lists of products and service requests")
struct ProductPlanTests {
  private let folder = TemporaryFolder()

  private func plan(_ sql: StaticString) throws -> [String] {
    try SQLiteStore(directory: folder.path).close()
    let text = sql.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
    return try RawDatabase(folder.database).texts("EXPLAIN QUERY PLAN " + text, column: 3)
  }

  @Test("T-16 a search for products reads an index only, until it has found enough")
  func search() throws {
    let plan = try plan(SQLTransaction.productsWithText)

    #expect(
      plan.contains("SCAN products USING COVERING INDEX products_for_search"), "\(plan)")
    #expect(plan.contains("SEARCH products USING PRIMARY KEY (id=?)"), "\(plan)")
  }

  @Test("T-16 the products and requests of one account are read in their order from an index")
  func account() throws {
    let owned = try plan(SQLTransaction.productsOfOwner)
    #expect(
      owned.first == "SEARCH products USING INDEX products_of_owner_by_creation (owner=?)",
      "\(owned)")
    // The rest compares the words of a search with the text of each product.
    #expect(!owned.contains { $0.contains("TEMP B-TREE") }, "\(owned)")
    #expect(
      try plan(SQLTransaction.serviceRequestsOfAccount) == [
        "SEARCH service_requests USING INDEX service_requests_of_account (account=?)"
      ])
  }

  @Test("T-16 a search for service requests reads only the matching part of an index")
  func requests() throws {
    #expect(
      try plan(SQLTransaction.serviceRequestsWithNumber) == [
        "SEARCH service_requests USING INDEX service_requests_by_number (<expr>>? AND <expr><?)",
        "USE TEMP B-TREE FOR ORDER BY",
      ])
  }
}

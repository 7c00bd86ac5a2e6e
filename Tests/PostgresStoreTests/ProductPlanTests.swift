import SignInModel
import SignInService
import Testing

@testable import SQLStore

@Suite("Indexes of the lists of products and service requests in PostgreSQL")
struct ProductPlanTests {
  private static let texts = ["text", "text", "bigint", "text", "bigint"]
  private static let numbers = ["bigint", "text", "bigint", "text"]

  /// What PostgreSQL does for a statement with any values and twenty thousand records.
  ///
  /// An owner has a hundred products. With two of them, every index of owners costs the same.
  private func plan(_ sql: StaticString, of types: [String]) async throws -> String {
    let server = try PostgresCluster.shared.get().emptySchema()
    try PostgresStore(server, limits: .small).close()
    let raw = try PostgresConnection(server, limits: .small, damage: DamageLog())
    try raw.execute(
      """
      INSERT INTO products
        (id, name, model, serial_number, category, search_text, created_at, owner, position)
      SELECT 'p-' || n, 'Thing ' || n, 'M', 'SN-' || n, 'Thing', 'thing ' || n, n,
        'account-' || n % 200, 1
      FROM generate_series(1, 20000) AS n;
      INSERT INTO service_requests
        (id, product, product_name, account, description, created_at)
      SELECT 'r-' || n, 'p', 'Thing', 'account-' || n % 9000, 'It hums.', n
      FROM generate_series(1, 20000) AS n
      """)
    for table in ["products", "service_requests"] { try raw.execute("VACUUM ANALYZE \(table)") }
    let values = Array(repeating: "NULL", count: types.count).joined(separator: ", ")
    try raw.execute(
      """
      SET plan_cache_mode = force_generic_plan;
      CREATE TEMPORARY TABLE plan (line text);
      PREPARE searched (\(types.joined(separator: ", "))) AS \(PostgresDialect.translate(sql));
      DO $do$ DECLARE line text; BEGIN
        FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) EXECUTE searched(\(values))' LOOP
          INSERT INTO plan VALUES (line);
        END LOOP;
      END $do$
      """)
    return try raw.all("SELECT line FROM plan", read: { row in row.text() })
      .joined(separator: "\n")
  }

  @Test("T-16 a search for products in PostgreSQL reads them in the order of the list")
  func search() async throws {
    let plan = try await plan(SQLTransaction.productsWithTextInPostgres, of: Self.texts)

    #expect(plan.contains("products_by_creation on products"), "\(plan)")
    #expect(!plan.contains("Seq Scan"), "\(plan)")
  }

  @Test("T-16 lists of one account and searches for requests use indexes in PostgreSQL")
  func account() async throws {
    let owned = try await plan(SQLTransaction.productsOfOwner, of: Self.texts + ["text"])
    let sent = try await plan(SQLTransaction.serviceRequestsOfAccount, of: Self.numbers)
    let numbered = try await plan(
      SQLTransaction.serviceRequestsWithNumber, of: Self.numbers + ["text", "text"])

    #expect(
      owned.contains("Index Scan Backward using products_of_owner_by_creation"), "\(owned)")
    #expect(!owned.contains("Sort"), "\(owned)")
    #expect(owned.contains("Index Cond: ") && !owned.contains("Seq Scan"), "\(owned)")
    for (plan, index) in [
      (sent, "service_requests_of_account"), (numbered, "service_requests_by_number"),
    ] {
      #expect(plan.contains("Index Scan on \(index)"), "\(plan)")
      #expect(plan.contains("Index Cond: ") && !plan.contains("Seq Scan"), "\(plan)")
    }
  }
}

internal import SignInModel
internal import SignInService
internal import SignInWire

/// The lists of products and of service requests for administrators.
///
/// Each filter has an index. A search of products compares the folded text that is written beside
/// each of them. A search of requests reads the part of an index with the matching numbers.
extension SQLTransaction {
  func products(
    _ query: ProductQuery, after position: ListCursor?, limit: Int
  ) throws(StoreFault) -> [Product] {
    if query.account != nil {
      return try products(Self.productsOfOwner, query, after: position, limit: limit) {
        $0.bind(query.account?.text)
      }
    }
    if !query.words.isEmpty {
      let sql = isPostgres ? Self.productsWithTextInPostgres : Self.productsWithText
      return try products(sql, query, after: position, limit: limit)
    }
    return try connection.all(
      """
      SELECT id, name, model, serial_number, category, warranty_provider, purchased_on,
        warranty_expires_on, created_at, owner, awaited_address, position,
        version, photo_digest, photo_bytes, shown_id
      FROM products WHERE ?1 IS NULL OR (created_at, id) < (?1, ?2)
      ORDER BY created_at DESC, id DESC LIMIT ?3
      """,
      bind: {
        $0.bind(position?.createdAt)
        $0.bind(position?.id)
        $0.bind(Int64(limit))
      }, read: Product.init)
  }

  private func products(
    _ sql: StaticString, _ query: ProductQuery, after position: ListCursor?, limit: Int,
    bind: (inout Parameters) -> Void = { _ in }
  ) throws(StoreFault) -> [Product] {
    try connection.all(
      sql,
      bind: {
        $0.bind(query.words.list)
        $0.bind(query.words.joinedText)
        $0.bind(position?.createdAt)
        $0.bind(position?.id)
        $0.bind(Int64(limit))
        bind(&$0)
      }, read: Product.init)
  }

  static let productsWithText: StaticString = """
    SELECT id, name, model, serial_number, category, warranty_provider, purchased_on,
      warranty_expires_on, created_at, owner, awaited_address, position,
      version, photo_digest, photo_bytes, shown_id
    FROM products WHERE id IN (
      SELECT id FROM products INDEXED BY products_for_search
      WHERE (NOT EXISTS (SELECT 1 FROM json_each(?1) WHERE instr(search_text, value) = 0)
          AND search_text IS NOT NULL OR instr(search_text, ?2) > 0)
        AND (?3 IS NULL OR (created_at, id) < (?3, ?4))
      ORDER BY created_at DESC, id DESC LIMIT ?5)
    ORDER BY created_at DESC, id DESC
    """

  /// PostgreSQL has no index with the text, so it reads the records in the order of the list.
  static let productsWithTextInPostgres: StaticString = """
    SELECT id, name, model, serial_number, category, warranty_provider, purchased_on,
      warranty_expires_on, created_at, owner, awaited_address, position,
      version, photo_digest, photo_bytes, shown_id
    FROM products
    WHERE (NOT EXISTS (SELECT 1 FROM json_each(?1) WHERE instr(search_text, value) = 0)
        AND search_text IS NOT NULL OR instr(search_text, ?2) > 0)
      AND (?3 IS NULL OR (created_at, id) < (?3, ?4))
    ORDER BY created_at DESC, id DESC LIMIT ?5
    """

  static let productsOfOwner: StaticString = """
    SELECT id, name, model, serial_number, category, warranty_provider, purchased_on,
      warranty_expires_on, created_at, owner, awaited_address, position,
      version, photo_digest, photo_bytes, shown_id
    FROM products INDEXED BY products_of_owner_by_creation
    WHERE owner = ?6 AND (?3 IS NULL OR (created_at, id) < (?3, ?4))
      AND (?1 IS NULL
        OR NOT EXISTS (SELECT 1 FROM json_each(?1) WHERE instr(search_text, value) = 0)
          AND search_text IS NOT NULL
        OR instr(search_text, ?2) > 0)
    ORDER BY created_at DESC, id DESC LIMIT ?5
    """
}

// MARK: - Service requests

extension SQLTransaction {
  func serviceRequests(
    _ query: ServiceRequestQuery, after position: ListCursor?, limit: Int
  ) throws(StoreFault) -> [ServiceRequestEntry] {
    if query.number != nil {
      return try serviceRequests(Self.serviceRequestsWithNumber, after: position, limit: limit) {
        $0.bind(query.account?.text)
        $0.bind(query.number?.text)
        $0.bind(query.number?.end)
      }
    }
    if query.account != nil {
      return try serviceRequests(Self.serviceRequestsOfAccount, after: position, limit: limit) {
        $0.bind(query.account?.text)
      }
    }
    return try serviceRequests(
      """
      SELECT id, product, product_name, account, description, created_at
      FROM service_requests WHERE ?1 IS NULL OR (created_at, id) < (?1, ?2)
      ORDER BY created_at DESC, id DESC LIMIT ?3
      """, after: position, limit: limit)
  }

  private func serviceRequests(
    _ sql: StaticString, after position: ListCursor?, limit: Int,
    bind: (inout Parameters) -> Void = { _ in }
  ) throws(StoreFault) -> [ServiceRequestEntry] {
    try connection.all(
      sql,
      bind: {
        $0.bind(position?.createdAt)
        $0.bind(position?.id)
        $0.bind(Int64(limit))
        bind(&$0)
      }, read: ServiceRequestEntry.init)
  }

  static let serviceRequestsWithNumber: StaticString = """
    SELECT id, product, product_name, account, description, created_at
    FROM service_requests INDEXED BY service_requests_by_number
    WHERE replace(replace(lower(id), ' ', ''), '-', '') >= ?5
      AND replace(replace(lower(id), ' ', ''), '-', '') < ?6
      AND (?4 IS NULL OR account = ?4)
      AND (?1 IS NULL OR (created_at, id) < (?1, ?2))
    ORDER BY created_at DESC, id DESC LIMIT ?3
    """

  static let serviceRequestsOfAccount: StaticString = """
    SELECT id, product, product_name, account, description, created_at
    FROM service_requests INDEXED BY service_requests_of_account
    WHERE account = ?4 AND (?1 IS NULL OR (created_at, id) < (?1, ?2))
    ORDER BY created_at DESC, id DESC LIMIT ?3
    """
}

extension PostgresSchema {
  /// The indexes of searches and of the products and requests of one account.
  ///
  /// The first column of a search is the form in which texts are compared. The searched column is
  /// at the end, so that a search reads nothing but the index.
  static let productSearch = """
    CREATE INDEX products_by_serial_number ON products (
      replace(replace(lower(serial_number), ' ', ''), '-', ''), created_at, id, serial_number);
    CREATE INDEX products_by_name ON products (lower(name), created_at, id, name);
    CREATE INDEX products_of_owner_by_creation
      ON products (owner, created_at, id) WHERE owner IS NOT NULL;
    CREATE INDEX service_requests_by_number ON service_requests (
      replace(replace(lower(id), ' ', ''), '-', ''), created_at, id);
    CREATE INDEX service_requests_of_account ON service_requests (account, created_at, id)
    """
}

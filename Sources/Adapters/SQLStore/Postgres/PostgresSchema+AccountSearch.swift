extension PostgresSchema {
  /// The index of the list of accounts, with the columns in which a search looks.
  ///
  /// An account can have so many organizations that they do not fit into a record of an index.
  static let accountSearch = """
    CREATE INDEX accounts_for_search
      ON accounts (created_at, id) INCLUDE (name, email, phone, role, status);
    """
}

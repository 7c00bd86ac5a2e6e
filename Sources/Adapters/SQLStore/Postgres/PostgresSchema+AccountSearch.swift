extension PostgresSchema {
  /// The index of the list of accounts, with the columns of its conditions except organizations.
  ///
  /// An account can have so many organizations that they do not fit into a record of an index. The
  /// earlier index with the same order stays one version longer, for servers of the version before.
  static let accountSearch = """
    CREATE INDEX accounts_for_search
      ON accounts (created_at, id) INCLUDE (name, email, phone, role, status);
    """
}

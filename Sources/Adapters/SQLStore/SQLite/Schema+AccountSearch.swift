extension Schema {
  /// The index of the list of accounts, with every column of its conditions.
  ///
  /// It replaces an index that had only the order. A search then read every record.
  static let accountSearch = """
    CREATE INDEX accounts_for_search
      ON accounts (created_at, id, name, email, phone, role, status, organizations);
    DROP INDEX accounts_by_creation;
    """
}

extension Schema {
  /// Assertions that service accounts used, until they could be used no more.
  static let usedAssertions = """
    CREATE TABLE used_assertions (
      digest     BLOB    NOT NULL PRIMARY KEY,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX used_assertions_by_expiry ON used_assertions (expires_at);
    """
}

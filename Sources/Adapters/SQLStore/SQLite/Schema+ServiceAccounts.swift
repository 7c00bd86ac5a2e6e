extension Schema {
  /// The assertions that service accounts used.
  ///
  /// They are stored until they expire.
  static let usedAssertions = """
    CREATE TABLE used_assertions (
      digest     BLOB    NOT NULL PRIMARY KEY,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX used_assertions_by_expiry ON used_assertions (expires_at);
    """
}

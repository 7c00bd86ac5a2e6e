extension Schema {
  /// The record that a readiness check writes.
  ///
  /// The table contains only the newest record.
  static let readiness = """
    CREATE TABLE readiness (
      id         INTEGER NOT NULL PRIMARY KEY,
      checked_at INTEGER NOT NULL,
      filling    BLOB    NOT NULL
    ) STRICT;
    """
}

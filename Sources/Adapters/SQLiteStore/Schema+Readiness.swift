extension Schema {
  /// The record that readiness is proved with: the newest row alone is kept.
  static let readiness = """
    CREATE TABLE readiness (
      id         INTEGER NOT NULL PRIMARY KEY,
      checked_at INTEGER NOT NULL,
      filling    BLOB    NOT NULL
    ) STRICT;
    """
}

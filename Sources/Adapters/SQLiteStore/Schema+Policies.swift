extension Schema {
  /// What administrators changed of the configuration's policies, as JSON in its keys.
  static let policies = """
    CREATE TABLE policies (
      kind    TEXT NOT NULL,
      subject TEXT NOT NULL,
      changes BLOB NOT NULL,
      PRIMARY KEY (kind, subject)
    ) STRICT, WITHOUT ROWID;
    """
}

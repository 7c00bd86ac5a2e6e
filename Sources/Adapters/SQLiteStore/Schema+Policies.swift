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

  /// Finds the counters of identifiers that belong to nobody by how long they were quiet.
  static let strangers = """
    CREATE INDEX lockouts_of_strangers ON lockouts (reserved_at) WHERE instr(key, '?') > 0;
    """
}

extension Schema {
  /// The policy values that administrators changed, as JSON with the keys of the configuration.
  static let policies = """
    CREATE TABLE policies (
      kind    TEXT NOT NULL,
      subject TEXT NOT NULL,
      changes BLOB NOT NULL,
      PRIMARY KEY (kind, subject)
    ) STRICT, WITHOUT ROWID;
    """

  /// Finds old counters of unknown identifiers by the time since their last use.
  static let unknownAccountLockouts = """
    CREATE INDEX lockouts_of_strangers ON lockouts (reserved_at) WHERE instr(key, '?') > 0;
    """
}

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

  /// Renames the keys of two changed policy values.
  ///
  /// A quotation mark in a text has a backslash before it, so only a key matches.
  static let conversionKeys = """
    UPDATE policies SET changes = CAST(replace(replace(CAST(changes AS TEXT),
      '"brake_after":', '"conversion_checked_after":'),
      '"brake_percent":', '"minimum_conversion_percent":') AS BLOB);
    """

  /// Finds old counters of unknown identifiers by the time since their last use.
  static let unknownAccountLockouts = """
    CREATE INDEX lockouts_of_strangers ON lockouts (reserved_at) WHERE instr(key, '?') > 0;
    """
}

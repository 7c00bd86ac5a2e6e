extension PostgresSchema {
  /// The counts by day, and the indexes with which the overview of the console counts.
  ///
  /// The indexes contain the columns of their conditions, so that a count reads no records.
  static let overview = """
    CREATE TABLE daily_counts (
      day bigint NOT NULL,
      kind text COLLATE "C" NOT NULL,
      organizations text COLLATE "C" NOT NULL,
      count bigint NOT NULL,
      PRIMARY KEY (day, kind, organizations)
    );
    CREATE INDEX accounts_pending ON accounts (organizations, status) WHERE status = 'pending';
    CREATE INDEX lockouts_by_end ON lockouts (locked_until) WHERE locked_until IS NOT NULL;
    CREATE INDEX open_sessions_by_organization
      ON sessions (organization, expires_at, ended_by) WHERE ended_by IS NULL;
    CREATE INDEX outbox_failed
      ON outbox (organization, state, receipt)
      WHERE state = 'failed' OR receipt = 'undelivered';
    """

  /// The console lists the events of a kind, which can be rare in a long log.
  static let eventCodes = """
    CREATE INDEX security_events_of_code ON security_events (code, sequence);
    """
}

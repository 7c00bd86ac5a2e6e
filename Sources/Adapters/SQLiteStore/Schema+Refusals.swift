extension Schema {
  /// Refusals that are folded into one event, a row for each source; a text that is absent is
  /// empty, because a primary key has no NULL.
  static let refusalTallies = """
    ALTER TABLE security_events ADD COLUMN count INTEGER;

    CREATE TABLE refusal_tallies (
      code        TEXT    NOT NULL,
      subject     TEXT    NOT NULL,
      client      TEXT    NOT NULL,
      network     TEXT    NOT NULL,
      detail      TEXT    NOT NULL,
      account     TEXT,
      peer        TEXT,
      reported_at INTEGER NOT NULL,
      unreported  INTEGER NOT NULL,
      PRIMARY KEY (code, subject, client, network, detail)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX refusal_tallies_by_report ON refusal_tallies (reported_at);
    """
}

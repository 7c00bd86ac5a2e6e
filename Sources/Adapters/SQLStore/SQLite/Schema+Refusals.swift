extension Schema {
  /// The counts of refusals that are reported as one event, one row for each source.
  ///
  /// An absent text is stored as an empty text, because this primary key allows no NULL.
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

extension Schema {
  /// The counts that limit guessing and other misuse.
  static let limits = """
    -- The failures of an account. All unknown devices share one row, with an empty device: `shares`
    -- has the devices from which its failures came, and `failures_of_account` the failures in a row
    -- over all rows of the account.
    CREATE TABLE lockouts (
      account             TEXT    NOT NULL,
      device              TEXT    NOT NULL,
      is_for_resets       INTEGER NOT NULL,
      failures            INTEGER NOT NULL,
      failures_in_row     INTEGER NOT NULL,
      reserved            INTEGER NOT NULL,
      reserved_at         INTEGER NOT NULL,
      locks               INTEGER NOT NULL,
      locked_until        INTEGER,
      shares              TEXT    NOT NULL DEFAULT '',
      failures_of_account INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (account, device, is_for_resets)
    ) STRICT, WITHOUT ROWID;
    -- Counters of unknown identifiers are removed by their age.
    CREATE INDEX lockouts_by_age ON lockouts (reserved_at);
    CREATE INDEX lockouts_by_end ON lockouts (locked_until) WHERE locked_until IS NOT NULL;

    -- The counts of rate limits, by digest.
    CREATE TABLE throttles (
      key        TEXT    NOT NULL PRIMARY KEY,
      tallies    BLOB    NOT NULL,
      quiet_from INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX throttles_by_end ON throttles (quiet_from);

    -- The counts of refusals that are reported as one event, one row for each source. An absent
    -- text is stored as an empty text, because this primary key allows no NULL.
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

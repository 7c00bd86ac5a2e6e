extension Schema {
  static let operation = """
    -- The policy values that administrators changed, as JSON with the keys of the configuration.
    CREATE TABLE policies (
      kind    TEXT NOT NULL,
      subject TEXT NOT NULL,
      changes BLOB NOT NULL,
      PRIMARY KEY (kind, subject)
    ) STRICT, WITHOUT ROWID;

    -- The answers to repeated requests.
    CREATE TABLE remembered_answers (
      owner       TEXT    NOT NULL,
      key         TEXT    NOT NULL,
      fingerprint BLOB    NOT NULL,
      body        BLOB    NOT NULL,
      expires_at  INTEGER NOT NULL,
      PRIMARY KEY (owner, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX remembered_answers_by_expiry ON remembered_answers (expires_at);

    -- The counts by day of the overview. The organizations are those of an account.
    CREATE TABLE daily_counts (
      day           INTEGER NOT NULL,
      kind          TEXT    NOT NULL,
      organizations TEXT    NOT NULL,
      count         INTEGER NOT NULL,
      PRIMARY KEY (day, kind, organizations)
    ) STRICT, WITHOUT ROWID;

    -- The newest record that a readiness check wrote; there is no other.
    CREATE TABLE readiness (
      id         INTEGER NOT NULL PRIMARY KEY,
      checked_at INTEGER NOT NULL,
      filling    BLOB    NOT NULL
    ) STRICT;
    """
}

extension Schema {
  /// The counts of rate limits, by digest, and the known devices of accounts.
  static let throttleTables = """
    CREATE TABLE throttles (
      key        TEXT    NOT NULL PRIMARY KEY,
      tallies    BLOB    NOT NULL,
      quiet_from INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX throttles_by_end ON throttles (quiet_from);

    CREATE TABLE known_devices (
      account      TEXT    NOT NULL,
      proof_key    TEXT    NOT NULL,
      last_seen_at INTEGER NOT NULL,
      PRIMARY KEY (account, proof_key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX known_devices_by_age ON known_devices (last_seen_at);
    """
}

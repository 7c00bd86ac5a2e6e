extension Schema {
  /// The devices from which the failures of a shared bucket came, and the account's failures in a
  /// row over all its buckets.
  ///
  /// Earlier versions counted them in the shared bucket only.
  static let failureShares = """
    ALTER TABLE lockouts ADD COLUMN shares              TEXT    NOT NULL DEFAULT '';
    ALTER TABLE lockouts ADD COLUMN failures_of_account INTEGER NOT NULL DEFAULT 0;
    UPDATE lockouts SET failures_of_account = failures_in_row
      WHERE key NOT LIKE 'reset|%' AND instr(key, '/') = 0;
    DROP INDEX lockouts_of_strangers;
    CREATE INDEX lockouts_by_age ON lockouts (reserved_at);
    """

  /// The parts of a counter's key as columns.
  ///
  /// Earlier versions had them in one text: `reset|` for resets, the account, and `/` with the
  /// device.
  static let lockoutKeys = """
    CREATE TABLE keyed_lockouts (
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
    INSERT INTO keyed_lockouts
      SELECT
        CASE instr(place, '/') WHEN 0 THEN place ELSE substr(place, 1, instr(place, '/') - 1) END,
        CASE instr(place, '/') WHEN 0 THEN '' ELSE substr(place, instr(place, '/') + 1) END,
        is_for_resets, failures, failures_in_row, reserved, reserved_at, locks, locked_until,
        shares, failures_of_account
      FROM (
        SELECT *, substr(key, 1, 6) = 'reset|' AS is_for_resets,
          CASE substr(key, 1, 6) WHEN 'reset|' THEN substr(key, 7) ELSE key END AS place
        FROM lockouts
      );
    DROP TABLE lockouts;
    ALTER TABLE keyed_lockouts RENAME TO lockouts;
    CREATE INDEX lockouts_by_age ON lockouts (reserved_at);
    """
}

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
}

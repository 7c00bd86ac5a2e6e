extension Schema {
  /// The renewals of a session on one day that no event reports yet.
  ///
  /// They are in the row that each renewal changes anyway. The index changes once a day.
  static let sessionRenewals = """
    ALTER TABLE sessions ADD COLUMN renewals INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN first_renewal_at INTEGER;
    ALTER TABLE sessions ADD COLUMN last_renewal_at INTEGER;
    CREATE INDEX sessions_with_renewals
      ON sessions (first_renewal_at) WHERE first_renewal_at IS NOT NULL;
    """
}
